"""Leaderboards, from a ledger alone."""

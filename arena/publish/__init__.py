"""Leaderboards, from a ledger alone."""

from arena.publish.formats import FORMATS
from arena.publish.leaderboard import leaderboard, rated_results

__all__ = ["FORMATS", "leaderboard", "rated_results"]

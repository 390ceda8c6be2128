"""Plays games: one table is one game, a loop drives a worker's tables over ZeroMQ."""

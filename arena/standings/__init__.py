"""Leaderboards and who beats whom, computed from a ledger alone, and the text formats they are written in."""

from arena.standings.formats import FORMATS
from arena.standings.leaderboard import leaderboard, rated_results

__all__ = ["FORMATS", "leaderboard", "rated_results"]

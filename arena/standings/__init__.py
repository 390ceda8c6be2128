"""Compute leaderboards from a ledger alone, and write them as text.

`compute` makes the rows, whose types are in `rows`. `lead` says who leads, and `head_to_head` who beats whom.
`leaderboard_text` writes a leaderboard as text, and `arena.site.leaderboard_tables` shows it on pages.
"""

from arena.standings.compute import leaderboard, rated_results
from arena.standings.leaderboard_text import TEXT_FORMATS

__all__ = ["TEXT_FORMATS", "leaderboard", "rated_results"]

"""Compute leaderboards from a ledger alone, and write them as text.

`compute` makes the rows, whose types stand in `rows`; `lead` says who leads, and `head_to_head` who beats whom.
`leaderboard_text` writes a leaderboard as text; on pages `arena.site.leaderboard_tables` shows it.
"""

from arena.standings.compute import leaderboard, rated_results
from arena.standings.leaderboard_text import TEXT_FORMATS

__all__ = ["TEXT_FORMATS", "leaderboard", "rated_results"]

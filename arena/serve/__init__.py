"""A competition that runs by itself: submissions, rounds, seasons and their pages."""

from __future__ import annotations

from typing import Final

from arena.common.errors import ArenaError

STATE_FILE: Final = "league.sqlite"


class LeagueError(ArenaError):
    """A league that cannot be run as it is asked for; the text says what, where and what is allowed."""

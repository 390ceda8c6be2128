"""A competition that runs by itself: submissions, rounds, seasons and their pages."""

from __future__ import annotations

import importlib.util
from typing import Final

from arena.common.errors import ArenaError
from arena.distribution import how_to_install
from arena.web import check_libraries as check_libraries_of_pages

STATE_FILE: Final = "league.sqlite"


class LeagueError(ArenaError):
    """A league that cannot be run as it is asked for; the text says what, where and what is allowed."""


def check_libraries() -> None:
    """Raise an `ArenaError` if a library is missing that a league takes."""
    if importlib.util.find_spec("cronsim") is None:
        raise LeagueError(f"a league needs cronsim: {how_to_install('league')}")
    check_libraries_of_pages()

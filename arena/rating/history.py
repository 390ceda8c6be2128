"""The course of ratings: a bot's values after each of its games, thinned out for drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from arena.rating.base import RatingInput, Values

POINTS: Final = 200
"""The most points for each bot."""


class Point(NamedTuple):
    """A bot's values after this many of its games."""

    games: int
    values: Values
    number: int = 0
    """The number of the game among all that are rated, from 1."""


class History:
    """The values of every bot, collected while `rate` goes through the games.

    The last point equals the table's values.
    """

    def __init__(self, results: Sequence[RatingInput], points: int = POINTS) -> None:
        """Prepare for these games. `points`: the most points for each bot, two or more."""
        self.bots: dict[str, list[Point]] = {}
        self._points = points
        self._total = Counter(bot for result in results for bot in result.bots)
        self._games: Counter[str] = Counter()
        self._number = 0

    def on_rated(self, rated: Mapping[str, Values]) -> None:
        """Add the values that the bots of a game have after it."""
        self._number += 1
        for bot, values in rated.items():
            self._games[bot] += 1
            if self._is_shown(self._games[bot], self._total[bot]):
                self.bots.setdefault(bot, []).append(Point(self._games[bot], values, self._number))

    def _is_shown(self, game: int, total: int) -> bool:
        """Return whether a game is the last of one of `points` equally wide ranges; the last game of all always is."""
        return game * self._points // total != (game - 1) * self._points // total if total > self._points else True

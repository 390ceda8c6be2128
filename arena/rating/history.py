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
        """Prepare for these games, all of which the table shows. `points`: the most for each bot, two or more."""
        self.bots: dict[str, list[Point]] = {}
        self._results = results
        self._points = points
        self._total = Counter(bot for result in results for bot in result.bots)
        self._games: Counter[str] = Counter()
        self._number = 0

    def on_rated(self, number: int, rated: Mapping[str, Values]) -> None:
        """Add the values that bots have after so many of the games."""
        for result in self._results[self._number : number]:
            self._games.update(result.bots)
        self._number = number
        for bot, values in rated.items():
            points = self.bots.setdefault(bot, [])
            games, before = self._games[bot], points[-1].games if points else 0
            if games == before:
                points[-1] = points[-1]._replace(values=values)  # it has not played, but its rivals have
            elif self._is_shown(games, before, self._total[bot]):
                points.append(Point(games, values, number))

    def _is_shown(self, game: int, before: int, total: int) -> bool:
        """Return whether there is no point yet in the range of a game, of which there are so many as points.

        Ranges are equally wide, and begin after the last game of the one before.
        """
        return game * self._points // total != before * self._points // total if total > self._points else True

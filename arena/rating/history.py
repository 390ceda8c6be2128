"""How ratings went: a bot's values after each of its games, thinned out so that they can be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from arena.rating.base import RatingInput, Values

POINTS: Final = 200
"""At most so many points a bot."""


class Point(NamedTuple):
    """What the rating system says of a bot after so many of its games."""

    games: int
    values: Values


class History:
    """Collects the values of every bot while `rate` goes through the games; the last point is what the table says."""

    def __init__(self, results: Sequence[RatingInput], points: int = POINTS) -> None:
        """For these games, at most `points` (two or more) a bot."""
        self.bots: dict[str, list[Point]] = {}
        self._points = points
        self._total = Counter(bot for result in results for bot in result.bots)
        self._games: Counter[str] = Counter()

    def on_rated(self, rated: Mapping[str, Values]) -> None:
        """Add the values that the bots of a game have after it."""
        for bot, values in rated.items():
            self._games[bot] += 1
            if self._is_shown(self._games[bot], self._total[bot]):
                self.bots.setdefault(bot, []).append(Point(self._games[bot], values))

    def _is_shown(self, game: int, total: int) -> bool:
        """The last game of each of equally wide ranges, and so the last of all."""
        return game * self._points // total != (game - 1) * self._points // total if total > self._points else True

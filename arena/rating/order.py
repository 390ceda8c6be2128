"""Who is ahead of whom while games are drawn, and how sure that is: quick, and without numpy, for large fields too.

TrueSkill, which rates game by game, keeps each bot's uncertainty but not how those of two bots hang together. Where
bots meet their neighbours only, errors add up along the chain, and it is far too sure of those who never met. So all
games are fitted together here: a bot's skill is its strength in the Bradley-Terry model, in log-odds of finishing
ahead, with a normal prior, and the errors come from the curvature at the most likely skills (Laplace's approximation).
A game of k players counts as its k (k - 1) / 2 pairs, each with the weight 2 / k: so much do the pairs of one game
know together if every bot plays it with one performance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from operator import mul
from typing import Final, NamedTuple

from arena.rating.base import SkillDifference

_PRIOR: Final = 1.0
"""The spread of skills before any game: two bots of such a field win 7 of 10 games on average, or lose them."""
_WHOLE: Final = 64
"""Up to so many bots are fitted at once."""
_WINDOW: Final = 32
"""A larger field is fitted in overlapping pieces of the order of so many bots, the others held fast."""
_STEPS: Final = 3
_GROWTH: Final = 20
"""The fit is made anew whenever there is one game more for so many that it knew."""


class OrderEstimate:
    """The skills of bots, from the games seen so far, and the errors of their differences.

    Estimates are good to some nine decimal places on every machine: compare them rounded.
    """

    def __init__(self) -> None:
        """Begin without a game: every bot is as strong as any other, and nothing is certain."""
        self._ahead: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
        """By bot and bot: in how many games one finished ahead of the other, weighted; a tie is half of one."""
        self._games = 0
        self._fitted = 0
        """How many games the last fit knew."""
        self._skills: dict[str, float] = {}
        self._pieces: list[_Piece] = []
        self._places: dict[str, int] = {}
        """By bot: its place in the order, best first."""

    def add(self, games: Iterable[tuple[Sequence[str], Sequence[float]]], graded: bool = False) -> None:
        """Add games, each as its bots and their ranks (the least is best, equal numbers tie).

        `graded`: it counts by how much a rank is less, which is at most 1.
        """
        for bots, ranks in games:
            self._games += 1
            weight = 1 / len(bots)
            for (one, first), (other, second) in combinations(zip(bots, ranks, strict=True), 2):
                lead = second - first if graded else (first < second) - (second < first)
                self._ahead[one][other] += weight * (1 + lead)
                self._ahead[other][one] += weight * (1 - lead)
        if self._games * _GROWTH >= self._fitted * (_GROWTH + 1) and self._games > self._fitted:
            self._fit()

    def skill(self, bot: str) -> float:
        """Return the most likely skill."""
        return self._skills.get(bot, 0.0)

    def difference(self, one: str, other: str) -> SkillDifference:
        """Return by how much `one` is stronger than `other`, in log-odds."""
        return SkillDifference(self.skill(one) - self.skill(other), math.sqrt(self._variance(one, other)))

    def margin(self, share: float) -> float:
        """Return the difference with which a bot wins a game of two with a probability of one half plus `share`."""
        return math.log((0.5 + share) / (0.5 - share))

    def _variance(self, one: str, other: str) -> float:
        places = sorted(self._places[bot] for bot in (one, other) if bot in self._places)
        if len(places) < 2:
            return (2 - len(places)) * _PRIOR**2 + sum(self._piece(place, place).variance(place) for place in places)
        low, high = places
        piece = self._piece(low, high)
        if piece.start <= low and high < piece.start + len(piece.covariance):
            return piece.variance(low, high)
        return sum(self._piece(place, place).variance(place) for place in places)  # too far apart to share much

    def _piece(self, low: int, high: int) -> _Piece:
        """Return the piece in the middle of which these places are, as far as one reaches."""
        number = (low + high) // _WINDOW - (1 if len(self._pieces) > 1 else 0)
        return self._pieces[max(0, min(number, len(self._pieces) - 1))]

    def _fit(self) -> None:
        """Go from the last fit to the most likely skills by Newton's method, piece by piece of the order."""
        self._fitted = self._games
        for _ in range(_STEPS):
            order = sorted(self._ahead, key=lambda bot: (-round(self.skill(bot), 9), bot))
            self._pieces = []
            for start, bots in _cut(order):
                slopes, curvatures = self._likelihood(bots)
                covariance = _inverse(curvatures)
                for row, bot in zip(covariance, bots, strict=True):
                    step = sum(map(mul, row, slopes))
                    self._skills[bot] = self.skill(bot) + max(-1.0, min(1.0, step))
                self._pieces.append(_Piece(start, covariance))
            self._places = {bot: place for place, bot in enumerate(order)}

    def _likelihood(self, bots: Sequence[str]) -> tuple[list[float], list[list[float]]]:
        """Return the slopes of the log-likelihood by these bots' skills, and its curvatures with the sign turned."""
        place = {bot: place for place, bot in enumerate(bots)}
        slopes = [-self.skill(bot) / _PRIOR**2 for bot in bots]
        curvatures = [[0.0] * len(bots) for _ in bots]
        for here, bot in enumerate(bots):
            curvatures[here][here] += 1 / _PRIOR**2
            for other, ahead in self._ahead[bot].items():
                games = ahead + self._ahead[other][bot]
                chance = 1 / (1 + math.exp(self.skill(other) - self.skill(bot)))
                slopes[here] += ahead - games * chance
                curvatures[here][here] += games * chance * (1 - chance)
                if other in place:
                    curvatures[here][place[other]] -= games * chance * (1 - chance)
        return slopes, curvatures


class _Piece(NamedTuple):
    start: int
    """The place of its first bot in the order."""
    covariance: list[list[float]]

    def variance(self, one: int, other: int | None = None) -> float:
        """Return the variance of the skill at a place, or of the difference of two."""
        a = self.covariance[one - self.start]
        if other is None:
            return a[one - self.start]
        b = self.covariance[other - self.start]
        return a[one - self.start] + b[other - self.start] - 2 * a[other - self.start]


def _cut(order: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Cut the order into pieces of which each overlaps half of the one before."""
    if len(order) <= _WHOLE:
        yield 0, order
        return
    for start in range(0, len(order) - _WINDOW // 2, _WINDOW // 2):
        yield start, order[start : start + _WINDOW]


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the inverse of a symmetric positive definite matrix (Cholesky)."""
    size = len(matrix)
    lower: list[list[float]] = []
    for here, row in enumerate(matrix):
        new: list[float] = []
        for there in range(here):
            new.append((row[there] - sum(map(mul, new, lower[there]))) / lower[there][there])
        new.append(math.sqrt(row[here] - sum(map(mul, new, new))))
        lower.append(new)
    columns = []
    """Of the inverse of `lower`, each from its diagonal down."""
    for here in range(size):
        column = [1 / lower[here][here]]
        for there in range(here + 1, size):
            column.append(-sum(map(mul, lower[there][here:there], column)) / lower[there][there])
        columns.append(column)
    inverse = [[0.0] * size for _ in range(size)]
    for one, long in enumerate(columns):
        for other in range(one, size):
            inverse[one][other] = inverse[other][one] = sum(map(mul, long[other - one :], columns[other]))
    return inverse

"""Tell whether a new bot is better than an old one while the games are played, and stop as soon as that is known.

Compared are pairs of blocks: in one block the old bot plays, in the other the new one, with the same opponents in the
same order. What counts of a pair is by how much the new bot finishes before the old one, in all rotations together.
That is tested by `arena.rating.betting.betting_tests`, so one may look after every round. The values of the true
difference that nobody could refute by betting are an interval, which never leaves it out with a greater probability
than the error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.rating.base import Finding

if TYPE_CHECKING:
    from arena.rating.betting.betting_tests import BettingTests, Observations
    from arena.rating.joint.gaussian_tails import Floats

_STEPS: Final = 18
"""Halvings until an end of the interval is found."""
_LONGEST: Final = 3.0
"""How many times as long as on average a test may take. Of bots that are equal or differ by the margin 2 % take longer.
"""


class Pair(NamedTuple):
    """A pair of blocks."""

    difference: float
    """The mean finish of the old bot minus that of the new one, from -1 to 1; above 0: the new one is better."""
    games: int
    """The games of either block that the difference is the mean of."""


class SequentialTest:
    """Takes pairs round by round, and says at any time what is known."""

    def __init__(self, margin: float, error: float) -> None:
        """Begin with no games.

        Args:
            margin: The difference of mean finishes that matters, above 0 and below 1.
            error: The probability that the verdict may be wrong, or that the interval leaves out the truth.
        """
        self._margin = margin
        self._error = error
        self._tests: BettingTests | None = None
        """None before the first round: a command that plays none shall not wait until numpy is imported."""
        self._rounds: list[tuple[Observations, Floats]] = []
        self.pairs = 0
        """How many there were."""

    def add(self, pairs: Sequence[Pair]) -> None:
        """Add a round: one or more pairs, in which each kind of pair has the share that it shall have in the mean.

        A kind of pair is a number of players or a group of opponents. Some may suit the new bot better than others, but
        no value of the mean is refuted by that (`BettingTests.add`).
        """
        from arena.rating.betting.betting_tests import BettingTests

        if not pairs:
            return
        if self._tests is None:
            self._tests = BettingTests(self._margin, 1)
        round = observed(pairs)
        self._rounds.append((round, self._tests.add(round)))
        self.pairs += len(pairs)

    @property
    def difference(self) -> float | None:
        """Return the mean difference over all games. None before the first round."""
        return None if self._tests is None else self._tests.mean(0)

    @property
    def verdict(self) -> Finding:
        """Return what is known of the new bot. Stopping at the first that is not `unknown` is as safe as promised."""
        return "unknown" if self._tests is None else self._tests.finding(0, self._error)

    def interval(self) -> tuple[float, float]:
        """Return the values of the true difference that have not been refuted, as the least and the greatest.

        It agrees with the verdict, and never becomes wider.
        """
        low = self._end(1)
        return low, max(low, -self._end(-1))

    def _end(self, side: int) -> float:
        """Find the greatest value that was refuted by who bets on more (`side` 1), or minus the least one (-1)."""
        from arena.rating.betting.betting_tests import refuted

        no_more, kept = -1.0, 1.0
        for _ in range(_STEPS):
            value = (no_more + kept) / 2
            if self._rounds and refuted(self._rounds, side * value, side, self._error):
                no_more = value
            else:
                kept = value
        return no_more


def observed(pairs: Sequence[Pair], test: int = 0) -> Observations:
    """Return the pairs of a round as observations of a test."""
    import numpy as np

    from arena.rating.betting.betting_tests import Observations

    games = np.array([float(pair.games) for pair in pairs])
    differences = np.array([pair.difference for pair in pairs])
    variances = np.array([_variance(pair.games) for pair in pairs])
    return Observations(np.full(len(pairs), test), differences * games, games, games**2 * variances)


def enough_rounds(games: Sequence[int], margin: float, error: float) -> int:
    """Return after how many rounds a test will hardly ever be undecided if the bots are equal or differ by the margin.

    `games`: of the pairs of a round, by pair.
    """
    mean = sum(games) / len(games)
    variance = sum((each / mean) ** 2 * _variance(each) for each in games) / len(games)
    pairs = 2 * math.log(2 / error) * (variance + margin**2) / margin**2
    return math.ceil(_LONGEST * pairs / len(games))


def _variance(games: int) -> float:
    """Return the variance of a pair of so many games, one for each player, whose places are all equally likely."""
    players = max(2, games)
    return (players + 1) / (6 * players * (players - 1))

"""Test differences of bots while games are played, by betting: one may look after every block, and stop at any time.

A *difference* of two bots is by how much one finishes before the other, from -1 to 1 in each game. An *observation* is
its total over some games, such as those of a block. Four bet on every observation against what the mean difference
might be: that it is more than 0, less than 0, more than minus the margin, less than the margin. Who bets that it is
more than a value begins with a stake of 1, and multiplies it by 1 + size * (total - games * value). `size` is chosen
before the observation, and so small that not all is ever lost. If the mean of every observation, given all that
happened before, is not more than that value, then the money is not expected to grow. So the probability that it ever
reaches 1 / error is at most `error`, however long games are played and however often one looks (Ville's inequality;
testing by betting: Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2024). If means
differ between observations, this holds for their mean with the weights of the bets. Nothing else is assumed: neither
how results are distributed, nor who else plays, nor that who plays does not depend on earlier results.

How much is bet only decides how soon one knows. The stake is divided between *aims*: each part is bet as is best if the
true difference is so many margins (Kelly's rule). For that the variance of observations is estimated as games are seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.base import Finding
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Ints

_VALUES: Final = (0, 0, -1, 1)
"""What the four bet against, in margins."""
_SIDES: Final = (1, -1, 1, -1)
"""1: that the mean is more; -1: that it is less."""
_MOST_BET: Final = 0.9
"""The part of the money that may be lost by the observations of a round, each. Below 1, so that nobody is bankrupt."""
_ASSUMED: Final = 10
"""The variance that is assumed before the first observation weighs as much as so many observations."""
_LEAST: Final = 1e-9
_PLACES: Final = 9
"""Decimal places to which logarithms are the same on every machine."""


class Aim(NamedTuple):
    """A part of the stake."""

    margins: float
    """The true difference for which it is bet as is best."""
    share: float


_AIMS: Final = (Aim(1.0, 0.75), Aim(3.0, 0.25))
"""Most is bet as is best for the margin; the rest finds great differences soon."""


class Observations(NamedTuple):
    """What was seen in a round, by observation. The bets on all of them were made before."""

    tests: Ints
    """Which test it belongs to."""
    totals: Floats
    """The sum of the differences."""
    games: Floats
    """How many games that is the sum of."""
    variances: Floats
    """The variance of the total if every bot finished in each place as often."""


class BettingTests:
    """Many tests at once, each of one difference, and all with one margin."""

    def __init__(self, margin: float, tests: int = 0) -> None:
        """Begin without observations.

        Args:
            margin: The difference that matters, above 0 and below 1.
            tests: How many tests there are.
        """
        self._aims = np.array([aim.margins * margin for aim in _AIMS])
        self._values = np.array(_VALUES) * margin
        self._sides = np.array(_SIDES, dtype=np.float64)
        self._money = np.zeros((0, len(_VALUES), len(_AIMS)))
        """The logarithm of what each part of each stake has become."""
        self._most = np.zeros((0, len(_VALUES)))
        """The logarithm of the most that all the money of somebody ever was."""
        self._sums = np.zeros((0, 6))
        """Of observations, totals, games, and of squares of both and their products, divided by the variances."""
        self.extend(tests)

    def __len__(self) -> int:
        """Return how many tests there are."""
        return len(self._most)

    def extend(self, tests: int) -> None:
        """Add tests until there are so many."""
        if (more := tests - len(self)) > 0:
            stakes = np.broadcast_to(_stakes(), (more, *self._money.shape[1:]))
            self._money = np.concatenate([self._money, stakes])
            self._most = np.concatenate([self._most, np.zeros((more, len(_VALUES)))])
            self._sums = np.concatenate([self._sums, np.zeros((more, 6))])

    def add(self, round: Observations) -> Floats:
        """Bet on the observations of a round, and return the sizes of the bets, by observation and aim.

        In a round all bets of a test have one size for every game, and the product of numbers is never more than that
        of their mean. So what is refuted is a mean over all games of the round, in which each kind of game (a number of
        players, a group of opponents) has the share that it has in the round.
        """
        touched, which = np.unique(round.tests, return_inverse=True)
        games, spread, squares = (
            np.bincount(which, weights, len(touched))
            for weights in (round.games, round.variances, round.games * round.games)
        )
        heaviest = np.zeros(len(touched))
        np.maximum.at(heaviest, which, round.games)
        expected = (self._misfit(touched) * spread)[:, None] + self._aims**2 * squares[:, None]
        sizes: Floats = self._aims * games[:, None] / expected
        capped = _capped(sizes, heaviest, self._values, self._sides)
        grown = np.log1p(capped[which] * _gains(round, self._values, self._sides)[:, :, None])
        np.add.at(self._money, round.tests, grown)
        now = np.logaddexp.reduce(self._money[touched], axis=2)
        self._most[touched] = np.maximum(self._most[touched], np.round(now, _PLACES))
        ones, totals, played, variances = np.ones(len(which)), round.totals, round.games, round.variances
        squares_and_products = (totals**2 / variances, totals * played / variances, played**2 / variances)
        np.add.at(self._sums, round.tests, np.stack([ones, totals, played, *squares_and_products], axis=1))
        return sizes[which]

    def finding(self, test: int, error: float) -> Finding:
        """Return what is known. Stopping once it is not `unknown` is wrong with at most that probability."""
        above, below, above_least, below_most = self._most[test] >= log_money_needed(error)
        if above and below:  # the difference has changed: what the games show together
            return "better" if (self.mean(test) or 0) > 0 else "worse"
        if above or below:
            return "better" if above else "worse"
        return "within" if above_least and below_most else "unknown"

    def refutations(self, error: float) -> NDArray[np.bool_]:
        """Return by test who has refuted what they bet against: that it is 0 (more, less), -margin, +margin."""
        return self._most >= log_money_needed(error)

    def games(self, test: int) -> int:
        """Return how many games of a test were seen."""
        return int(self._sums[test, 2])

    def mean(self, test: int) -> float | None:
        """Return the mean difference over all games. None before the first one."""
        _, total, games = self._sums[test, :3]
        return float(total / games) if games else None

    def _misfit(self, tests: Ints) -> Floats:
        """Return by how much more totals vary than is assumed."""
        number, total, games, squares, products, weights = self._sums[tests].T
        mean = np.divide(total, games, out=np.zeros_like(total), where=games > 0)
        seen = squares - 2 * mean * products + mean**2 * weights
        return np.asarray((_ASSUMED + seen) / (_ASSUMED + number))


def log_money_needed(error: float) -> float:
    """Return the logarithm of the money with which somebody has refuted a value.

    Two bet on either side of the true difference, so each has half of the error.
    """
    return round(math.log(2 / error), _PLACES)


def refuted(rounds: Sequence[tuple[Observations, Floats]], value: float, side: int, error: float) -> bool:
    """Return whether bets against another value would have refuted it.

    Args:
        rounds: The observations of one test, and what `BettingTests.add` returned for them.
        value: The value.
        side: 1: the bets were that the mean is more; -1: that it is less.
        error: As in `BettingTests.finding`.
    """
    values, sides = np.array([value]), np.array([float(side)])
    grown = []
    for round, sizes in rounds:
        bets = _capped(sizes, np.full(len(sizes), round.games.max()), values, sides)
        grown.append(np.log1p(bets * _gains(round, values, sides)[:, :, None]).sum(axis=0)[0])
    money = np.logaddexp.reduce(np.cumsum(grown, axis=0) + _stakes(), axis=1)
    return bool(np.round(money, _PLACES).max(initial=0.0) >= log_money_needed(error))


def _stakes() -> Floats:
    """Return the logarithms of the parts of the stake."""
    return np.asarray(np.log([aim.share for aim in _AIMS]))


def _capped(sizes: Floats, heaviest: Floats, values: Floats, sides: Floats) -> Floats:
    """Return sizes of bets with which nobody is ever bankrupt, by observation, better and aim."""
    worst = np.maximum(1 + sides * values, _LEAST)  # by so much can a difference miss the value
    return np.minimum(sizes[:, None, :], (_MOST_BET / (heaviest[:, None] * worst))[:, :, None])


def _gains(round: Observations, values: Floats, sides: Floats) -> Floats:
    """Return what a bet of 1 gains, by observation and better."""
    return np.asarray(sides * (round.totals[:, None] - round.games[:, None] * values))

"""Tell whether a new bot is better than an old one while the games are played, and stop as soon as that is known.

Compared are pairs of blocks: in one block the old bot plays, in the other the new one, with the same opponents in the
same order. What counts of a pair is by how much the new bot finishes before the old one, on average over the rotations.

The method is testing by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting",
2024). For every value that the true difference might have, two players bet on each pair, one that the difference is
greater and one that it is less, at odds that are fair for that value. If it is the true one, the probability that a
player ever multiplies the stake by 2 / error is at most error / 2, however often one looks (Ville's inequality). So a
value is refuted by a player who does. The values that nobody has refuted are an interval, which at no time leaves out
the true difference with a greater probability than the error. It makes no other assumption about the games than that
each pair is played independently of the others.

How much is bet only decides how soon one knows. For a difference of D the best part of the stake is about D divided by
the variance of a pair, with which the money grows as the likelihood ratio of Wald's test does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

Verdict = Literal["better", "worse", "within", "unknown"]
"""Of the new bot; `within` if neither bot is better by the margin."""

_AIMS: Final = ((1.0, 0.75), (3.0, 0.25))
"""The stake is divided: a part of it is bet as is best for so many margins, the other finds great differences soon."""
_MOST_BET: Final = 0.9
"""The part of the money that may be lost by one pair. It is less than 1, so that nobody is ever bankrupt."""
_ASSUMED_PAIRS: Final = 10
"""The variance that is assumed before the first pair weighs as much as so many pairs."""
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
        self._enough = math.log(2 / error)
        self._rounds: list[_Bets] = []
        self._spread = _Spread()
        self._above_nought = _Player(0.0, 1)
        self._below_nought = _Player(0.0, -1)
        self._above_least = _Player(-margin, 1)
        self._below_most = _Player(margin, -1)

    def add(self, pairs: Sequence[Pair]) -> None:
        """Add a round: one or more pairs, in which each kind of pair has the share that it shall have in the mean.

        A kind of pair is a number of players or a group of opponents. Some may suit the new bot better than others. In
        a round all bets are equal for each game, and the product of numbers is never more than that of their mean: so
        no value of the mean is refuted by the differences between kinds.
        """
        if not pairs:
            return
        bets = self._spread.bets(pairs, self._margin)
        self._spread.add(bets)
        self._rounds.append(bets)
        for player in (self._above_nought, self._below_nought, self._above_least, self._below_most):
            player.bet(bets)

    @property
    def pairs(self) -> int:
        """Return how many pairs there were."""
        return sum(len(bets.differences) for bets in self._rounds)

    @property
    def difference(self) -> float | None:
        """Return the mean difference over all games. None before the first round."""
        return self._spread.mean if self._rounds else None

    @property
    def verdict(self) -> Verdict:
        """Return what is known. Whoever stops at the first one that is not `unknown` is wrong as seldom as promised."""
        if self._has_refuted(self._above_nought):
            return "better"
        if self._has_refuted(self._below_nought):
            return "worse"
        if self._has_refuted(self._above_least) and self._has_refuted(self._below_most):
            return "within"
        return "unknown"

    def interval(self) -> tuple[float, float]:
        """Return the values of the true difference that have not been refuted, as the least and the greatest.

        It agrees with the verdict, and never becomes wider.
        """
        low = self._end(1)
        return low, max(low, -self._end(-1))

    def _end(self, side: int) -> float:
        """Find the greatest value that was refuted by who bets on more (`side` 1), or minus the least one (-1)."""
        refuted, kept = -1.0, 1.0
        for _ in range(_STEPS):
            value = (refuted + kept) / 2
            player = _Player(side * value, side)
            for bets in self._rounds:
                player.bet(bets)
            if self._has_refuted(player):
                refuted = value
            else:
                kept = value
        return refuted

    def _has_refuted(self, player: _Player) -> bool:
        return player.most >= self._enough


def enough_rounds(games: Sequence[int], margin: float, error: float) -> int:
    """Return after how many rounds a test will hardly ever be undecided if the bots are equal or differ by the margin.

    `games`: of the pairs of a round, by pair.
    """
    variance = _Spread().variance([_weight(each, games) for each in games], games)
    pairs = 2 * math.log(2 / error) * (variance + margin**2) / margin**2
    return math.ceil(_LONGEST * pairs / len(games))


class _Bets(NamedTuple):
    """A round, and what is bet on it."""

    differences: list[float]
    weights: list[float]
    """By pair; their mean is 1."""
    heaviest: float
    sizes: tuple[float, ...]
    """By aim: which part of the money is bet on a pair of weight 1, for each unit of difference."""


class _Player:
    """Bets that the true difference is greater (`side` 1) or less (-1) than a value."""

    def __init__(self, value: float, side: int) -> None:
        self._value = value
        self._side = side
        self._money = [math.log(share) for _, share in _AIMS]
        """The logarithm of what each part of the stake has become."""
        self.most = 0.0
        """The logarithm of the most that all the money ever was, if it was 1 at the beginning."""

    def bet(self, bets: _Bets) -> None:
        worst = max(1 + self._side * self._value, 1e-9)  # by so much a difference can miss the value
        largest = _MOST_BET / (bets.heaviest * worst)
        value, side = self._value, self._side
        for number, size in enumerate(bets.sizes):
            part = side * min(size, largest)
            self._money[number] += sum(
                [
                    math.log1p(part * weight * (difference - value))
                    for weight, difference in zip(bets.weights, bets.differences, strict=True)
                ]
            )
        greatest = max(self._money)
        total = greatest + math.log(sum(math.exp(money - greatest) for money in self._money))
        self.most = max(self.most, total)


class _Spread:
    """What is known of the pairs so far: their mean, and how much they vary."""

    def __init__(self) -> None:
        self._pairs = 0
        self._total = self._weights = 0.0
        self._squares = self._products = self._square_weights = 0.0

    @property
    def mean(self) -> float:
        return self._total / self._weights if self._weights else 0.0

    def bets(self, pairs: Sequence[Pair], margin: float) -> _Bets:
        """Decide what is bet on these pairs, from what was known before."""
        games = [pair.games for pair in pairs]
        weights = [_weight(each, games) for each in games]
        variance = self.variance(weights, games)
        squares = sum(weight**2 for weight in weights) / len(weights)
        sizes = tuple(aim * margin / (variance + squares * (aim * margin) ** 2) for aim, _ in _AIMS)
        return _Bets([pair.difference for pair in pairs], weights, max(weights), sizes)

    def variance(self, weights: Sequence[float], games: Sequence[int]) -> float:
        """Return the mean variance of a pair times its weight.

        It is taken from the pairs so far, and from what it would be if a bot was as likely to finish in any place.
        """
        assumed = sum(weight**2 * _assumed(each) for weight, each in zip(weights, games, strict=True)) / len(games)
        mean = self.mean
        seen = self._squares - 2 * mean * self._products + mean**2 * self._square_weights
        return (_ASSUMED_PAIRS * assumed + seen) / (_ASSUMED_PAIRS + self._pairs)

    def add(self, bets: _Bets) -> None:
        for weight, difference in zip(bets.weights, bets.differences, strict=True):
            self._pairs += 1
            self._weights += weight
            self._total += weight * difference
            self._square_weights += weight**2
            self._products += weight**2 * difference
            self._squares += (weight * difference) ** 2


def _weight(games: int, of_round: Sequence[int]) -> float:
    """Return the weight of a pair: every game weighs the same."""
    return games * len(of_round) / sum(of_round)


def _assumed(games: int) -> float:
    """Return the variance of a pair of so many games, one for each player, whose places are all equally likely."""
    players = max(2, games)
    return (players + 1) / (6 * players * (players - 1))

"""Who is ahead of whom, and how sure that is: the one place where P(A ahead of B) comes from.

Skills are TrueSkill's, worked in game by game. It keeps a bot's uncertainty, but not how those of two bots hang
together, and treats them as independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import NormalDist
from typing import Final, NamedTuple

from arena.rating.model import Rating, TrueSkillModel
from arena.rating.trueskill import LEAST_TIES, MOST_TIES

_STANDARD: Final = NormalDist()


class SkillDifference(NamedTuple):
    """By how much one bot is stronger than another: a normal distribution, in units of skill."""

    mean: float
    error: float
    """Its standard deviation."""

    def above(self, least: float) -> float:
        """Return the probability that the difference is more than `least`."""
        return _STANDARD.cdf((self.mean - least) / self.error)

    def within(self, most: float) -> float:
        """Return the probability that the difference is at most `most` to either side."""
        return self.above(-most) - self.above(most)


class OrderEstimate:
    """The skills of bots, from the games seen so far."""

    def __init__(self) -> None:
        """Begin without a game: every bot is as strong as any other, and nothing is certain."""
        self._model = TrueSkillModel(LEAST_TIES)
        self._ratings: dict[str, Rating] = {}
        self._ties = 0
        self._places = 0

    def add(self, games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> None:
        """Work in games, each as its bots and their ranks (1 is best, equal numbers tie).

        The share of ties is that of all games seen so far.
        """
        games = list(games)
        for _, ranks in games:
            self._places += len(ranks) - 1
            self._ties += sum(one == other for one, other in pairwise(sorted(ranks)))
        if self._places:
            self._model = TrueSkillModel(min(MOST_TIES, max(LEAST_TIES, self._ties / self._places)))
        for bots, ranks in games:
            before = [(self._rating(bot),) for bot in bots]
            for bot, (after,) in zip(bots, self._model.rate(before, ranks=ranks), strict=True):
                self._ratings[bot] = after

    def skill(self, bot: str) -> float:
        """Return the skill that is most likely."""
        return float(self._rating(bot).mu)

    def difference(self, one: str, other: str) -> SkillDifference:
        """Return by how much `one` is stronger than `other`."""
        a, b = self._rating(one), self._rating(other)
        return SkillDifference(a.mu - b.mu, math.hypot(a.sigma, b.sigma))

    def margin(self, share: float) -> float:
        """Return the difference with which a bot wins a game of two with a probability of one half plus `share`."""
        return _STANDARD.inv_cdf(0.5 + share) * math.sqrt(2) * float(self._model.beta)

    def _rating(self, bot: str) -> Rating:
        return self._ratings.get(bot) or self._model.create_rating()

"""How well the errors of ratings are known themselves, and which orders results show by themselves.

The errors of a bot that played little come from few games and few blocks, and its results are few whole numbers, which
are not spread as a normal distribution is. So errors are taken to have a t distribution. Its degrees of freedom lie
between the number of a bot's blocks and that of its games: games of one block have their group in common, but each has
luck of its own. Chosen so that of equal bots, which are few or have played little, an order is claimed no more often
than promised (`python -m benchmarks.calibration claims`).

If a bot finished before another whenever they met, the error of their difference is large, since it may be anything
from there on. That it is ahead is sure all the same, by a sign test.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from arena.rating.base import REACH, Bound
from arena.rating.joint.approximation import LUCK
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Outcomes

_LEAST: Final = 0.01
"""The degrees of freedom after one game, or with one block alone: next to nothing is certain."""
_SIDE: Final = 0.025
"""With an interval of 95 %, so seldom the truth lies beyond one end of it."""
_TINY: Final = 1e-12
_MOST_MEETINGS: Final = 50
"""More make an order no more certain."""


class Evidence(NamedTuple):
    """What games of one number of players say of what is estimated."""

    outcomes: Sequence[Outcomes]
    information: Floats
    """What they say of the strengths there, by bot and bot, as precisions."""
    share: Floats
    """The posterior covariance of what is estimated with these strengths."""

    @property
    def variances(self) -> Floats:
        """By bot: the variance of what is estimated that comes from the luck of these games."""
        return np.asarray(np.sum((self.share @ self.information) * self.share, axis=1))


class Support(NamedTuple):
    """What errors rest on."""

    freedom: Floats
    """By bot: the degrees of freedom of its error."""
    ahead: Floats
    """By bot and bot: how often one finished before the other, if it always did; else 0."""
    always: Floats
    """The same of games of all numbers of players."""
    played: Floats
    """By bot: how much it played, as the geometric mean of the numbers of games and of blocks."""

    def of(self, bots: Sequence[int]) -> Support:
        """Return that of some bots."""
        pairs = np.ix_(bots, bots)
        return Support(self.freedom[bots], self.ahead[pairs], self.always[pairs], self.played[bots])

    def least(self, bot: int, bound: Bound, centre: Sequence[int], strengths: Floats) -> float:
        """Return the least error of the rating of a bot that is known on one side alone.

        Had it been weaker than the known end of its interval, it would have won all its games less often than in 2.5 %,
        as the other bots are now. So a few games do not bound it more than they can, whatever skills are like before
        any game.

        Args:
            bot: Its number.
            bound: The side on which it is known.
            centre: The bots from whose mean ratings are distances.
            strengths: By bot.
        """
        others = [each for each in centre if each != bot]
        meetings = self.always[bot, others] if bound == "at least" else self.always[others, bot]
        games = min(float(self.played[bot]), float(meetings.sum()))
        if games <= 0:
            return 0.0
        ahead = abs(float(strengths[bot] - meetings @ strengths[others] / meetings.sum()))
        share = 1.0 - (bot in centre) / len(centre)
        wins = NormalDist(0, math.sqrt(2) * LUCK).inv_cdf(_SIDE ** (1 / games))  # without ties
        return (ahead - wins) * share / REACH

    def as_normal(self, differences: Floats, covariance: Floats, errors: Floats) -> Floats:
        """Return the differences of ratings that would be as sure if errors were normal and known exactly.

        Args:
            differences: By bot and bot.
            covariance: Of the errors, by bot and bot.
            errors: The standard errors of the differences.
        """
        # Of a pair, the bot of which less is known counts more.
        variances = np.diag(covariance)
        inverse = variances / self.freedom
        freedom = (variances[:, None] + variances[None, :] + _TINY) / (inverse[:, None] + inverse[None, :] + _TINY)
        ratios = np.divide(differences, errors, out=np.zeros_like(differences), where=errors > 0)
        # By Wallace 1959, "Bounds on normal approximations to Student's and the chi-square distributions".
        shrunk = np.sqrt(freedom * np.log1p(ratios**2 / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
        found = np.where(errors > 0, np.sign(ratios) * shrunk * errors, differences)
        shown = np.interp(self.ahead, *_sign_test()) * errors
        return np.asarray(np.where(self.ahead > 0, np.maximum(found, shown), found))


def support_of(evidence: Sequence[Evidence], rest: Floats, ahead: Floats) -> Support:
    """Return what errors rest on.

    Args:
        evidence: By number of players.
        rest: By bot: the variance that comes from how far skills at different numbers of players are apart, which was
            found from all bots; 0 if they are one.
        ahead: By bot and bot: how often one finished before the other in the games of which bands are made.
    """
    bots = len(rest)
    found = [outcomes for each in evidence for outcomes in each.outcomes]
    games, blocks = (sum((count(each, bots) for each in found), np.zeros(bots)) for count in (_games, _blocks))
    return Support(_freedom(evidence, rest), ahead, always_ahead(found, bots), np.sqrt(games * blocks))


def _freedom(evidence: Sequence[Evidence], rest: Floats) -> Floats:
    """Return the degrees of freedom of the error of each bot.

    Those of all sources are put together by how much of the variance comes from each (Satterthwaite 1946, "An
    approximate distribution of estimates of variance components").
    """
    bots = len(rest)
    known, squares = rest, rest**2 / max(1, bots - 1)
    for each in evidence:
        part = np.maximum(each.variances, _TINY)
        games, blocks = (np.sum([count(found, bots) for found in each.outcomes], axis=0) for count in (_games, _blocks))
        known = known + part
        squares = squares + part**2 / np.maximum(np.sqrt(games * blocks) - 1, _LEAST)
    return np.asarray(np.maximum(known**2, _LEAST * _TINY) / np.maximum(squares, _TINY))


def always_ahead(outcomes: Iterable[Outcomes], bots: int) -> Floats:
    """Return by bot and bot how often one finished before the other, if it did whenever they met; else 0.

    As for degrees of freedom, it is the geometric mean of the numbers of games and of blocks.
    """
    before, blocks = np.zeros((bots, bots)), np.zeros((bots, bots))
    for each in outcomes:
        places, ties = each.bots, each.ties
        for one, other in combinations(range(each.players), 2):
            tied = ties[:, one:other].all(axis=1)
            np.add.at(before, (places[:, one], places[:, other]), each.counts)
            np.add.at(before, (places[tied, other], places[tied, one]), each.counts[tied])
        groups = each.groups
        for one, other in combinations(range(each.players), 2):
            np.add.at(blocks, (groups[:, one], groups[:, other]), 1.0)
    return np.asarray(np.where(before.T == 0, np.sqrt(before * (blocks + blocks.T)), 0.0))


def _games(outcomes: Outcomes, bots: int) -> Floats:
    return np.bincount(outcomes.bots.ravel(), np.repeat(outcomes.counts, outcomes.players), bots).astype(np.float64)


def _blocks(outcomes: Outcomes, bots: int) -> Floats:
    return np.bincount(outcomes.groups.ravel(), minlength=bots).astype(np.float64)


@cache
def _sign_test() -> tuple[Floats, Floats]:
    """Return numbers of meetings, and what a normal variable exceeds as seldom as one of two equal bots wins all."""
    meetings = np.linspace(1, _MOST_MEETINGS, 4 * _MOST_MEETINGS)
    return meetings, np.array([-NormalDist().inv_cdf(0.5**each) for each in meetings.tolist()])

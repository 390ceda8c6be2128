"""What is assumed of skills: before any game, given who meets whom, and of how they deviate by number of players.

In TrueSkill every skill is normal around the same mean, independent of all others. If bots meet those of about their
own skill, as in Swiss rounds, far apart ones are compared over many others in between. Games then say little of such a
difference, while the prior calls it unlikely: ratings come out nearer to each other than the bots are, by far more than
their errors. So what is assumed of a bot is assumed of its distance from those that it meets, and what follows for two
that never meet is as vague as there are steps between them (an intrinsic autoregression; Besag and Kooperberg 1995).
Where all meet equally often this is TrueSkill's prior exactly.

How much skills at a number of players deviate from the skills at all is fitted to games, by the spreads of deviations.

Each number of players has a spread of its own, since a game may be quite another with two players, say. A field of
bots tells little of a spread, so all are drawn towards a common one, as far as games leave them open (partial pooling):
before any game their logarithms are normal, with one part in common and one of each number's own.

With few bots the spread that is most likely is mostly too small, and so are the errors that follow from it. So for
ratings and their errors the likelihood is multiplied by the square of each spread, with which intervals hold as often
as they should (Morris and Tang 2011, "Estimating random effects via adjustment for density maximization"). Spreads are
then mostly too great, so that games of other numbers of players count for too little; for forecasts of games, the
likeliest ones are better. Either is found by Newton's method, some steps in each round of the fit.

Errors of skills come from these spreads too, of which the posterior knows nothing. A fit takes deviations of all bots
between numbers of players to have one spread. So a bot that is much better at one number of players than at the others
is drawn towards the others too strongly. What the deviations of a bot show of their own spread widens the errors of all
that is estimated with them, as far as they were drawn.

And the fit takes the spreads as known, although games leave them open. By how much skills would change with a spread,
and how uncertain that is, widens the errors too (Kass and Steffey 1989, "Approximate Bayesian inference in
conditionally independent hierarchical models").
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.joint.approximation import LUCK
from arena.rating.joint.gaussian_tails import Floats

DEVIATION: Final = 25 / 3
"""Of skills before any game, in the unit of `LUCK`."""
_ANYBODY: Final = 1.0
"""Each bot is taken to have played so many games more, against any of the others. That ties groups that never meet."""


def prior_precision(meetings: Floats) -> Floats:
    """Return the precision of skills before any game, by bot and bot.

    Args:
        meetings: By bot and bot: in how many games they met, where a game with several opponents counts as one in all.
            Bots that met nobody are independent of all others.
    """
    found = np.eye(len(meetings))
    games = meetings.sum(axis=1)
    those = np.flatnonzero(games)
    bots = len(those)
    if bots > 1:
        others = (1 - np.eye(bots)) / (bots - 1)
        met = (meetings[np.ix_(those, those)] + _ANYBODY * others) / (games[those] + _ANYBODY)[:, None]
        # The mean of k opponents and the bot itself is that of k + 1 bots, from which it differs by less.
        met /= 1 + np.sum(met**2, axis=1, keepdims=True)
        ties = (met + met.T) / 2
        found[np.ix_(those, those)] = np.diag(ties.sum(axis=1)) - ties + 1 / bots
    return np.asarray(found / DEVIATION**2)


ASSUMED_SPREAD: Final = LUCK / 6
"""Before any game."""
GREATEST_SPREAD: Final = DEVIATION
"""Deviations spread no further than skills do before any game. If one bot wins all games, nothing else bounds them."""
_COMMON: Final = math.log(2)
"""The deviation of the logarithm of the common spread: it is probably within half and twice of the assumed one."""
_OWN: Final = 0.5
"""The deviation of the logarithm of a number's spread from that of the common one."""
_POWER: Final = 2
"""Of each spread, by which the likelihood is multiplied for ratings and their errors."""
_LONGEST_STEP: Final = 0.5
"""The most by which the logarithm of a spread changes at once, at first."""
_FURTHER: Final = 1.5
"""By what factor that grows again with each step in the same direction."""
_FLATTEST: Final = 0.1
"""The least that is believed of the curvature, as a part of what it is if all deviations are known; or less, if what is
known before any game has less."""
_TRUST: Final = 0.25
"""That a bot's deviations spread as those of others weighs as much as this part of one that is known exactly."""


def first_spread(spreads: Sequence[float]) -> float:
    """Return the spread of a number of players without a game. `spreads`: those of the others."""
    share = len(spreads) * _COMMON**2 / (len(spreads) * _COMMON**2 + _OWN**2)
    others = sum(math.log(each / ASSUMED_SPREAD) for each in spreads) / max(1, len(spreads))
    return min(GREATEST_SPREAD, ASSUMED_SPREAD * math.exp(share * others))


class SpreadSearch:
    """Goes step by step to the spreads that fit best."""

    def __init__(self, *, likeliest: bool = False) -> None:
        """Begin. `likeliest`: look for the likeliest spreads, and not for those with which intervals hold."""
        self._power = 0 if likeliest else _POWER
        self._longest: Floats | None = None
        """By number of players: the most by which the logarithm of that spread changes at once."""
        self._last: Floats | None = None
        """The last step."""
        self.covariance: Floats | None = None
        """Of the errors of the logarithms of the spreads, by number and number of players. None before a step."""
        self.wanted = 0.0
        """How far the last step was to go, in the logarithm of a spread, had there been no limit."""

    def step(
        self, spreads: Mapping[int, float], bots: Mapping[int, int], squares: Floats, falls: Floats
    ) -> dict[int, float]:
        """Return spreads that fit better.

        Args:
            spreads: By number of players.
            bots: By number of players: how many bots have deviations of which games say something.
            squares: By number of players: the sum of the squares of the deviations of these bots that is expected now.
            falls: By number and number of players: by how much the sum at the first falls for each unit by which the
                precision of the deviations at the second grows.
        """
        at, known = np.array(list(spreads.values())), np.array([bots[each] for each in spreads], dtype=np.float64)
        prior: Floats = np.linalg.inv(_OWN**2 * np.eye(len(at)) + _COMMON**2).astype(np.float64, copy=False)
        shown = squares / at**2
        slopes = shown - known + self._power - prior @ np.log(at / ASSUMED_SPREAD)
        curvature = 2 * np.diag(shown) - 2 * falls / np.outer(at, at) ** 2 + prior
        self.covariance = _inverse(curvature, known, prior)
        # What is at its bound, and would go beyond, stays; the others go as they do if it stays.
        room = np.maximum(0.0, np.log(GREATEST_SPREAD / at))
        free = (room > 0) | (slopes < 0)
        found, those = np.zeros(len(at)), np.ix_(free, free)
        found[free] = _inverse(curvature[those], known[free], prior[those]) @ slopes[free]
        found = np.minimum(found, room)
        if self._last is None or self._longest is None:
            self._longest = np.full(len(at), _LONGEST_STEP)
        else:
            # A spread that turns back does not go as far again, so it comes to rest; one that goes on goes further.
            further = np.minimum(_LONGEST_STEP, _FURTHER * self._longest)
            self._longest = np.where(found * self._last < 0, self._longest / 2, further)
        self.wanted = float(np.abs(found).max())
        step = self._last = np.clip(found, -self._longest, self._longest)
        return dict(zip(spreads, np.minimum(at * np.exp(step), GREATEST_SPREAD).tolist(), strict=True))


def _inverse(curvature: Floats, known: Floats, prior: Floats) -> Floats:
    """Return the inverse of a curvature, or of a greater one where that leads uphill or further than is believed.

    Args:
        curvature: By number and number of players.
        known: By number of players: how many deviations are known.
        prior: The curvature before any game.
    """
    # A step with the curvature that there is if all deviations are known is about one of the EM algorithm, which never
    # goes too far.
    root = np.linalg.inv(np.linalg.cholesky(2 * np.diag(known) + prior))
    parts, directions = np.linalg.eigh(root @ curvature @ root.T)
    # Where the curvature is that of a valley, the likeliest spreads are elsewhere, and such a step goes uphill.
    alone = np.sum(directions * (root @ prior @ root.T @ directions), axis=0)
    parts = np.where(parts > 0, np.maximum(parts, np.minimum(alone, _FLATTEST)), 1.0)
    return np.asarray(root.T @ (directions / parts) @ directions.T @ root)


class FittedDeviations(NamedTuple):
    """The deviations of skills at one number of players from those at all."""

    mean: Floats
    """By bot."""
    variance: Floats
    """By bot: what is left of the square of the spread, given what the outcomes say."""
    spread: float
    """Of the deviations of all bots."""
    share: Floats
    """By bot and bot: the posterior covariance of what is estimated with the deviations."""


def widened_by_deviations(errors: Floats, parts: Sequence[FittedDeviations], unknown: Floats) -> Floats:
    """Return the covariance of errors as it is if spreads are not known, nor the same for each bot.

    Args:
        errors: The covariance if they have one spread for all, by bot and bot.
        parts: By number of players.
        unknown: The covariance of the errors of the logarithms of the spreads, by number and number of players.
    """
    # A deviation of which the part k is known is fitted as k of itself. So its square is k times that of the spread for
    # all on average, and more by k^2 times what the square of the bot's own spread exceeds that by.
    known = [1 - np.clip(part.variance / part.spread**2, 0.0, 1.0) for part in parts]
    excess = sum(part.mean**2 / part.spread**2 - each for part, each in zip(parts, known, strict=True))
    weight = sum(each**2 for each in known) + _TRUST
    added = np.maximum(0.0, excess / weight)
    for part in parts:
        errors = errors + (part.share * (added / part.spread**2)) @ part.share.T
    # By how much the estimate changes with the logarithm of each spread, while outcomes say what they say.
    slopes = np.stack([2 / part.spread**2 * (part.share @ part.mean) for part in parts], axis=1)
    errors = errors + slopes @ unknown @ slopes.T
    return np.asarray((errors + errors.T) / 2)

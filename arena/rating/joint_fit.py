"""Fit the skills of all bots to all games at once: TrueSkill as one model, by expectation propagation to convergence.

A bot has one skill, and for each number of players a deviation from it: somebody may be better in large games than in
small ones. Skills are normal with the mean and deviation of TrueSkill, deviations normal around 0 with one spread for
all, which is fitted to the games too (empirical Bayes, by the EM algorithm, with a weak prior). So a number of players
with few games borrows from the others, and one with many speaks for itself.

The result does not depend on the order of the games. Versions of a bot are bots of their own: a change may be anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.approximation import LUCK, OutcomeApproximation
from arena.rating.base import RatingInput
from arena.rating.block_errors import FittedPart, widened
from arena.rating.gaussian_tails import Floats
from arena.rating.outcomes import Outcomes

MEAN: Final = 25.0
"""Of skills before any game."""
DEVIATION: Final = 25 / 3
"""Of skills before any game."""
_ASSUMED_SPREAD: Final = LUCK / 6
"""Of deviations, before any game."""
_ASSUMED: Final = 4
"""The assumed spread weighs as much as so many deviations that are known exactly; so it is never fitted to be 0."""
_TOLERANCE: Final = 1e-7
"""The fit has converged when no skill changes by more."""
_SPREAD_TOLERANCE: Final = 1e-6
"""And when the logarithm of the squared spread would change by no more."""
_MOST_ROUNDS: Final = 200
_ROUNDS_WITHOUT_SPREAD: Final = 2
_LONGEST_STEP: Final = 1.0
"""The most by which the logarithm of the squared spread changes at once."""


_SAME: Final = 1e-12
_STEEPEST: Final = -1.0
_FLATTEST: Final = -1e-4
"""Between these is the slope of a step by the logarithm of the squared spread, when it is known well enough."""


class CountFit(NamedTuple):
    """The fit at one number of players."""

    approximation: OutcomeApproximation
    mean: Floats
    """By bot: its skill there, around 0."""
    information: Floats
    """By bot and bot: what the games there say, as precisions."""


class JointFit:
    """The skills of some bots, fitted to all their games."""

    def __init__(self, bots: Sequence[str]) -> None:
        """Begin without a game. `bots`: their names."""
        self.bots = list(bots)
        self._numbers = {bot: number for number, bot in enumerate(self.bots)}
        self.counts: dict[int, CountFit] = {}
        """By number of players, in ascending order."""
        self.spread = _ASSUMED_SPREAD
        """The deviation of a bot's skill at one number of players from its skill at all; 0 with only one number."""
        self.rounds = 0
        """How many rounds the last fit took."""
        self._expected = 0.0
        """The square of the spread that deviations show, given what the outcomes say."""
        self._solve()

    def add(self, games: Iterable[RatingInput]) -> None:
        """Add games, and fit again, starting from the last fit."""
        for game in games:
            players = len(game.bots)
            if players not in self.counts:
                approximation = OutcomeApproximation(Outcomes(players), len(self.bots))
                nothing = np.zeros(len(self.bots))
                self.counts[players] = CountFit(approximation, nothing, np.zeros((len(self.bots), len(self.bots))))
            self.counts[players].approximation.outcomes.add(game, self._numbers)
        self.counts = dict(sorted(self.counts.items()))
        for count in self.counts.values():
            count.approximation.extend()
        self._fit()

    @property
    def mean(self) -> Floats:
        """By bot: its mean skill over the numbers of players, each with the same weight; around 0."""
        if not self.counts:
            return self._skill
        return np.asarray(np.mean([count.mean for count in self.counts.values()], axis=0))

    def overall_errors(self) -> Floats:
        """Return the covariance of the errors of `mean`, by bot and bot."""
        if not self.counts:
            return self._common
        shares = {
            players: np.asarray(np.mean([self.covariance(other, players) for other in self.counts], axis=0))
            for players in self.counts
        }
        return self._errors(np.asarray(np.mean(list(shares.values()), axis=0)), shares)

    def errors(self, players: int) -> Floats:
        """Return the covariance of the errors of the skills at one number of players, by bot and bot."""
        shares = {other: self.covariance(players, other) for other in self.counts}
        return self._errors(shares[players], shares)

    def _errors(self, posterior: Floats, shares: dict[int, Floats]) -> Floats:
        parts = [
            FittedPart(
                count.approximation.block_scores(count.mean),
                count.information,
                self.covariance(players, players),
                shares[players],
            )
            for players, count in self.counts.items()
        ]
        return widened(posterior, parts)

    def covariance(self, one: int, other: int) -> Floats:
        """Return the posterior covariance of skills at one number of players with those at another, by bot and bot."""
        first, second = self._shares[one], self._shares[other]
        shared = first @ self._common @ second.T
        return shared + self._own[one] if one == other else shared

    def _fit(self) -> None:
        self._solve()
        earlier: list[tuple[float, float]] = []
        for self.rounds in range(1, _MOST_ROUNDS + 1):
            before = {players: count.mean for players, count in self.counts.items()}
            for players, count in self.counts.items():
                count.approximation.update(count.mean, self.covariance(players, players))
            if len(self.counts) > 1 and self.rounds > _ROUNDS_WITHOUT_SPREAD:
                self._fit_spread(earlier)
            self._solve()
            has_spread = len(self.counts) < 2 or (len(earlier) > 1 and abs(earlier[-1][1]) < _SPREAD_TOLERANCE)
            if has_spread and all(
                np.abs(count.mean - before[players]).max(initial=0.0) < _TOLERANCE
                for players, count in self.counts.items()
            ):
                return

    def _solve(self) -> None:
        """Compute the joint normal distribution of all skills from what the outcomes say."""
        one = np.eye(len(self.bots))
        precision, shift = one / DEVIATION**2, np.zeros(len(self.bots))
        said = {players: count.approximation.information() for players, count in self.counts.items()}
        self._own: dict[int, Floats] = {}
        """By number of players: the covariance of skills there if the skills at all numbers were known."""
        self._shares: dict[int, Floats] = {}
        """By number of players: by how much skills there follow those at all numbers."""
        if len(said) <= 1:
            self.spread = 0.0
            for players, (matrix, vector) in said.items():
                precision, shift = precision + matrix, shift + vector
                self._own[players], self._shares[players] = np.zeros_like(one), one
        else:
            self.spread = self.spread or _ASSUMED_SPREAD
            tight = 1 / self.spread**2
            for players, (matrix, vector) in said.items():
                own: Floats = np.linalg.inv(matrix + tight * one).astype(np.float64)
                precision = precision + tight * one - tight**2 * own
                shift = shift + tight * (own @ vector)
                self._own[players], self._shares[players] = own, tight * own
        self._common: Floats = np.linalg.inv(precision).astype(np.float64)
        """The covariance of the skills at all numbers of players."""
        self._skill = self._common @ shift
        squares = 0.0
        for players, (matrix, vector) in said.items():
            own, share = self._own[players], self._shares[players]
            mean = share @ self._skill + own @ vector
            self.counts[players] = CountFit(self.counts[players].approximation, mean, matrix)
            apart = share - one
            squares += float(np.sum((mean - self._skill) ** 2))
            squares += float(np.trace(own) + np.sum((apart @ self._common) * apart))
        known = len(self.bots) * len(said)
        self._expected = (squares + _ASSUMED * _ASSUMED_SPREAD**2) / (known + _ASSUMED)

    def _fit_spread(self, earlier: list[tuple[float, float]]) -> None:
        """Take the spread that the deviations show now; from two such steps, guess where they lead (secant method)."""
        at = 2 * math.log(self.spread)
        shown = math.log(self._expected) - at
        step = shown
        if earlier:
            last_at, last_shown = earlier[-1]
            slope = (shown - last_shown) / (at - last_at) if abs(at - last_at) > _SAME else 0.0
            if _STEEPEST < slope < _FLATTEST:  # else the skills have not settled yet
                step = max(-_LONGEST_STEP, min(_LONGEST_STEP, -shown / slope))
        earlier.append((at, shown))
        self.spread = math.exp((at + step) / 2)

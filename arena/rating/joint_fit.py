"""Fit the skills of all bots to all games at once: TrueSkill as one model, by expectation propagation to convergence.

A bot has one skill, and for each number of players a deviation from it: somebody may be better in large games than in
small ones. Skills are normal with the mean and deviation of TrueSkill, deviations normal around 0 with one spread for
all, twice as large with two players, which is fitted to the games too (empirical Bayes, by the EM algorithm, with a
weak prior). So a number of players with few games borrows from the others, and one with many speaks for itself.

The result does not depend on the order of the games. Versions of a bot are bots of their own: a change may be anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.approximation import LUCK, OutcomeApproximation
from arena.rating.base import RatingInput
from arena.rating.block_errors import FittedPart, scatter, widened
from arena.rating.deviation_errors import FittedDeviations, widened_by_deviations
from arena.rating.gaussian_tails import Floats
from arena.rating.outcomes import Outcomes

MEAN: Final = 25.0
"""Of skills before any game."""
DEVIATION: Final = 25 / 3
"""Of skills before any game."""
_ASSUMED_SPREAD: Final = LUCK / 6
"""Of deviations, before any game."""
_SPREAD_OF_TWO: Final = 2.0
"""With two players the spread is so many times as large, since games without a third differ most from all others."""
_ASSUMED: Final = 4
"""The assumed spread weighs as much as so many deviations that are known exactly; so it is never fitted to be 0."""
_TOLERANCE: Final = 1e-5
"""The fit has converged when a round changes no skill by more: the next one changes them by a hundredth of that."""
_SPREAD_TOLERANCE: Final = 1e-4
"""And when the logarithm of the squared spread had to change by no more: what is left then is a hundredth, too."""
_FEW: Final = 20_000
_CLOSER: Final = 1e-3
"""With no more different outcomes, for which a round takes no time, both tolerances are so many times as small."""
_ROUGHER: Final = 100.0
_NEAR: Final = 0.1
"""When a round changes no skill by more, one sweep over the factors of a game is enough."""
_MOST_ROUNDS_OF_NEW: Final = 10
_MOST_ROUNDS: Final = 200
_ROUNDS_WITHOUT_SPREAD: Final = 2
_LONGEST_STEP: Final = 1.0
"""The most by which the logarithm of the squared spread changes at once."""


_APART: Final = 1e-3
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

    def __init__(
        self, bots: Sequence[str], known: Mapping[int, tuple[Floats, Floats]] | None = None, spread: float = 0.0
    ) -> None:
        """Begin without a game.

        Args:
            bots: Their names.
            known: What is known of their skills from other games, as `said` returns it, by number of players.
            spread: From which to begin; 0: nothing is known of it.
        """
        self.bots = list(bots)
        self._numbers = {bot: number for number, bot in enumerate(self.bots)}
        self.counts: dict[int, CountFit] = {}
        """By number of players, in ascending order."""
        self._known = dict(known or {})
        for players in self._known:
            self._begin(players)
        self.spread = spread or _ASSUMED_SPREAD
        """The spread of deviations at all numbers of players but two; 0 with only one number."""
        self.rounds = 0
        """How many rounds the last fit took."""
        self._spreads: list[tuple[float, float]] = []
        """By step: the logarithm of the squared spread, and by how much the deviations show another one."""
        self._closer = 1.0
        """What the tolerances are multiplied by."""
        self._slope = 0.0
        """By how much the latter changes with the former; 0: not known yet."""
        self._expected = 0.0
        """The square of the spread that deviations show, given what the outcomes say."""
        self._solve(self._said())

    def _begin(self, players: int) -> None:
        bots = len(self.bots)
        approximation = OutcomeApproximation(Outcomes(players), bots)
        self.counts[players] = CountFit(approximation, np.zeros(bots), np.zeros((bots, bots)))

    def add(self, games: Iterable[RatingInput], *, roughly: bool = False) -> None:
        """Add games, and fit again, starting from the last fit.

        Args:
            games: They may be any.
            roughly: Stop when a round changes no skill by more than a thousandth, if there are many games.
        """
        known = any(len(count.approximation.places) for count in self.counts.values())
        for game in games:
            players = len(game.bots)
            if players not in self.counts:
                self._begin(players)
            self.counts[players].approximation.outcomes.add(game, self._numbers)
        self.counts = dict(sorted(self.counts.items()))
        first = {players: count.approximation.extend() for players, count in self.counts.items()}
        if known and any(first.values()):
            if self._shares.keys() != self.counts.keys():
                self._step(self._said())  # how skills with so many players go with the others, before a game is known
            self._fit_new(first)
        self._fit(roughly=roughly)

    @property
    def mean(self) -> Floats:
        """By bot: its mean skill over the numbers of players, each with the same weight; around 0."""
        if not self.counts:
            return self._skill
        return np.asarray(np.mean([count.mean for count in self.counts.values()], axis=0))

    def overall_covariance(self) -> Floats:
        """Return the posterior covariance of `mean`, by bot and bot."""
        return np.asarray(np.mean(list(self._overall_shares().values()), axis=0)) if self.counts else self._common

    def overall_errors(self) -> Floats:
        """Return the covariance of the errors of `mean`, by bot and bot."""
        common = (
            np.asarray(np.mean(list(self._shares.values()), axis=0)) @ self._common if self.counts else self._common
        )
        return self._errors(self.overall_covariance(), self._overall_shares(), common)

    def _overall_shares(self) -> dict[int, Floats]:
        """Return the posterior covariance of `mean` with the skills at each number of players."""
        return {
            players: np.asarray(np.mean([self.covariance(other, players) for other in self.counts], axis=0))
            for players in self.counts
        }

    def errors(self, players: int) -> Floats:
        """Return the covariance of the errors of the skills at one number of players, by bot and bot."""
        shares = {other: self.covariance(players, other) for other in self.counts}
        return self._errors(shares[players], shares, self._shares[players] @ self._common)

    def _errors(self, posterior: Floats, shares: dict[int, Floats], common: Floats) -> Floats:
        """Return the covariance of the errors of what is estimated, by bot and bot.

        Args:
            posterior: Its posterior covariance.
            shares: By number of players: its posterior covariance with the skills there.
            common: Its posterior covariance with the skills at all numbers of players.
        """
        parts = [
            FittedPart(
                count.approximation.block_scores(count.mean),
                count.information,
                self.covariance(players, players),
                shares[players],
            )
            for players, count in self.counts.items()
        ]
        errors = widened(posterior, parts)
        return widened_by_deviations(errors, self._deviations(shares, common)) if self.spread else errors

    def _deviations(self, shares: dict[int, Floats], common: Floats) -> list[FittedDeviations]:
        found = []
        for players, count in self.counts.items():
            apart = self._shares[players] - np.eye(len(self.bots))
            variance = np.diag(self._own[players]) + np.sum((apart @ self._common) * apart, axis=1)
            spread = self._spread_at(players)
            found.append(FittedDeviations(count.mean - self._skill, variance, spread, shares[players] - common))
        return found

    def _spread_at(self, players: int) -> float:
        """Return the deviation of bots' skills at one number of players from those at all."""
        return self.spread * (_SPREAD_OF_TWO if players == 2 else 1.0)

    def covariance(self, one: int, other: int) -> Floats:
        """Return the posterior covariance of skills at one number of players with those at another, by bot and bot."""
        first, second = self._shares[one], self._shares[other]
        shared = first @ self._common @ second.T
        return shared + self._own[one] if one == other else shared

    def _fit_new(self, first: Mapping[int, int]) -> None:
        """Let new outcomes move the skills, while what the others say stays as it is; that takes no time.

        Args:
            first: By number of players: the first new outcome.
        """
        old = {players: self.said(players, first[players]) for players in self.counts}
        self._spreads = []
        for _ in range(_MOST_ROUNDS_OF_NEW):
            said = {}
            for players, count in self.counts.items():
                found = count.approximation
                if first[players] < len(found.places):
                    found.update(count.mean, self.covariance(players, players), first[players])
                matrix, vector = found.information(first[players])
                said[players] = old[players][0] + matrix, old[players][1] + vector
            if self._step(said) < _TOLERANCE and self._has_spread:
                return
            self._fit_spread()

    def _fit(self, *, roughly: bool) -> None:
        self._spreads = []
        outcomes = sum(len(count.approximation.places) for count in self.counts.values())
        self._closer = _CLOSER if outcomes <= _FEW else _ROUGHER if roughly else 1.0
        change = self._step(self._said())
        for self.rounds in range(1, _MOST_ROUNDS + 1):
            sweeps = 1 if change < _NEAR else 2
            for players, count in self.counts.items():
                count.approximation.update(count.mean, self.covariance(players, players), sweeps=sweeps)
            if self._slope or self.rounds > _ROUNDS_WITHOUT_SPREAD:
                self._fit_spread()
            change = self._step(self._said())
            if self._has_spread and change < self._closer * _TOLERANCE:
                return

    @property
    def _has_spread(self) -> bool:
        """Whether the last step changed the spread by next to nothing."""
        if len(self.counts) < 2:
            return True
        return bool(self._slope and self._spreads) and abs(self._spreads[-1][1]) < self._closer * _SPREAD_TOLERANCE

    def _said(self) -> dict[int, tuple[Floats, Floats]]:
        return {players: self.said(players) for players in self.counts}

    def said(self, players: int, end: int | None = None) -> tuple[Floats, Floats]:
        """Return what games of so many players say of the skills there: precisions, and precisions times means.

        Args:
            players: The number of players.
            end: The first outcome that is left out; None: none is.
        """
        matrix, vector = self.counts[players].approximation.information(0, end)
        if players in self._known:
            matrix, vector = matrix + self._known[players][0], vector + self._known[players][1]
        return matrix, vector

    def scatter(self) -> tuple[float, float]:
        """Return how much the blocks of the games differ, and how much they should by the model."""
        parts = [
            scatter(count.approximation.block_scores(count.mean), self.covariance(players, players))
            for players, count in self.counts.items()
            if len(count.approximation.places)
        ]
        return sum(shown for shown, _ in parts), sum(expected for _, expected in parts)

    def _step(self, said: Mapping[int, tuple[Floats, Floats]]) -> float:
        """Compute the skills, and return by how much one changed at most."""
        before = {players: count.mean for players, count in self.counts.items()}
        self._solve(said)
        changes = (np.abs(self.counts[players].mean - mean).max(initial=0.0) for players, mean in before.items())
        return float(max(changes, default=0.0))

    def _solve(self, said: Mapping[int, tuple[Floats, Floats]]) -> None:
        """Compute the joint normal distribution of all skills from what outcomes say, by number of players."""
        one = np.eye(len(self.bots))
        precision, shift = one / DEVIATION**2, np.zeros(len(self.bots))
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
            for players, (matrix, vector) in said.items():
                tight = 1 / self._spread_at(players) ** 2
                own: Floats = np.linalg.inv(matrix + tight * one).astype(np.float64)
                precision = precision + tight * one - tight**2 * own
                shift = shift + tight * (own @ vector)
                self._own[players], self._shares[players] = own, tight * own
        self._common: Floats = np.linalg.inv(precision).astype(np.float64)
        """The covariance of the skills at all numbers of players."""
        self._skill = self._common @ shift
        squares, known = 0.0, 0
        for players, (matrix, vector) in said.items():
            own, share = self._own[players], self._shares[players]
            mean = share @ self._skill + own @ vector
            self.counts[players] = CountFit(self.counts[players].approximation, mean, matrix)
            apart = share - one
            found = (mean - self._skill) ** 2 + np.diag(own) + np.sum((apart @ self._common) * apart, axis=1)
            # A bot without a game there shows the present spread, whatever that is: many would keep it from changing.
            shown = np.diag(matrix) > 0
            known += int(np.count_nonzero(shown))
            squares += float(np.sum(found[shown])) * (
                (self.spread / self._spread_at(players)) ** 2 if self.spread else 1
            )
        self._expected = (squares + _ASSUMED * _ASSUMED_SPREAD**2) / (known + _ASSUMED)

    def _fit_spread(self) -> None:
        """Take the spread that the deviations show now; from two such steps, guess where they lead (secant method)."""
        if len(self.counts) < 2:
            return
        at = 2 * math.log(self.spread)
        shown = math.log(self._expected) - at
        if self._spreads:
            last_at, last_shown = self._spreads[-1]
            slope = (shown - last_shown) / (at - last_at) if abs(at - last_at) > _APART else self._slope
            # Otherwise the skills have not settled yet.
            self._slope = slope if _STEEPEST < slope < _FLATTEST else self._slope
        step = max(-_LONGEST_STEP, min(_LONGEST_STEP, -shown / self._slope)) if self._slope else shown
        self._spreads.append((at, shown))
        self.spread = math.exp((at + step) / 2)

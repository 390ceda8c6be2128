"""Fit the skills of all bots to all games at once: TrueSkill as one model, by expectation propagation to convergence.

A bot has one skill, and for each number of players a deviation from it: somebody may be better in large games than in
small ones. Skills are normal with the mean and deviation of TrueSkill, deviations normal around 0 with a spread for
each number of players, which is fitted to the games too (`arena.rating.deviation_spreads`). So a number of players with
few games borrows from the others, and one with many speaks for itself.

The result does not depend on the order of the games. Versions of a bot are bots of their own: a change may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.approximation import OutcomeApproximation
from arena.rating.base import RatingInput
from arena.rating.block_errors import FittedPart, scatter, widened
from arena.rating.deviation_errors import FittedDeviations, widened_by_deviations
from arena.rating.deviation_spreads import SpreadSearch, first_spread
from arena.rating.gaussian_tails import Floats
from arena.rating.outcomes import Outcomes

MEAN: Final = 25.0
"""Of skills before any game."""
DEVIATION: Final = 25 / 3
"""Of skills before any game."""
_TOLERANCE: Final = 2e-6
"""The fit has converged when the next round is expected to change no skill by more.

A round is expected to change skills by a smaller part than the last one did, as the last one did by the one before it.
"""
_FASTEST: Final = 0.05
"""The smallest such part that is believed."""
_SPREAD_TOLERANCE: Final = 1e-4
"""The fit has converged when, besides, the next round is expected to change no spread by a greater part."""
_FEW: Final = 20_000
_CLOSER: Final = 1e-3
"""With no more different outcomes, for which a round takes no time, both tolerances are so many times as small."""
_ROUGHER: Final = 100.0
_NEAR: Final = 0.1
"""When a round changes no skill by more, one sweep over the factors of a game is enough."""
_MOST_ROUNDS_OF_NEW: Final = 10
_MOST_ROUNDS: Final = 200
_MOST_STEPS: Final = 8
"""Towards the likeliest spreads, in one round."""
_SETTLED: Final = 1.0
"""Once a round has changed no skill by more, spreads are fitted too."""


class CountFit(NamedTuple):
    """The fit at one number of players."""

    approximation: OutcomeApproximation
    mean: Floats
    """By bot: its skill there, around 0."""
    information: Floats
    """By bot and bot: what the games there say of skills, as precisions."""
    said: Floats
    """By bot: the same, as precisions times means."""


class JointFit:
    """The skills of some bots, fitted to all their games."""

    def __init__(self, bots: Sequence[str], known: Mapping[int, tuple[Floats, Floats]] | None = None) -> None:
        """Begin without a game.

        Args:
            bots: Their names.
            known: What is known of their skills from other games, as `said` returns it, by number of players.
        """
        self.bots = list(bots)
        self._numbers = {bot: number for number, bot in enumerate(self.bots)}
        self.counts: dict[int, CountFit] = {}
        """By number of players, in ascending order."""
        self._known = dict(known or {})
        self.spreads: dict[int, float] = {}
        """By number of players: the deviation of bots' skills there from those at all."""
        for players in self._known:
            self._begin(players)
        self.rounds = 0
        """How many rounds the last fit took."""
        self._closer = 1.0
        """What the tolerances are multiplied by."""
        self._solve(self._said())

    def _begin(self, players: int) -> None:
        bots = len(self.bots)
        self.spreads[players] = first_spread(list(self.spreads.values()))
        approximation = OutcomeApproximation(Outcomes(players), bots)
        self.counts[players] = CountFit(approximation, np.zeros(bots), np.zeros((bots, bots)), np.zeros(bots))

    def add(self, games: Iterable[RatingInput], *, roughly: bool = False) -> None:
        """Add games, and fit again, starting from the last fit.

        Args:
            games: They may be any.
            roughly: Stop when a round changes no skill by more than a thousandth, if there are many games.
        """
        known = any(len(count.approximation) for count in self.counts.values())
        for game in games:
            players = len(game.bots)
            if players not in self.counts:
                self._begin(players)
            self.counts[players].approximation.outcomes.add(game, self._numbers)
        self.counts = dict(sorted(self.counts.items()))
        self.spreads = {players: self.spreads[players] for players in self.counts}
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
        return widened_by_deviations(errors, self._deviations(shares, common)) if len(self.counts) > 1 else errors

    def _deviations(self, shares: dict[int, Floats], common: Floats) -> list[FittedDeviations]:
        found = []
        for players, count in self.counts.items():
            apart = self._shares[players] - np.eye(len(self.bots))
            variance = np.diag(self._own[players]) + np.sum((apart @ self._common) * apart, axis=1)
            found.append(
                FittedDeviations(count.mean - self._skill, variance, self.spreads[players], shares[players] - common)
            )
        return found

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
        self._search = SpreadSearch(len(self.counts))
        for _ in range(_MOST_ROUNDS_OF_NEW):
            said = {}
            for players, count in self.counts.items():
                found = count.approximation
                if first[players] < len(found):
                    found.update(count.mean, self.covariance(players, players), first[players])
                matrix, vector = found.information(first[players])
                said[players] = old[players][0] + matrix, old[players][1] + vector
            change = self._step(said)
            if self._fit_spreads() < _SPREAD_TOLERANCE and change < _TOLERANCE:
                return

    def _fit(self, *, roughly: bool) -> None:
        self._search = SpreadSearch(len(self.counts))
        outcomes = sum(len(count.approximation) for count in self.counts.values())
        self._closer = _CLOSER if outcomes <= _FEW else _ROUGHER if roughly else 1.0
        change, spread, settled = self._step(self._said()), 1.0, False
        for self.rounds in range(1, _MOST_ROUNDS + 1):
            sweeps = 1 if change < _NEAR else 2
            for players, count in self.counts.items():
                count.approximation.update(count.mean, self.covariance(players, players), sweeps=sweeps)
            settled = settled or change < _SETTLED
            before, change = change, self._step(self._said())
            if settled:
                spread = self._fit_spreads()
            left = change * max(_FASTEST, min(1.0, change / before)) if before else change
            if left < self._closer * _TOLERANCE and spread < self._closer * _SPREAD_TOLERANCE:
                return

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
            if len(count.approximation)
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
            for players, (matrix, vector) in said.items():
                precision, shift = precision + matrix, shift + vector
                self._own[players], self._shares[players] = np.zeros_like(one), one
        else:
            for players, (matrix, vector) in said.items():
                tight = 1 / self.spreads[players] ** 2
                own: Floats = np.linalg.inv(matrix + tight * one).astype(np.float64)
                precision = precision + tight * one - tight**2 * own
                shift = shift + tight * (own @ vector)
                self._own[players], self._shares[players] = own, tight * own
        self._common: Floats = np.linalg.inv(precision).astype(np.float64)
        """The covariance of the skills at all numbers of players."""
        self._skill = self._common @ shift
        for players, (matrix, vector) in said.items():
            mean = self._shares[players] @ self._skill + self._own[players] @ vector
            self.counts[players] = CountFit(self.counts[players].approximation, mean, matrix, vector)

    def _fit_spreads(self) -> float:
        """Find likelier spreads while outcomes say what they say; return the part by which one changed at first."""
        first = 0.0
        for _ in range(_MOST_STEPS if len(self.counts) > 1 else 0):
            squares, bots = {}, {}
            for players, count in self.counts.items():
                apart = self._shares[players] - np.eye(len(self.bots))
                variances = np.diag(self._own[players]) + np.sum((apart @ self._common) * apart, axis=1)
                # A bot without a game there shows the present spread, whatever that is.
                has_played = np.diag(count.information) > 0
                squares[players] = float(np.sum(((count.mean - self._skill) ** 2 + variances)[has_played]))
                bots[players] = int(np.count_nonzero(has_played))
            before, self.spreads = self.spreads, self._search.step(self.spreads, squares, bots)
            self._solve({players: (count.information, count.said) for players, count in self.counts.items()})
            changed = max(abs(self.spreads[players] / spread - 1) for players, spread in before.items())
            first = first or changed
            if changed < self._closer * _SPREAD_TOLERANCE:
                break
        return first

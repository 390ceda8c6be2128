"""Fit the skills of all bots to all games at once: TrueSkill as one model, by expectation propagation to convergence.

A bot has one skill, and for each number of players a deviation from it: somebody may be better in large games than in
small ones. Skills are normal with the mean and deviation of TrueSkill, and near those of the bots that they meet
(`arena.rating.joint.deviations`), deviations normal around 0 with a spread for
each number of players, which is fitted to the games too (`arena.rating.joint.deviations`). So a number of players with
few games borrows from the others, and one with many speaks for itself.

The result does not depend on the order of the games. Versions of a bot are bots of their own: a change may be anything.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.base import RatingInput
from arena.rating.joint.approximation import OutcomeApproximation
from arena.rating.joint.block_errors import FittedPart, widened
from arena.rating.joint.deviations import (
    FittedDeviations,
    SpreadSearch,
    first_spread,
    prior_precision,
    widened_by_deviations,
)
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.normal import JointNormal
from arena.rating.joint.outcomes import Outcomes
from arena.rating.joint.partners import PartnersApproximation
from arena.rating.joint.separation import Reach, components, reach
from arena.rating.joint.support import Evidence, Support, always_ahead, support_of

_log = logging.getLogger(__name__)
_TOLERANCE: Final = 2e-6
"""The fit has converged when the next round is expected to change no skill by more.

A round is expected to change skills by a smaller part than the last one did, as the last one did by the one before it.
"""
_FASTEST: Final = 0.05
"""The smallest such part that is believed."""
_SPREAD_TOLERANCE: Final = 1e-5
"""The fit has converged when, besides, the next round is expected to change no spread by a greater part."""
_FEW: Final = 20_000
_FEW_BOTS: Final = 200
_CLOSER: Final = 1e-3
"""With no more different outcomes and bots, for which a round takes no time, both tolerances are so many times as
small."""
_ROUGHER: Final = 100.0
"""In a fit that may be rough, they are so many times as great."""
_NEAR: Final = 0.1
"""When a round changes no skill by more, one sweep over the factors of a game is enough."""
_SWING: Final = 0.2
"""A round that takes back such a part of the last one, swings."""
_CREEP: Final = 0.5
"""A round that goes on by such a part of the last one, creeps."""
_FASTER: Final = 1.3
_CAUTION: Final = 0.9
"""A share by which skills swing is not taken again soon, nor one that is almost as great."""
_BOLDER: Final = 1.02
"""By so many times as much a share may grow again with each round that creeps."""
_MOST_ROUGH_ROUNDS: Final = 10
_MOST_ROUNDS_OF_NEW: Final = 10
_MOST_ROUNDS: Final = 200
_THREE: Final = 3
"""Sure games of so many players are taken together."""


class CountFit(NamedTuple):
    """The fit at one number of players."""

    approximation: OutcomeApproximation | PartnersApproximation
    mean: Floats
    """By bot: its skill there, around 0."""
    information: Floats
    """By bot and bot: what the games there say of skills, as precisions."""
    said: Floats
    """By bot: the same, as precisions times means."""


class _Damping:
    """Which part of the way factors go to where they fit, so that skills come to rest.

    All factors go at once. If many of them say the same, together they go too far: by a little, and skills swing to
    where they belong; by more, and they swing for ever, as where one bot wins all games.
    """

    def __init__(self) -> None:
        """Begin with the whole way."""
        self.share = 1.0
        self._most = 1.0
        self._last: Floats | None = None
        self._swung = False

    def follow(self, step: Floats) -> None:
        """Look at what a round changed. `step`: by how much it changed each skill."""
        last, self._last = self._last, step
        square = 0.0 if last is None else float(np.vdot(last, last))
        if last is None or not square:
            return
        along = float(np.vdot(step, last)) / square
        swung, self._swung = self._swung, along < -_SWING
        if swung and self._swung:
            # Along this direction the whole way is so much too far.
            self._most = _CAUTION * self.share
            self.share = min(self._most, self.share / (1 - along))
            self._swung = False
        elif along > _CREEP:
            self._most = min(1.0, _BOLDER * self._most)
            self.share = min(self._most, _FASTER * self.share)


class JointFit:
    """The skills of some bots, fitted to all their games."""

    def __init__(self, bots: Sequence[str], *, likeliest: bool = False) -> None:
        """Begin without a game.

        Args:
            bots: Their names.
            likeliest: Take the likeliest spreads of deviations, with which games are foreseen best, and not somewhat
                greater ones, with which errors hold.
        """
        self.bots = list(bots)
        self._numbers = {bot: number for number, bot in enumerate(self.bots)}
        self.counts: dict[int, CountFit] = {}
        """By number of players, in ascending order."""
        self.spreads: dict[int, float] = {}
        """By number of players: the deviation of bots' skills there from those at all."""
        self.rounds = 0
        """How many rounds the last fit took."""
        self._prior = prior_precision(self._meetings())
        self._likeliest = likeliest
        self._begin_search()
        self._closer = 1.0
        """What the tolerances are multiplied by."""
        self._solve(self._said())

    def _begin(self, players: int, teams: int) -> None:
        bots = len(self.bots)
        self.spreads[players] = first_spread(list(self.spreads.values()))
        plain, partners = OutcomeApproximation, PartnersApproximation
        approximation = partners(players, teams, bots) if teams else plain(Outcomes(players), bots)
        self.counts[players] = CountFit(approximation, np.zeros(bots), np.zeros((bots, bots)), np.zeros(bots))

    def add(self, games: Iterable[RatingInput], *, roughly: bool = False) -> None:
        """Add games, and fit again, starting from the last fit.

        Args:
            games: They may be any.
            roughly: Stop when the next round is expected to change no skill by more than some ten thousandths.
        """
        known = any(len(count.approximation) for count in self.counts.values())
        for game in games:
            players = len(game.bots)
            if players not in self.counts:
                self._begin(players, len(game.teams))
            self.counts[players].approximation.add(game, self._numbers)
        self.counts = dict(sorted(self.counts.items()))
        self.spreads = {players: self.spreads[players] for players in self.counts}
        first = {players: count.approximation.extend() for players, count in self.counts.items()}
        self._prior = prior_precision(self._meetings())
        if not known and self.counts:
            self._come_near()
        elif any(first.values()):
            if self._normal.said.keys() != self.counts.keys():
                self._step(self._said())  # how skills with so many players go with the others, before a game is known
            self._fit_new(first)
        self._fit(roughly=roughly)

    @property
    def mean(self) -> Floats:
        """By bot: its mean skill over the numbers of players, each with the same weight; around 0."""
        if not self.counts:
            return self._normal.skill
        return np.asarray(np.mean([count.mean for count in self.counts.values()], axis=0))

    def overall_covariance(self) -> Floats:
        """Return the posterior covariance of `mean`, by bot and bot."""
        if not self.counts:
            return self._normal.common
        return np.asarray(np.mean(list(self._normal.overall_covariances.values()), axis=0))

    def overall_errors(self) -> Floats:
        """Return the covariance of the errors of `mean`, by bot and bot."""
        if not self.counts:
            return self._normal.common
        shares = self._normal.overall_covariances
        return self._errors(self.overall_covariance(), shares, self._normal.overall_with_common)

    def errors(self, players: int) -> Floats:
        """Return the covariance of the errors of the skills at one number of players, by bot and bot."""
        shares = self._normal.covariances(players)
        return self._errors(shares[players], shares, self._normal.with_common(players))

    def reached(self) -> Reach:
        """Return which bots finished before which, also over others in between, by bot and bot."""
        return reach([count.approximation.outcomes for count in self.counts.values()], len(self.bots))

    def support(self, players: int | None = None) -> Support:
        """Return what the errors at one number of players rest on; None: those of `mean`."""
        bots, normal = len(self.bots), self._normal
        if not self.counts:
            return Support(np.ones(bots), np.zeros((bots, bots)), np.zeros((bots, bots)), np.zeros(bots))
        if players is None:
            shares, common, posterior = (
                normal.overall_covariances,
                normal.overall_with_common,
                self.overall_covariance(),
            )
        else:
            shares, common, posterior = (
                normal.covariances(players),
                normal.with_common(players),
                normal.covariance(players),
            )
        found = {number: count.approximation.outcomes for number, count in self.counts.items()}
        evidence = [
            Evidence([found[number]], count.information, _centred(shares[number]))
            for number, count in self.counts.items()
        ]
        # What is neither said by games nor assumed of skills comes from how far apart they are by number of players.
        rest = np.diag(_centred(_centred(posterior).T)) - sum(each.variances for each in evidence)
        rest = rest - np.sum((_centred(common) @ self._prior) * _centred(common), axis=1)
        # Who is ahead at each number of players is so overall.
        ahead = [always_ahead([found[number]], bots) for number in found if players in (None, number)]
        return support_of(evidence, np.maximum(rest, 0.0), np.min(ahead, axis=0))

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
                self.covariance(players),
                shares[players],
                components(reach([count.approximation.outcomes], len(self.bots))),
            )
            for players, count in self.counts.items()
        ]
        errors = widened(posterior, parts)
        if len(self.counts) < 2 or self._search.covariance is None:
            return errors
        return widened_by_deviations(errors, self._deviations(shares, common), self._search.covariance)

    def _deviations(self, shares: dict[int, Floats], common: Floats) -> list[FittedDeviations]:
        return [
            FittedDeviations(
                count.mean - self._normal.skill,
                self._normal.deviation_variances(players),
                self.spreads[players],
                shares[players] - common,
            )
            for players, count in self.counts.items()
        ]

    def covariance(self, players: int) -> Floats:
        """Return the posterior covariance of the skills at a number of players, by bot and bot."""
        return self._normal.covariance(players)

    def _begin_search(self) -> None:
        self._search = SpreadSearch(likeliest=self._likeliest)

    def _fit_new(self, first: Mapping[int, int]) -> None:
        """Let new outcomes move the skills, while what the others say stays as it is; that takes no time.

        Args:
            first: By number of players: the first new outcome.
        """
        old = {players: self._said_at(players, first[players]) for players in self.counts}
        self._begin_search()
        for _ in range(_MOST_ROUNDS_OF_NEW):
            said = {}
            for players, count in self.counts.items():
                found = count.approximation
                if first[players] < len(found):
                    found.update(count.mean, self.covariance(players), first[players])
                matrix, vector = found.information(first[players])
                said[players] = old[players][0] + matrix, old[players][1] + vector
            change = self._step(said)
            if self._fit_spreads() < _SPREAD_TOLERANCE and change < _TOLERANCE:
                return

    def _come_near(self) -> None:
        """Come near the fit, as if no bot deviated: no large matrix need be inverted for that."""
        precision, mean = self._prior, np.zeros(len(self.bots))
        for _ in range(_MOST_ROUGH_ROUNDS):
            for count in self.counts.values():
                count.approximation.update_roughly(mean, precision)
            said = self._said().values()
            precision, shift = self._prior + sum(each[0] for each in said), np.sum([each[1] for each in said], axis=0)
            last, mean = mean, np.asarray(np.linalg.solve(precision, shift), dtype=np.float64)
            if np.abs(mean - last).max(initial=0.0) < _NEAR:
                return

    def _fit(self, *, roughly: bool) -> None:
        self._begin_search()
        outcomes = sum(len(count.approximation) for count in self.counts.values())
        few = outcomes <= _FEW and len(self.bots) <= _FEW_BOTS
        self._closer = _ROUGHER if roughly else _CLOSER if few else 1.0
        damping, reached, near = _Damping(), self.reached(), False
        change, spread = self._step(self._said()), math.inf
        for self.rounds in range(1, _MOST_ROUNDS + 1):
            sweeps, before = 1 if change < _NEAR else 2, self._means()
            near = near or sweeps == 1
            for players, count in self.counts.items():
                found, covariance = count.approximation, self.covariance(players)
                if near and players == _THREE and isinstance(found, OutcomeApproximation):
                    found.update_sure(count.mean, covariance, reached, sweeps, damping.share)
                else:
                    found.update(count.mean, covariance, sweeps=sweeps, share=damping.share)
            last, change = change, self._step(self._said()) / damping.share
            damping.follow(self._means() - before)
            last_spread, spread = spread, self._fit_spreads()
            if (
                _next(change, last) < self._closer * _TOLERANCE
                and _next(spread, last_spread) < self._closer * _SPREAD_TOLERANCE
            ):
                return
        _log.warning("ratings of %d bots still changed by %.1g after %d rounds", len(self.bots), change, _MOST_ROUNDS)

    def _means(self) -> Floats:
        """Return the skills by number of players and bot."""
        return np.array([count.mean for count in self.counts.values()])

    def _said(self) -> dict[int, tuple[Floats, Floats]]:
        return {players: self._said_at(players) for players in self.counts}

    def _said_at(self, players: int, end: int | None = None) -> tuple[Floats, Floats]:
        """Return what games of so many players say of the skills there: precisions, and precisions times means.

        Args:
            players: The number of players.
            end: The first outcome that is left out; None: none is.
        """
        return self.counts[players].approximation.information(0, end)

    def _meetings(self) -> Floats:
        """Return by bot and bot in how many games they met, where one with several opponents counts as one in all."""
        met = np.zeros((len(self.bots), len(self.bots)))
        return np.asarray(sum((count.approximation.meetings() for count in self.counts.values()), met))

    def _step(self, said: Mapping[int, tuple[Floats, Floats]]) -> float:
        """Compute the skills, and return by how much one changed at most, or its deviation if that changed more."""
        before = dict(self.counts)
        self._solve(said)
        changes = [0.0]
        for players, count in before.items():
            now = self.counts[players]
            # Where all tie, deviations change and skills do not. Those that skills had if others were known are enough.
            known = [np.diag(self._prior) + np.diag(each.information) for each in (count, now)]
            deviations = np.abs(known[1] ** -0.5 - known[0] ** -0.5)
            changes += [float(np.abs(each).max(initial=0.0)) for each in (now.mean - count.mean, deviations)]
        return max(changes)

    def _solve(self, said: Mapping[int, tuple[Floats, Floats]]) -> None:
        """Compute the joint normal distribution of all skills from what outcomes say, by number of players."""
        self._normal = JointNormal(self._prior, said, self.spreads)
        for players, (matrix, vector) in said.items():
            approximation = self.counts[players].approximation
            self.counts[players] = CountFit(approximation, self._normal.means[players], matrix, vector)

    def _fit_spreads(self) -> float:
        """Find likelier spreads while outcomes say what they say; return by about what part one had to change."""
        if len(self.counts) < 2:
            return 0.0
        self._change_spreads()
        self._solve({players: (count.information, count.said) for players, count in self.counts.items()})
        return self._search.wanted

    def _change_spreads(self) -> None:
        """Go one step towards the likeliest spreads, given the present fit."""
        squares, falls = self._normal.deviation_squares()
        bots = {}
        for number, (players, count) in enumerate(self.counts.items()):
            # A bot without a game there shows the present spread, whatever that is.
            bots[players] = int(np.count_nonzero(np.diag(count.information) > 0))
            unseen = (len(self.bots) - bots[players]) * self.spreads[players] ** 2
            squares[number] -= unseen
            falls[number, number] -= unseen * self.spreads[players] ** 2
        self.spreads = self._search.step(self.spreads, bots, squares, falls)


def _centred(matrix: Floats) -> Floats:
    """Return covariances with the distances of bots from their mean, given those with the bots, by bot."""
    return np.asarray(matrix - matrix.mean(axis=0))


def _next(change: float, last: float) -> float:
    """Return the change that the next round is expected to make. `last`: that of the round before this one.

    A round that happens to change little, between two that change more, says nothing.
    """
    return max(change * max(_FASTEST, min(1.0, change / last)), _FASTEST * last) if last else change

"""Fit the skill of one bot to its games with others whose skills are known and stay as they are.

These others are anchors: their skills come from a fit of games of their own (`arena.rating.joint.fit`). So the same
games give the same rating, whatever other bots are rated, and its error is that of these games alone. How well the
anchors are known comes on top where the bot is compared with one of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Final

import numpy as np

from arena.rating.base import RatingInput
from arena.rating.joint.approximation import OutcomeApproximation
from arena.rating.joint.block_errors import BlockScores, FittedPart, widened
from arena.rating.joint.fit import JointFit
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.separation import Reach, closure

_HOLD: Final = 1e6
"""The precision with which skills of anchors are held: games change them by some millionths of what they say."""


class HeldFit(JointFit):
    """The skill of a bot, which comes behind all anchors, given theirs."""

    def __init__(self, anchors: JointFit, bot: str, games: Iterable[RatingInput]) -> None:
        """Fit. `games`: of the bot with some of the anchors, at numbers of players at which these have a skill."""
        self._anchors = anchors
        super().__init__([*anchors.bots, bot])
        self.add(games)

    @cached_property
    def _hold(self) -> Floats:
        return _HOLD * np.diag([*np.ones(len(self.bots) - 1), 0.0])

    def _said_at(self, players: int, end: int | None = None) -> tuple[Floats, Floats]:
        matrix, vector = super()._said_at(players, end)
        return matrix + self._hold, vector + self._hold @ np.append(self._anchors.counts[players].mean, 0.0)

    def _come_near(self) -> None:
        for players, count in self.counts.items():
            known = self._anchors.counts[players].approximation
            if isinstance(count.approximation, OutcomeApproximation):
                count.approximation.margin = known.margin
            self.spreads[players] = self._anchors.spreads[players]
        super()._come_near()

    def _fit_spreads(self) -> float:
        return 0.0  # one bot says nothing of how far skills at different numbers of players are apart

    def reached(self) -> Reach:
        """Return which bots finished before which; of two anchors, each did before the other."""
        found = super().reached()
        found[:-1, :-1] = True
        return closure(found)

    def _errors(self, posterior: Floats, shares: dict[int, Floats], common: Floats) -> Floats:
        own, parts = slice(len(self.bots) - 1, None), []
        for players, count in self.counts.items():
            scores = count.approximation.block_scores(count.mean)
            blocks = np.arange(len(scores.bots)), np.argmax(scores.bots == own.start, axis=1)
            slopes, information = scores.slopes[blocks], scores.information[(*blocks, blocks[1])]
            own_scores = BlockScores(np.zeros((len(slopes), 1), np.int64), slopes[:, None], information[:, None, None])
            known = (count.information[own, own], self.covariance(players)[own, own], shares[players][own, own])
            parts.append(FittedPart(own_scores, *known, None))
        found = np.zeros_like(posterior)
        found[own, own] = widened(posterior[own, own], parts)
        return found

    def errors_with_anchors(self) -> Floats:
        """Return the covariance of the errors of `mean`, by bot and bot, with those of the anchors' own skills."""
        follows = _HOLD * np.sum([each[:, :-1] for each in self._normal.overall_covariances.values()], axis=0)
        return np.asarray(self.overall_errors() + follows @ self._anchors.overall_errors() @ follows.T)

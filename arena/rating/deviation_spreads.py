"""How much skills at a number of players deviate from the skills at all: the spreads of deviations, fitted to games.

Each number of players has a spread of its own, since a game may be quite another with two players, say. A field of
bots tells little of a spread, so all are drawn towards a common one, as far as games leave them open (partial pooling):
before any game their logarithms are normal, with one part in common and one of each number's own.

With few bots the spread that is most likely is mostly too small, and so are the errors that follow from it. So what is
largest in the end is the likelihood times the square of each spread, with which intervals hold as often as they should
(Morris and Tang 2011, "Estimating random effects via adjustment for density maximization"). It is found by the BFGS
method, some steps in each round of the fit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from arena.rating.approximation import LUCK
from arena.rating.gaussian_tails import Floats

ASSUMED_SPREAD: Final = LUCK / 6
"""Before any game."""
_COMMON: Final = math.log(2)
"""The deviation of the logarithm of the common spread: it is probably within half and twice of the assumed one."""
_OWN: Final = 0.5
"""The deviation of the logarithm of a number's spread from that of the common one."""
_POWER: Final = 2
"""Of each spread, by which the likelihood is multiplied."""
_LONGEST_STEP: Final = 0.5
"""The most by which the logarithm of a spread changes at once."""
_SHORTEST: Final = 1e-7
"""Steps that are shorter tell nothing of the curvature."""
_FLATTEST: Final = 0.1
"""A step changes the curvature along it to no less than this part of it."""


def first_spread(spreads: Sequence[float]) -> float:
    """Return the spread of a number of players without a game. `spreads`: those of the others."""
    share = len(spreads) * _COMMON**2 / (len(spreads) * _COMMON**2 + _OWN**2)
    others = sum(math.log(each / ASSUMED_SPREAD) for each in spreads) / max(1, len(spreads))
    return ASSUMED_SPREAD * math.exp(share * others)


class SpreadSearch:
    """Goes step by step to the likeliest spreads."""

    def __init__(self, numbers: int) -> None:
        """Begin. `numbers`: how many spreads there are."""
        self._prior: Floats = np.linalg.inv(_OWN**2 * np.eye(numbers) + _COMMON**2).astype(np.float64)
        self._curvature = np.zeros_like(self._prior)
        self._last: tuple[Floats, Floats] | None = None
        """The logarithms before the last step, and the slopes there."""

    def step(
        self, spreads: Mapping[int, float], squares: Mapping[int, float], bots: Mapping[int, int]
    ) -> dict[int, float]:
        """Return likelier spreads.

        Args:
            spreads: By number of players.
            squares: By number of players: the sum of the squares of the deviations that is expected with these spreads.
            bots: By number of players: how many bots have these deviations.
        """
        at, known = np.array(list(spreads.values())), np.array([bots[each] for each in spreads])
        logs = np.log(at / ASSUMED_SPREAD)
        slopes = np.array([squares[each] for each in spreads]) / at**2 - known + _POWER - self._prior @ logs
        if self._last is None:
            # With this curvature, a step is about one of the EM algorithm, which never goes too far.
            self._curvature = 2 * np.diag(known) + self._prior
        else:
            self._learn(logs - self._last[0], self._last[1] - slopes)
        self._last = logs, slopes
        step = np.clip(np.linalg.solve(self._curvature, slopes), -_LONGEST_STEP, _LONGEST_STEP)
        return dict(zip(spreads, (at * np.exp(step)).tolist(), strict=True))

    def _learn(self, step: Floats, fell: Floats) -> None:
        """Correct the curvature by how much the slopes fell on a step (BFGS, damped as by Powell 1978)."""
        if np.abs(step).max() < _SHORTEST:
            return
        assumed = self._curvature @ step
        length, found = float(step @ assumed), float(step @ fell)
        if found < _FLATTEST * length:
            share = (1 - _FLATTEST) * length / (length - found)
            fell = share * fell + (1 - share) * assumed
            found = float(step @ fell)
        self._curvature = self._curvature - np.outer(assumed, assumed) / length + np.outer(fell, fell) / found

"""Anderson acceleration of a fixed-point iteration: a better next point from what the last few rounds changed.

An iteration whose rounds each leave a large part of the error converges slowly, mostly along one or two directions. The
last rounds show how the change of a round depends on the point; the point is sought at which it would be nothing, as if
that dependence were linear (Anderson 1965, "Iterative procedures for nonlinear integral equations"; Walker and Ni 2011,
"Anderson acceleration for fixed-point iterations", type II).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.rating.gaussian_tails import Floats

_ROUNDS: Final = 4
"""How many rounds before the last one are looked at."""
_NEAR: Final = 0.05
"""A round that changes a value by more is far from the end, where the dependence is not linear."""
_GROWN: Final = 2.0
"""If a round changes a value by so many times as much as the one before, what earlier rounds showed is forgotten."""
_FURTHEST: Final = 0.5
"""The most by which a value changes at once."""
_SINGULAR: Final = 1e-3
"""Directions in which changes differ by a smaller part than in the first one are left out."""


class AndersonAcceleration:
    """Finds where an iteration over a few values comes to rest."""

    def __init__(self) -> None:
        """Begin before the first round."""
        self._points: list[Floats] = []
        self._changes: list[Floats] = []

    def next(self, before: Floats, after: Floats) -> Floats:
        """Return the values to begin the next round with.

        Args:
            before: The values with which this round began.
            after: Those that it found.
        """
        change = after - before
        largest = float(np.abs(change).max(initial=0.0))
        if largest > _NEAR or (self._changes and largest > _GROWN * np.abs(self._changes[-1]).max()):
            self._points, self._changes = [], []
        if largest > _NEAR:
            return after
        self._points = [*self._points[-_ROUNDS:], before]
        self._changes = [*self._changes[-_ROUNDS:], change]
        if len(self._changes) == 1:
            return after
        moved, turned = np.diff(self._points, axis=0).T, np.diff(self._changes, axis=0).T
        parts = np.linalg.lstsq(turned, change, rcond=_SINGULAR)[0]
        return np.asarray(before + np.clip(change - (moved + turned) @ parts, -_FURTHEST, _FURTHEST))

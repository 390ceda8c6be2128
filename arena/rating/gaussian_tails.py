"""Compute by how much a result moves and narrows a normal variable, for many results at once.

A game says that a difference of performances is greater than the margin of a tie, or lies within it. So the difference,
normal before, is cut off. The functions v and w of TrueSkill (Herbrich, Minka and Graepel 2006) say what that does to
its mean and its variance. Both are ratios of tails of the normal distribution, which are smaller than any float a few
dozen deviations out. They are computed here with the scaled complementary error function, exp(z^2) erfc(z), which is
not.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROOT_2: Final = math.sqrt(2)
_DENSITY: Final = 1 / math.sqrt(2 * math.pi)
_DEGREE: Final = 28
"""Of the polynomial: its error is then that of the floats."""
_SERIES_FROM: Final = 20.0
"""From here on, twelve terms of the asymptotic series are exact."""
_MOST: Final = 700.0
"""The largest power of e that is still a float, with something to spare."""


def scaled_erfc(z: Floats) -> Floats:
    """Return exp(z^2) erfc(z) for numbers that are not negative, to some 14 digits."""
    t = 2 / (2 + z)
    # Clenshaw's recurrence, as in numpy's chebval, but without a new array for every step.
    twice = 4 * t - 2
    last, before, spare = np.full_like(t, _LOGARITHM[-2]), np.full_like(t, _LOGARITHM[-1]), np.empty_like(t)
    for coefficient in _LOGARITHM[-3:0:-1]:
        np.multiply(twice, last, out=spare)
        spare -= before
        spare += coefficient
        before, last, spare = last, spare, before
    return np.asarray(t * np.exp(_LOGARITHM[0] + (2 * t - 1) * last - before))


def win_moments(difference: Floats) -> tuple[Floats, Floats]:
    """Return v and w of a variable with variance 1 that turned out positive.

    Args:
        difference: Its mean before.

    Returns:
        By how much the mean grows, and which part of the variance goes.
    """
    tail = scaled_erfc(np.abs(difference) / _ROOT_2)
    density = np.exp(-np.minimum(difference**2 / 2, _MOST))
    upset = 2 * _DENSITY / tail
    expected = density * 2 * _DENSITY / (2 - density * tail)
    v = np.where(difference < 0, upset, expected)
    # Far out, rounding may carry the part beyond the whole.
    return v, np.clip(v * (v + difference), 0.0, 1.0)


def tie_moments(difference: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Return v and w of a variable with variance 1 that turned out to lie within a margin of 0.

    Args:
        difference: Its mean before.
        margin: The margin, greater than 0.

    Returns:
        By how much the mean grows, and which part of the variance goes.
    """
    size = np.abs(difference)
    near, far = size - margin, size + margin
    # The mean lies outside the margin: both ends are in the same tail, of which the density at the nearer is a factor.
    out = np.maximum(near, 0.0)
    ratio = np.exp(-np.minimum((far**2 - out**2) / 2, _MOST))
    mass = 0.5 * (scaled_erfc(out / _ROOT_2) - ratio * scaled_erfc(far / _ROOT_2))
    v_outside = _DENSITY * (1 - ratio) / mass
    w_outside = v_outside**2 - _DENSITY * (out - far * ratio) / mass
    # It lies inside: what is left between two tails.
    inside = np.minimum(near, 0.0)
    at_near, at_far = np.exp(-(inside**2) / 2), np.exp(-np.minimum(far**2 / 2, _MOST))
    mass = 1 - 0.5 * (at_near * scaled_erfc(-inside / _ROOT_2) + at_far * scaled_erfc(far / _ROOT_2))
    v_inside = _DENSITY * (at_near - at_far) / mass
    w_inside = v_inside**2 - _DENSITY * (inside * at_near - far * at_far) / mass
    is_outside = near >= 0
    v = np.where(is_outside, v_outside, v_inside)
    return -np.sign(difference) * v, np.where(is_outside, w_outside, w_inside)


def _logarithm_of_scaled_erfc(x: Floats) -> Floats:
    """Return log(exp(z^2) erfc(z) / t) where t = 2 / (2 + z) = (x + 1) / 2: a smooth function between -1 and 1."""
    return np.array([_logarithm((each + 1) / 2) for each in x.tolist()])


def _logarithm(t: float) -> float:
    z = 2 / t - 2
    if z < _SERIES_FROM:
        return math.log(math.exp(z * z) * math.erfc(z) / t)
    total = term = 1.0
    for number in range(1, 12):
        term *= -(2 * number - 1) / (2 * z * z)
        total += term
    return math.log(total / (z * math.sqrt(math.pi) * t))


_NODES: Final = chebyshev.chebpts1(2 * _DEGREE)
_LOGARITHM: Final = chebyshev.chebfit(_NODES, _logarithm_of_scaled_erfc(_NODES), _DEGREE)

"""Compute by how much a result moves and narrows a normal variable, for many results at once.

A game says that a difference of performances is greater than the margin of a tie, or lies within it. So the difference,
normal before, is cut off. The functions v and w of TrueSkill (Herbrich, Minka and Graepel 2006) say what that does to
its mean and its variance. Both are ratios of tails of the normal distribution, which are smaller than any float a few
dozen deviations out. They are computed here with the scaled complementary error function, exp(z^2) erfc(z), which is
not.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

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
_TINY: Final = 1e-300
_POINTS: Final = np.linspace(0.0, 1.0, 96)
"""Where a density is computed between its two ends; as it is smooth, and nothing there, the sum over them is exact."""
_END: Final = 30.0
"""The logarithm of the part of its peak at which a density ends."""
_MOST_STEPS: Final = 60
_HALVINGS: Final = 10
_NEAR_PEAK: Final = 1e-4
"""What is integrated need not be measured from the very peak."""
_ACROSS: Final = np.linspace(-6, 6, 15)[:, None, None]
"""Where a density of two variables is computed, in deviations from about its mean: by row, column and density."""
_ALONG: Final = _ACROSS.reshape(1, -1, 1)
_LUCK, _LUCK_WEIGHTS = np.polynomial.hermite_e.hermegauss(8)
"""Values of a standard normal variable over which the sum of a smooth function, with these weights, is its mean."""


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


def repeated_result(
    mean: Floats, variance: Floats, counts: Floats, margin: float, luck: float, ties: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return the means and variances of differences of skills after as many games that all ended alike.

    Args:
        mean: Of each difference, which is normal before.
        variance: Of each.
        counts: How many games there were.
        margin: The difference of performances below which two tie.
        luck: The deviation of a difference of performances from that of skills.
        ties: Whether the games were ties, or wins of the first.
    """
    found, left = np.empty_like(mean), np.empty_like(variance)
    single = counts == 1
    if single.any():
        scale = np.sqrt(variance[single] + luck**2)
        v, w = _moments(mean[single] / scale, margin / scale, ties[single])
        gain = variance[single] / scale
        found[single], left[single] = mean[single] + gain * v, variance[single] - gain**2 * w
    for tied in (False, True):
        those = ~single & (ties == tied)
        if those.any():
            repeated = _Repeated(mean[those], variance[those], counts[those], margin, luck, tied)
            found[those], left[those] = repeated.moments()
    return found, left


class _Repeated(NamedTuple):
    """Normal differences of skills, each multiplied by the probability of a number of games that end alike.

    The logarithm of such a density is concave: it has one peak, and falls on both sides faster than before the games.
    """

    mean: Floats
    variance: Floats
    counts: Floats
    margin: float
    luck: float
    tied: bool

    def moments(self) -> tuple[Floats, Floats]:
        """Return the mean and the variance of each."""
        peak = self._peaks()
        low, high = self._ends(peak, -1.0), self._ends(peak, 1.0)
        points = low + (high - low) * _POINTS[:, None]
        logs = self._density(points)
        weights = np.exp(np.maximum(logs - logs.max(axis=0), -_MOST))
        weights /= weights.sum(axis=0)
        mean = (weights * points).sum(axis=0)
        return mean, (weights * (points - mean) ** 2).sum(axis=0)

    def _density(self, points: Floats) -> Floats:
        """Return the logarithm of the density, up to a constant."""
        scaled = points / self.luck
        return self.counts * self._log_probability(scaled) - (points - self.mean) ** 2 / (2 * self.variance)

    def _log_probability(self, difference: Floats) -> Floats:
        if not self.tied:
            return _log_normal(difference - self.margin / self.luck)
        size, margin = np.abs(difference), self.margin / self.luck
        # That it is not beyond the nearer end, less that it is beyond the further one.
        near, beyond = _log_normal(margin - size), _log_normal(-margin - size)
        return np.asarray(near + np.log1p(-np.exp(np.minimum(beyond - near, -_TINY))))

    def _slopes(self, points: Floats) -> tuple[Floats, Floats]:
        """Return the slope of the logarithm of the density, and its curvature with the sign turned."""
        size = len(points)
        v, w = _moments(points / self.luck, np.full(size, self.margin / self.luck), np.full(size, self.tied))
        slope = self.counts * v / self.luck - (points - self.mean) / self.variance
        return slope, self.counts * w / self.luck**2 + 1 / self.variance

    def _ends(self, peak: Floats, side: float) -> Floats:
        """Return where densities end. `side`: below the peak (-1) or above (1)."""
        far = peak + side * np.sqrt(2 * _END * self.variance)
        near, end = peak, self._density(peak) - _END
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            beyond = self._density(middle) < end
            near, far = np.where(beyond, near, middle), np.where(beyond, middle, far)
        return far

    def _peaks(self) -> Floats:
        """Return where densities are greatest, by Newton's method between two bounds."""
        at = self.mean
        slope, curvature = self._slopes(at)
        # Away from the mean the slope of what games say only gets less.
        far = at + slope * self.variance
        low, high = np.minimum(at, far), np.maximum(at, far)
        for _ in range(_MOST_STEPS):
            low, high = np.where(slope > 0, at, low), np.where(slope < 0, at, high)
            step = at + slope / curvature
            step = np.where((step < low) | (step > high), (low + high) / 2, step)
            moved, at = np.abs(step - at), step
            slope, curvature = self._slopes(at)
            if np.all(moved**2 * curvature < _NEAR_PEAK):
                break
        return at


def repeated_order(
    near: tuple[Floats, Floats], known: tuple[Floats, Floats], counts: Floats, margin: float, luck: float
) -> tuple[Floats, Floats]:
    """Return means and covariances of the two differences of neighbours after as many games of three that ended alike.

    Each array has the number of the result last. Given the luck of the second, whether it is behind the first does not
    depend on whether it is ahead of the third.

    Args:
        near: Means and covariances that are near those to be found: there densities are computed.
        known: The precisions before these games, and precisions times means.
        counts: How many games there were.
        margin: The difference of performances below which two tie.
        luck: The deviation of a performance from the skill.
    """
    (first, last), (a, b, d) = near[0], (near[1][0, 0], near[1][0, 1], near[1][1, 1])
    scale = np.sqrt(a)
    one, other = first + scale * _ACROSS, last + b / scale * _ACROSS + np.sqrt(d - b**2 / a) * _ALONG
    chance = sum(
        weight * _normal((one - margin) / luck - drawn) * _normal((other - margin) / luck + drawn)
        for drawn, weight in zip(_LUCK.tolist(), (_LUCK_WEIGHTS / _LUCK_WEIGHTS.sum()).tolist(), strict=True)
    )
    (a, b), (_, d) = known[0]
    logs = counts * np.log(np.maximum(chance, _TINY)) - (a * one**2 + d * other**2) / 2 - b * one * other
    logs += known[1][0] * one + known[1][1] * other
    weights = np.exp(np.maximum(logs - logs.max(axis=(0, 1)), -_MOST))
    weights /= weights.sum(axis=(0, 1))
    mean = np.stack([(weights * each).sum(axis=(0, 1)) for each in (one, other)])
    apart = [one - mean[0], other - mean[1]]
    return mean, np.array([[(weights * each * with_it).sum(axis=(0, 1)) for each in apart] for with_it in apart])


def _normal(x: Floats) -> Floats:
    """Return the standard normal distribution function to six digits, fast."""
    return np.interp(x, _STEPS, _NORMAL)


def _moments(difference: Floats, margin: Floats, ties: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return v and w of ties and of wins."""
    v, w = win_moments(difference - margin)
    if ties.any():
        v[ties], w[ties] = tie_moments(difference[ties], margin[ties])
    return v, w


def _log_normal(x: Floats) -> Floats:
    """Return the logarithm of the standard normal distribution function."""
    half = 0.5 * scaled_erfc(np.abs(x) / _ROOT_2)
    square = x**2 / 2
    below = np.log(half) - square
    return np.where(x < 0, below, np.log1p(-half * np.exp(-np.minimum(square, _MOST))))


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
_STEPS: Final = np.linspace(-12.0, 12.0, 24_001)
_NORMAL: Final = np.exp(_log_normal(_STEPS))

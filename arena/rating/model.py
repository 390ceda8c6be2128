"""The TrueSkill model, also where the `trueskill` package's arithmetic gives out.

A result is worked in by two functions: by how much it shifts a difference of skills (v) and how much of its spread it
takes away (w). Both are ratios of tails of the normal distribution. Some 38 spreads out these tails are smaller than
any float and the package raises FloatingPointError, for an upset and for the most expected result alike. Far out we
take what the ratios tend to instead, so that every game counts.
"""

from __future__ import annotations

import math
import warnings
from typing import Final

with warnings.catch_warnings():
    # Where an installer compiles nothing, Python does at the first import, and says what it thinks of this source.
    warnings.simplefilter("ignore")
    import trueskill
    from trueskill import Rating as Rating

_FAR: Final = 30.0
"""Spreads beyond which the limits are taken: they are right to some parts in a million there."""


class TrueSkillModel(trueskill.TrueSkill):  # type: ignore[misc]  # the package has no types
    """TrueSkill without drift (tau = 0), which never fails however far apart two bots are."""

    def __init__(self, draw_probability: float) -> None:
        """`draw_probability`: the share of ties, above 0 and below 1."""
        super().__init__(tau=0.0, draw_probability=draw_probability)

    def v_win(self, diff: float, draw_margin: float) -> float:
        """The shift by a win over one who is `diff` weaker."""
        far = _far_win(diff - draw_margin)
        return float(super().v_win(diff, draw_margin)) if far is None else far[0]

    def w_win(self, diff: float, draw_margin: float) -> float:
        """The share of spread that such a win takes away."""
        far = _far_win(diff - draw_margin)
        return float(super().w_win(diff, draw_margin)) if far is None else far[1]

    def v_draw(self, diff: float, draw_margin: float) -> float:
        """The shift by a tie with one who is `diff` weaker."""
        far = _far_draw(abs(diff), draw_margin)
        return float(super().v_draw(diff, draw_margin)) if far is None else math.copysign(far[0], -diff)

    def w_draw(self, diff: float, draw_margin: float) -> float:
        """The share of spread that such a tie takes away."""
        far = _far_draw(abs(diff), draw_margin)
        return float(super().w_draw(diff, draw_margin)) if far is None else far[1]


def _far_win(x: float) -> tuple[float, float] | None:
    """v and w of a win with margin `x`, if that is far out."""
    if x > _FAR:
        return 0.0, 0.0  # nothing is learned from what was certain
    if x < -_FAR:
        # What is left of the distribution falls off like an exponential one (the series of Mills' ratio).
        return -x - 1 / x + 2 / x**3, 1 - 1 / x**2 + 6 / x**4
    return None


def _far_draw(gap: float, margin: float) -> tuple[float, float] | None:
    """The size of v, and w, of a tie of two that are `gap` apart, if that is far out."""
    rate = gap - margin
    if rate <= _FAR:
        return None
    # What is left lies between the margins, an exponential falling off from the nearer one.
    width = 2 * margin
    if rate * width > _FAR:
        mean, variance = 1 / rate, 1 / rate**2
    elif rate * width > 1e-3:
        mean = 1 / rate - width / math.expm1(rate * width)
        variance = 1 / rate**2 - width**2 * math.exp(rate * width) / math.expm1(rate * width) ** 2
    else:
        mean, variance = width / 2, width**2 / 12  # hardly falling off at all
    return rate + mean, 1 - variance

"""The TrueSkill model, made safe where the arithmetic of the `trueskill` package fails.

Two functions determine what a result changes: how far it shifts a difference of skills (v) and how much of its spread
it removes (w). Both are ratios of tails of the normal distribution. About 38 spreads out these tails are smaller than
any float, and the package raises FloatingPointError, for an upset and for the most expected result alike. Far out we
use the limits of the ratios instead, so that every game counts.
"""

from __future__ import annotations

import math
import warnings
from typing import Final

with warnings.catch_warnings():
    # If the installer has not compiled the package, Python does so at the first import, with warnings.
    warnings.simplefilter("ignore")
    import trueskill
    from trueskill import Rating as Rating

_FAR: Final = 30.0
"""Spreads beyond which the limits are used: there they are accurate to a few parts in a million."""


class TrueSkillModel(trueskill.TrueSkill):  # type: ignore[misc]  # the package has no types
    """TrueSkill without drift (tau = 0), which never fails, however far apart two bots are."""

    def __init__(self, draw_probability: float) -> None:
        """Set up the model. `draw_probability`: the share of ties, above 0 and below 1."""
        super().__init__(tau=0.0, draw_probability=draw_probability)

    def v_win(self, diff: float, draw_margin: float) -> float:
        """Return the shift by a win over an opponent who is `diff` weaker."""
        far = _far_win(diff - draw_margin)
        return float(super().v_win(diff, draw_margin)) if far is None else far[0]

    def w_win(self, diff: float, draw_margin: float) -> float:
        """Return the share of the spread that such a win removes."""
        far = _far_win(diff - draw_margin)
        return float(super().w_win(diff, draw_margin)) if far is None else far[1]

    def v_draw(self, diff: float, draw_margin: float) -> float:
        """Return the shift by a tie with an opponent who is `diff` weaker."""
        far = _far_draw(abs(diff), draw_margin)
        return float(super().v_draw(diff, draw_margin)) if far is None else math.copysign(far[0], -diff)

    def w_draw(self, diff: float, draw_margin: float) -> float:
        """Return the share of the spread that such a tie removes."""
        far = _far_draw(abs(diff), draw_margin)
        return float(super().w_draw(diff, draw_margin)) if far is None else far[1]


def _far_win(x: float) -> tuple[float, float] | None:
    """Return v and w of a win with margin `x`; None if it is not far out."""
    if x > _FAR:
        return 0.0, 0.0  # a certain result teaches nothing
    if x < -_FAR:
        # The remaining tail decays like an exponential (the series of Mills' ratio).
        return -x - 1 / x + 2 / x**3, 1 - 1 / x**2 + 6 / x**4
    return None


def _far_draw(gap: float, margin: float) -> tuple[float, float] | None:
    """Return the size of v, and w, of a tie between two bots that are `gap` apart; None if that is not far out."""
    rate = gap - margin
    if rate <= _FAR:
        return None
    # What remains lies between the margins and decays exponentially from the nearer one.
    width = 2 * margin
    if rate * width > _FAR:
        mean, variance = 1 / rate, 1 / rate**2
    elif rate * width > 1e-3:
        mean = 1 / rate - width / math.expm1(rate * width)
        variance = 1 / rate**2 - width**2 * math.exp(rate * width) / math.expm1(rate * width) ** 2
    else:
        mean, variance = width / 2, width**2 / 12  # almost no decay
    return rate + mean, 1 - variance

"""TrueSkill (Herbrich, Minka and Graepel, 2006) as it is mostly used: one game after another, and then never again.

It uses the `trueskill` package with tau = 0. The default tau lets ratings drift, so that the table would depend on the
order of the games more than it must; a little it does all the same. The arena rates by the joint TrueSkill, which is
compared with it: its errors hold more often.

Two functions determine what a result changes: how far it shifts a difference of skills (v) and how much of its spread
it removes (w). Both are ratios of tails of the normal distribution. About 38 spreads out these tails are smaller than
any float, and the package raises FloatingPointError, for an upset and for the most expected result alike. Far out we
use the limits of the ratios instead, so that every game counts.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import fmean
from typing import Final

from arena.rating.base import RatingInput, of_players, tied_orders

with warnings.catch_warnings():
    # If the installer has not compiled the package, Python does so at the first import, with warnings.
    warnings.simplefilter("ignore")
    import trueskill
    from trueskill import Rating

LEAST_TIES: Final = 0.001
"""The lowest tie rate; the model needs one above 0."""
_MOST_TIES: Final = 0.999
"""The highest tie rate; the model needs one below 1."""
_FAR: Final = 30.0
"""Spreads beyond which the limits are used: there they are accurate to a few parts in a million."""


def rated_in_turn(results: Sequence[RatingInput], bots: Iterable[str], players: int | None = None) -> dict[str, Rating]:
    """Rate the bots, one game after another, from the games of so many players alone; None: of all."""
    results = of_players(results, players)
    model = TrueSkillModel(tie_rate(results))
    ratings = {name: model.create_rating() for name in bots}
    for result in results:
        rated = _rated(model, [ratings[bot] for bot in result.bots], result.ranks)
        ratings.update(zip(result.bots, rated, strict=True))
    return ratings


def _rated(model: TrueSkillModel, before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Return the ratings after one more game, by seat, where those that tie and were alike are alike again.

    With ties, what several orders of them say is averaged: precisions, and precisions times means.
    """
    seats = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], -before[seat].mu, before[seat].sigma))
    orders = tied_orders([ranks[one] == ranks[other] for one, other in pairwise(seats)])
    found = [_rated_in_order(model, before, ranks, [seats[place] for place in order]) for order in orders]
    if len(found) == 1:
        return found[0]
    precisions = [fmean(rating.sigma**-2 for rating in of_seat) for of_seat in zip(*found, strict=True)]
    shifts = [fmean(rating.mu * rating.sigma**-2 for rating in of_seat) for of_seat in zip(*found, strict=True)]
    return [
        model.create_rating(shift / precision, precision**-0.5)
        for shift, precision in zip(shifts, precisions, strict=True)
    ]


def _rated_in_order(
    model: TrueSkillModel, before: Sequence[Rating], ranks: Sequence[int], order: Sequence[int]
) -> list[Rating]:
    """Return the ratings by seat. `order`: the seats as they are compared, best first."""
    rated = model.rate([(before[seat],) for seat in order], ranks=[ranks[seat] for seat in order])
    found = dict(zip(order, rated, strict=True))
    return [found[seat][0] for seat in range(len(before))]


def tie_rate(results: Iterable[RatingInput]) -> float:
    """Return the share of adjacent ranks that are tied, at least `LEAST_TIES`."""
    counted = [_ties(result.ranks) for result in results]
    return _rate_of_ties(sum(ties for ties, _ in counted), sum(pairs for _, pairs in counted))


def _ties(ranks: Sequence[int]) -> tuple[int, int]:
    """Count the adjacent ranks that are tied, and all adjacent ranks."""
    ordered = sorted(ranks)
    return sum(a == b for a, b in pairwise(ordered)), len(ordered) - 1


def _rate_of_ties(ties: int, pairs: int) -> float:
    return min(_MOST_TIES, max(LEAST_TIES, ties / pairs if pairs else 0.0))


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

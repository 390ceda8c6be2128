"""TrueSkill (Herbrich, Minka and Graepel, 2006) as it is mostly used: one game after another, and then never again.

It uses the `trueskill` package with tau = 0. The default tau lets ratings drift, so that the table would depend on the
order of the games more than it must; a little it does all the same. The joint TrueSkill is compared with it.

Two functions determine what a result changes: how far it shifts a difference of skills (v) and how much of its spread
it removes (w). Both are ratios of tails of the normal distribution. About 38 spreads out these tails are smaller than
any float, and the package raises FloatingPointError, for an upset and for the most expected result alike. Far out we
use the limits of the ratios instead, so that every game counts.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import ClassVar, Final

from arena.common.errors import ArenaError
from arena.rating.base import (
    Bound,
    Interval,
    OnRated,
    RankBand,
    RatingColumn,
    RatingColumns,
    RatingInput,
    Ratings,
    Scores,
    SkillDifference,
    Values,
    of_players,
    tied_orders,
)

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
_COLUMNS: Final = RatingColumns(
    shown=(
        RatingColumn("rating", "rating", "mu - 3 sigma", "rating"),
        RatingColumn("mu", "mu", "the skill that is most likely", "mu", few_places=1, error="sigma"),
        RatingColumn("sigma", "sigma", "TrueSkill's deviation of the skill", "σ", few_places=1),
    ),
    ranking="rating",
    note="Rating is mu − 3 sigma: better than this with a probability of 99.9 %, says TrueSkill.",
    interval=Interval("mu", "sigma", 3, lower="rating"),
)


@dataclass(frozen=True)
class SequentialTrueSkill:
    """The rating system `sequential`."""

    columns: ClassVar[RatingColumns] = _COLUMNS

    def rate(
        self,
        results: Sequence[RatingInput],
        bots: Iterable[str],
        on_rated: OnRated | None = None,
        players: int | None = None,
        ranked: Iterable[str] | None = None,
    ) -> Ratings:
        """Rate the bots, one game after another, from the games of so many players alone."""
        results = of_players(results, players)
        if any(result.teams for result in results):
            raise ArenaError("this rating system is for bots that play for themselves: partners are rated by trueskill")
        model = TrueSkillModel(tie_rate(results))
        ratings = {name: model.create_rating() for name in bots}
        for number, result in enumerate(results, start=1):
            rated = _rated(model, [ratings[bot] for bot in result.bots], result.ranks)
            after = dict(zip(result.bots, rated, strict=True))
            ratings.update(after)
            if on_rated is not None:
                on_rated(number, {bot: _values(rating) for bot, rating in after.items()})
        return Ratings({bot: _values(rating) for bot, rating in ratings.items()}, differences=_Apart(ratings))

    def running(self, bots: Iterable[str] = ()) -> RunningTrueSkill:
        """Return ratings that go on with every game, by the tie rate of the games so far."""
        return RunningTrueSkill()


@dataclass(frozen=True)
class _Apart:
    """The differences of bots whose errors are taken as independent: TrueSkill keeps nothing else."""

    ratings: Mapping[str, Rating]

    def difference(self, one: str, other: str) -> SkillDifference:
        a, b = self.ratings[one], self.ratings[other]
        return SkillDifference(a.mu - b.mu, math.hypot(a.sigma, b.sigma))


class RunningTrueSkill:
    """TrueSkill, one game after another. A game costs 0.2 ms with two players and 1.6 ms with six."""

    columns: ClassVar[RatingColumns] = _COLUMNS

    def __init__(self) -> None:
        """Begin without a game."""
        self._model = TrueSkillModel(LEAST_TIES)
        self._ratings: dict[str, Rating] = {}
        self._ties = self._pairs = 0

    def add(
        self, bots: Sequence[str], ranks: Sequence[int], teams: Sequence[Sequence[int]] = (), scores: Scores = ()
    ) -> None:
        """Rate one more game. `teams`: the seats of partners that were drawn; `scores`: as in `RatingInput`."""
        ties, pairs = _ties([ranks[team[0]] for team in teams] or ranks)
        self._ties, self._pairs = self._ties + ties, self._pairs + pairs
        self._model.draw_probability = _rate_of_ties(self._ties, self._pairs)
        before = [self._ratings.get(bot) or self._model.create_rating() for bot in bots]
        if teams:
            groups = [tuple(before[seat] for seat in team) for team in teams]
            rated = self._model.rate(groups, ranks=[ranks[team[0]] for team in teams])
            for team, those in zip(teams, rated, strict=True):
                self._ratings.update(zip((bots[seat] for seat in team), those, strict=True))
            return
        self._ratings.update(zip(bots, _rated(self._model, before, ranks), strict=True))

    def values(self, bot: str) -> Values:
        """Return the values of a bot, which need not have played."""
        return _values(self._ratings.get(bot) or self._model.create_rating())

    def rank(self, bots: Iterable[str]) -> None:
        """Do nothing: there are no bands."""

    def bands(self) -> Mapping[str, RankBand]:
        """Return nothing: there are none."""
        return {}

    def bounds(self) -> Mapping[str, Bound]:
        """Return nothing: every rating has an error on both sides."""
        return {}


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


def _values(rating: Rating) -> Values:
    return {"mu": rating.mu, "sigma": rating.sigma, "rating": rating.mu - 3 * rating.sigma}


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

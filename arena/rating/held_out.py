"""How well ratings foresee games that they were not made from.

The blocks of some games are dealt into folds. The games of a fold are forecast by ratings of the games of all other
folds: for every two bots of a game the probability that one finishes ahead of the other, where a tie is half of it.
Whole blocks are held out, since their games have the same bots in them. A game counts once, whatever the number of its
pairs; errors come from how much blocks differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from statistics import NormalDist
from typing import Final, NamedTuple

import numpy as np

from arena.rating.base import RatingInput
from arena.rating.joint.approximation import LUCK
from arena.rating.joint.fit import JointFit
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Ints
from arena.rating.joint.rank_bands import difference_errors

FOLDS: Final = 5
MOST_RATED: Final = 60_000
"""So many games are rated at most, over all folds; in a long tournament fewer folds are forecast, but at least one."""
MOST_GAMES: Final = 100_000
"""Of longer tournaments, blocks with so many games are taken."""
_LEAST_BLOCKS: Final = 2 * FOLDS
_BINS: Final = 10
_FARTHEST: Final = 1e-9
"""A forecast is as far from 0 and 1 at least, or one surprise would cost without end."""

Forecast = Callable[[str, str, int], float]
"""Says with which probability one bot finishes ahead of another in a game of so many players; a tie is half of it."""
Forecaster = Callable[[Sequence[RatingInput], Sequence[str]], Forecast]
"""Makes forecasts of some games and the names of all bots, which need not have played."""


class Estimate(NamedTuple):
    """A figure and its standard error, which comes from blocks."""

    value: float
    error: float


class ReliabilityBin(NamedTuple):
    """Pairs of bots of which the one that was likelier to finish ahead was so with about the same probability."""

    low: float
    """The forecasts lie from here, from one half on, ..."""
    high: float
    """... to here."""
    forecast: float
    """Their mean."""
    observed: Estimate
    """How often that bot did finish ahead."""
    pairs: int


@dataclass(frozen=True)
class HeldOutCalibration:
    """How forecasts of held-out games compare with what happened."""

    games: int
    """How many were forecast."""
    blocks: int
    pairs: int
    rated: int
    """By how many games each of them was forecast, on average."""
    brier: Estimate
    """The mean square of what forecasts missed by: 0 is best, and 0.25 what always saying one half gets."""
    log_loss: Estimate
    """The mean surprise, in natural units: 0 is best, and 0.693 what always saying one half gets."""
    forecast: float
    """How often, according to the forecasts, the likelier bot of a pair finishes ahead."""
    observed: Estimate
    """How often it did. Less than the forecast: the ratings were too sure of themselves."""
    bins: Sequence[ReliabilityBin]

    @property
    def is_calibrated(self) -> bool:
        """Whether the likelier bots finished ahead as often as forecast, within two standard errors."""
        return abs(self.observed.value - self.forecast) <= 2 * self.observed.error


class Forecasts(NamedTuple):
    """Forecasts of pairs of bots in held-out games. Arrays are by pair."""

    probabilities: Floats
    """That the first bot finishes ahead."""
    results: Floats
    """1 if it did, one half if they tied."""
    weights: Floats
    """Their sum over a game is 1."""
    blocks: Ints
    games: int
    rated: int
    """The mean number of games that those forecast were forecast by, rounded."""

    def of_blocks(self, values: Floats) -> Floats:
        """Return the weighted sums of some values, by block."""
        return np.bincount(self.blocks, self.weights * values).astype(np.float64)

    def brier(self) -> Floats:
        """Return the square of what was missed, by pair."""
        return np.asarray((self.probabilities - self.results) ** 2)

    def log_loss(self) -> Floats:
        """Return the surprise, by pair."""
        sure = np.clip(self.probabilities, _FARTHEST, 1 - _FARTHEST)
        return np.asarray(-self.results * np.log(sure) - (1 - self.results) * np.log1p(-sure))


def held_out_calibration(
    games: Iterable[RatingInput], forecaster: Forecaster | None = None
) -> HeldOutCalibration | None:
    """Hold out the blocks of some games in turn, and compare what ratings of the others say with what happened.

    Takes about as long as it takes to rate `MOST_RATED` games, or once all games if these are more.

    Args:
        games: In any order, which makes no difference.
        forecaster: Rates games; the joint TrueSkill model unless said otherwise.

    Returns:
        The comparison. None: there are too few blocks.
    """
    found = held_out_forecasts(games, [forecaster or joint_forecaster])
    return None if found is None else compared(found[0])


def held_out_forecasts(games: Iterable[RatingInput], forecasters: Sequence[Forecaster]) -> list[Forecasts] | None:
    """Forecast held-out games by each of some forecasters. None: there are too few blocks."""
    blocks: dict[tuple[int, int], list[RatingInput]] = {}
    for game in games:
        blocks.setdefault(game.block, []).append(game)
    if len(blocks) < _LEAST_BLOCKS:
        return None
    folds = _dealt(blocks)
    dealt = set().union(*folds)
    taken = [block for block in blocks if block in dealt]
    bots = sorted({bot for block in taken for bot in blocks[block][0].bots})
    total = sum(len(blocks[block]) for block in taken)
    scored = max(1, min(FOLDS, MOST_RATED * FOLDS // (total * (FOLDS - 1))))
    pairs: list[list[tuple[float, float, float, int]]] = [[] for _ in forecasters]
    held = rated = number = 0
    for fold in folds[:scored]:
        known = [game for block in taken if block not in fold for game in blocks[block]]
        forecasts = [forecaster(known, bots) for forecaster in forecasters]
        for block in sorted(fold):
            held += len(blocks[block])
            rated += len(blocks[block]) * len(known)
            for game in blocks[block]:
                for forecast, rows in zip(forecasts, pairs, strict=True):
                    rows += _forecast_pairs(game, forecast, number)
            number += 1
    return [_as_arrays(rows, held, round(rated / held)) for rows in pairs]


def compared(forecasts: Forecasts) -> HeldOutCalibration:
    """Compare forecasts with what happened."""
    sides = np.where(forecasts.probabilities < 0.5, -1.0, 1.0)
    likelier = 0.5 + sides * (forecasts.probabilities - 0.5)
    ahead = 0.5 + sides * (forecasts.results - 0.5)
    everywhere = np.ones(len(sides))
    bins = []
    numbers = np.minimum(((likelier - 0.5) * 2 * _BINS).astype(np.int64), _BINS - 1)
    for number in range(_BINS):
        there = (numbers == number).astype(np.float64)
        if there.any():
            weight = forecasts.of_blocks(there)
            mean = float(forecasts.of_blocks(there * likelier).sum() / weight.sum())
            observed = _estimate(forecasts.of_blocks(there * ahead), weight)
            ends = (0.5 + number / (2 * _BINS), 0.5 + (number + 1) / (2 * _BINS))
            bins.append(ReliabilityBin(*ends, mean, observed, int(there.sum())))
    weight = forecasts.of_blocks(everywhere)
    missed = _estimate(forecasts.of_blocks(ahead - likelier), weight)
    forecast = float(forecasts.of_blocks(likelier).sum() / weight.sum())
    return HeldOutCalibration(
        games=forecasts.games,
        blocks=len(weight),
        pairs=len(sides),
        rated=forecasts.rated,
        brier=_estimate(forecasts.of_blocks(forecasts.brier()), weight),
        log_loss=_estimate(forecasts.of_blocks(forecasts.log_loss()), weight),
        forecast=forecast,
        observed=Estimate(forecast + missed.value, missed.error),
        bins=bins,
    )


def joint_forecaster(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
    """Rate by the joint TrueSkill model, and forecast with the errors of ratings and with the luck of a game.

    An interval has to hold also if spreads of deviations are greater than they seem; a forecast should be right on
    average. So it is made with the likeliest spreads.
    """
    fit = JointFit(bots, likeliest=True)
    fit.add(games)
    numbers = {bot: number for number, bot in enumerate(fit.bots)}
    normal = NormalDist()
    known: dict[int, tuple[Floats, Floats, float]] = {}
    for players, count in fit.counts.items():
        errors = difference_errors(fit.errors(players))
        known[players] = count.mean, np.hypot(errors, math.sqrt(2) * LUCK), count.approximation.margin
    elsewhere = fit.mean, np.hypot(difference_errors(fit.overall_errors()), math.sqrt(2) * LUCK), 0.0

    def forecast(one: str, other: str, players: int) -> float:
        mean, spread, margin = known.get(players, elsewhere)
        first, second = numbers[one], numbers[other]
        difference, deviation = float(mean[first] - mean[second]), float(spread[first, second])
        ahead, not_behind = (normal.cdf((difference + side) / deviation) for side in (-margin, margin))
        return (ahead + not_behind) / 2

    return forecast


def _dealt(blocks: Mapping[tuple[int, int], Sequence[RatingInput]]) -> list[set[tuple[int, int]]]:
    """Deal blocks into folds: each number of players evenly, in an order that has nothing to do with the games."""
    order = sorted(blocks, key=lambda block: (block[0], blake2b(repr(block).encode(), digest_size=8).digest()))
    share = min(1.0, MOST_GAMES / sum(map(len, blocks.values())))
    taken = [block for place, block in enumerate(order) if int((place + 1) * share) > int(place * share)]
    return [set(taken[fold::FOLDS]) for fold in range(FOLDS)]


def _forecast_pairs(game: RatingInput, forecast: Forecast, block: int) -> list[tuple[float, float, float, int]]:
    """Return for each two bots of a game the forecast, the result, the weight and the block."""
    players = len(game.bots)
    weight = 2 / (players * (players - 1))
    found = []
    for one, other in combinations(range(players), 2):
        result = 0.5 * ((game.ranks[one] < game.ranks[other]) + (game.ranks[one] <= game.ranks[other]))
        found.append((forecast(game.bots[one], game.bots[other], players), result, weight, block))
    return found


def _as_arrays(rows: Sequence[tuple[float, float, float, int]], games: int, rated: int) -> Forecasts:
    probabilities, results, weights, blocks = zip(*rows, strict=True)
    return Forecasts(
        np.array(probabilities), np.array(results), np.array(weights), np.array(blocks, dtype=np.int64), games, rated
    )


def _estimate(sums: Floats, weights: Floats) -> Estimate:
    """Return the mean of what blocks sum up to, and its standard error, from how much blocks differ."""
    mean = float(sums.sum() / weights.sum())
    blocks = int(np.count_nonzero(weights))
    if blocks < 2:
        return Estimate(mean, math.inf)
    squares = float(np.sum((sums - mean * weights) ** 2))
    return Estimate(mean, math.sqrt(squares * blocks / (blocks - 1)) / float(weights.sum()))

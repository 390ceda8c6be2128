"""Rank bands: between which places each bot stands, for all bots at once with a stated confidence.

A bot is ahead of another for certain when their difference exceeds its standard error by a factor. The factor is chosen
so that, with the stated confidence, no two bots at all are put the wrong way round; then no band is wrong either
(Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks"). It is the quantile of the largest error of all pairs,
found by drawing errors with their covariance.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from arena.rating.gaussian_tails import Floats

CONFIDENCE: Final = 0.95
_MOST_DRAWS: Final = 4000
_LEAST_DRAWS: Final = 200
_PAIRS: Final = 200_000_000
"""Drawn at most, unless that makes fewer than the least draws."""
_PAIRS_AT_ONCE: Final = 1 << 20
_SEED: Final = 80


class RankBand(NamedTuple):
    """The places at which a bot may stand, both included; 1 is best."""

    best: int
    worst: int


def rank_bands(ratings: Floats, covariance: Floats, confidence: float = CONFIDENCE) -> list[RankBand]:
    """Return the rank band of each bot.

    Args:
        ratings: By bot.
        covariance: Of their errors, by bot and bot.
        confidence: The probability that all bands are right at once.
    """
    bots = len(ratings)
    if bots < 2:
        return [RankBand(1, 1)] * bots
    errors = difference_errors(covariance)
    factor = _largest_error(covariance, errors, confidence)
    ahead = ratings[:, None] - ratings[None, :] > factor * errors
    np.fill_diagonal(ahead, val=False)
    behind = ahead.sum(axis=0)
    return [RankBand(1 + int(behind[bot]), bots - int(ahead[bot].sum())) for bot in range(bots)]


def difference_errors(covariance: Floats) -> Floats:
    """Return the standard errors of the differences of ratings, by bot and bot; 0 of a bot from itself."""
    variances = np.diag(covariance)
    squares = variances[:, None] + variances[None, :] - 2 * covariance
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def _largest_error(covariance: Floats, errors: Floats, confidence: float) -> float:
    """Return what the largest error of all pairs, each divided by its standard error, exceeds as seldom as allowed."""
    bots = len(covariance)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws = max(_LEAST_DRAWS, min(_MOST_DRAWS, _PAIRS // bots**2))
    # The stream of this generator is the same in every version of numpy, and so are the bands.
    drawn = np.random.RandomState(_SEED).standard_normal((draws, bots)) @ root.T
    divided = np.where(errors > 0, errors, np.inf)
    step = max(1, _PAIRS_AT_ONCE // bots**2)
    largest = [
        ((some[:, :, None] - some[:, None, :]) / divided).max(axis=(1, 2))
        for some in np.split(drawn, range(step, draws, step))
    ]
    return float(np.quantile(np.concatenate(largest), confidence))

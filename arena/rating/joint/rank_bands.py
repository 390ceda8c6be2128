"""Rank bands: between which places each bot stands, for all bots at once with a stated confidence.

A bot is ahead of another for certain when their difference exceeds its standard error by a factor. The factor is chosen
so that, with the stated confidence, no two bots at all are put the wrong way round; then no band is wrong either
(Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks"). It is the quantile of the largest error of all pairs,
found by drawing errors with their covariance, which is that of the ratings over blocks of games
(`arena.rating.joint.block_errors`). `arena.rating.joint.systems` makes the bands of every table, all with `CONFIDENCE`.

For a bot that is certainly ahead of another, there is no need to guard any more against the error that puts it there.
Without such errors the factor is smaller, and more bots may be certainly ahead of others (stepwise, as in Romano and
Wolf 2005, "Exact and approximate stepdown methods for multiple hypothesis testing"). If all bots are equal, their bands
are right as often as stated; else more often, since a band is only wrong if a bot seems better than a better one.

Errors of bots that played little are not known well themselves, so they are taken as those of a t distribution
(`arena.rating.joint.support`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from arena.rating.base import RankBand
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.support import Support

CONFIDENCE: Final = 0.95
_MOST_DRAWS: Final = 4000
_LEAST_DRAWS: Final = 200
PAIRS: Final = 200_000_000
"""Drawn at most, unless that makes fewer than the least draws."""
_SEED: Final = 80
_STEPS: Final = 3
_MOST_IN_STEPS: Final = 20_000_000
"""If more pairs are drawn, there is one step only."""


def rank_bands(
    ratings: Floats,
    covariance: Floats,
    support: Support | None = None,
    pairs: int = PAIRS,
) -> list[RankBand]:
    """Return the rank band of each bot.

    Args:
        ratings: By bot.
        covariance: Of their errors, by bot and bot.
        support: What the errors rest on; None: they are known exactly.
        pairs: How many are drawn at most, unless that makes fewer than the least draws.
    """
    bots = len(ratings)
    if bots < 2:
        return [RankBand(1, 1)] * bots
    errors = difference_errors(covariance)
    sure = ratings[:, None] - ratings[None, :]
    if support is not None:
        sure = support.as_normal(sure, covariance, errors)
    ahead = np.eye(bots, dtype=np.bool_)
    for _ in range(_STEPS if _draws(bots, pairs) * bots**2 <= _MOST_IN_STEPS else 1):
        found = sure > largest_error(covariance, np.where(ahead, 0.0, errors), pairs) * errors
        np.fill_diagonal(found, val=True)
        if np.array_equal(found, ahead):
            break
        ahead = found
    np.fill_diagonal(ahead, val=False)
    behind = ahead.sum(axis=0)
    return [RankBand(1 + int(behind[bot]), bots - int(ahead[bot].sum())) for bot in range(bots)]


def difference_errors(covariance: Floats) -> Floats:
    """Return the standard errors of the differences of ratings, by bot and bot; 0 of a bot from itself."""
    variances = np.diag(covariance)
    squares = variances[:, None] + variances[None, :] - 2 * covariance
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def largest_error(covariance: Floats, errors: Floats, pairs: int = PAIRS) -> float:
    """Return what the largest error of all pairs, each divided by its standard error, exceeds as seldom as allowed.

    Args:
        covariance: Of the errors, by bot and bot.
        errors: The standard errors of the differences, by bot and bot; 0 for one that does not matter.
        pairs: How many are drawn at most, unless that makes fewer than the least draws.
    """
    bots = len(covariance)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    # The stream of this generator is the same in every version of numpy, and so are the bands.
    drawn = np.random.RandomState(_SEED).standard_normal((_draws(bots, pairs), bots)) @ root.T
    columns = np.ascontiguousarray(drawn.T)
    largest = np.zeros(len(drawn))
    for bot, own in enumerate(errors):
        others = np.flatnonzero(own > 0)
        if len(others):
            apart = columns[bot] - columns[others]
            apart /= own[others, None]
            np.maximum(largest, apart.max(axis=0), out=largest)
    return float(np.quantile(largest, CONFIDENCE))


def _draws(bots: int, pairs: int) -> int:
    return max(_LEAST_DRAWS, min(_MOST_DRAWS, pairs // bots**2))

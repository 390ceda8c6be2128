"""The errors of fitted strengths, from how much blocks of games differ.

The posterior of a fit trusts the model: the same luck for everybody, independent from game to game. Games of one block
share their bots, and some bots suit each other. So errors are taken from the blocks themselves (sandwich estimate): if
blocks differ more than the model says, errors grow. A block draws the fit towards itself, so what is left of its slopes
is too small; it is corrected so that the errors are right on average if the model is (CR2 in Bell and McCaffrey 2002).
Where blocks are few compared with the bots, what they show is mixed with the model's own errors, widened by the same
factor for all bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Ints
from arena.rating.joint.separation import centred

_TRUST: Final = 2.0
"""With so many times as many blocks as bots, half of the error is taken from the blocks, half from the model."""
_ALIKE: Final = 8
"""So many blocks are added that differ just as the model says, since a few say little of all."""
_LEAST: Final = 1e-10
"""What skills vary by at least, in case that somebody altered a ledger so that a bot plays against itself."""
_LEAST_LEFT: Final = 1e-3
"""The least part of a block's slopes that is believed to be left."""


class BlockScores(NamedTuple):
    """What blocks of games say about the strengths of their bots."""

    bots: Ints
    """By block: the numbers of its bots."""
    slopes: Floats
    """By block and bot: the slope of the log-likelihood at the fitted strengths."""
    information: Floats
    """By block, bot and bot: the curvature of the log-likelihood with its sign turned."""


class FittedPart(NamedTuple):
    """Games of one number of players in a fit. Matrices are by bot and bot."""

    blocks: BlockScores
    information: Floats
    """What all blocks say."""
    covariance: Floats
    """The posterior covariance of the strengths at this number of players."""
    share: Floats
    """The posterior covariance of what is estimated with these strengths."""
    groups: Ints | None
    """By bot: its group, as `arena.rating.joint.separation.components` returns it for these games. None: blocks show,
    too, how large an error is that all have in common, since what is estimated are no distances."""


def blocks_of_games(places: Ints, slopes: Floats, information: Floats, blocks: Ints) -> BlockScores:
    """Add up what games say by block.

    Args:
        places: By game and place: the number of the bot.
        slopes: By game and place: the slope of the log-likelihood.
        information: By game, place and place: its curvature with the sign turned.
        blocks: By game: the number of its block. All games of a block have the same bots.
    """
    number, players = int(blocks.max(initial=-1)) + 1, places.shape[1]
    order = np.argsort(places, axis=1)
    bots = np.zeros((number, players), dtype=np.int64)
    bots[blocks] = np.take_along_axis(places, order, 1)
    sums = np.zeros((number, players))
    np.add.at(sums, blocks, np.take_along_axis(slopes, order, 1))
    ordered = np.take_along_axis(np.take_along_axis(information, order[:, :, None], 1), order[:, None, :], 2)
    matrices = np.zeros((number, players, players))
    np.add.at(matrices, blocks, ordered)
    return BlockScores(bots, sums, matrices)


def widened(posterior: Floats, parts: Sequence[FittedPart]) -> Floats:
    """Return a covariance in which slopes spread as blocks show, and not as the model expects.

    Args:
        posterior: The posterior covariance of what is estimated, by bot and bot.
        parts: The games that it is estimated from.
    """
    shown, said = [], []
    for part in parts:
        # Blocks in which one bot always wins agree, so they say nothing of how far ahead it is.
        within = np.eye(len(part.information)) if part.groups is None else centred(part.groups)
        shown.append(within @ _spread_of_slopes(part.blocks, part.covariance) @ within)
        said.append(within @ part.information @ within)
    found = sum(float(np.sum(part.covariance * spread)) for part, spread in zip(parts, shown, strict=True))
    model = sum(float(np.sum(part.covariance * each)) for part, each in zip(parts, said, strict=True))
    blocks = sum(len(part.blocks.bots) for part in parts)
    factor = (blocks * found / model + _ALIKE) / (blocks + _ALIKE) if model > 0 else 1.0
    for part, spread, information in zip(parts, shown, said, strict=True):
        own = len(part.blocks.bots)
        weight = own / (own + _TRUST * len(posterior))
        mixed = weight * spread + (1 - weight) * factor * information
        posterior = posterior + part.share @ (mixed - information) @ part.share.T
    return np.asarray((posterior + posterior.T) / 2)


def _spread_of_slopes(blocks: BlockScores, covariance: Floats) -> Floats:
    """Return the sum of the squares of the blocks' slopes, corrected for what each block did to the fit.

    If the model is right, the slopes of a block with the information J spread by J - J P J, where P is the covariance
    of its bots. They are multiplied by the inverse root of 1 - J P, so that they spread by J.
    """
    size, players = len(covariance), blocks.bots.shape[1]
    own = covariance[blocks.bots[:, :, None], blocks.bots[:, None, :]]
    # J P itself is not symmetric, but by the factor L of P = L L' it becomes L' J L, which has the same eigenvalues.
    factor = np.linalg.cholesky(own + _LEAST * np.eye(players))
    turned = factor.swapaxes(1, 2)
    left, directions = np.linalg.eigh(np.eye(players) - turned @ blocks.information @ factor)
    along = directions.swapaxes(1, 2) @ (turned @ blocks.slopes[:, :, None])
    along /= np.sqrt(np.maximum(left, _LEAST_LEFT))[:, :, None]
    slopes = np.linalg.solve(turned, directions @ along)[:, :, 0]
    cells = blocks.bots[:, :, None] * size + blocks.bots[:, None, :]
    squares = slopes[:, :, None] * slopes[:, None, :]
    return np.bincount(cells.ravel(), squares.ravel(), size * size).reshape(size, size).astype(np.float64)

"""What the outcomes of games of one number of players say about skills, approximated by normal distributions.

A bot's performance in a game is its skill plus luck, which is normal with the deviation `LUCK`. An outcome says of each
two neighbours in the order of finishing that the difference of their performances is positive, or that it is small. In
expectation propagation (Minka 2001) each such factor is replaced by a normal one that has the same effect on the
difference as the factor itself, given all that the other factors say. The joint distribution of all skills is kept, not
only that of each bot, so that the errors of differences are known.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

from arena.rating.block_errors import BlockScores, blocks_of_games
from arena.rating.gaussian_tails import Floats, tie_moments, win_moments
from arena.rating.outcomes import Outcomes

LUCK: Final = 25 / 6
"""The deviation of a performance from the skill, which sets the scale of all ratings; beta in TrueSkill."""
_FEWEST_TIES: Final = 0.001
_MOST_TIES: Final = 0.999
_SWEEPS: Final = 2
"""How often the factors of one game take each other into account before the skills are computed anew."""


class OutcomeApproximation:
    """The normal factors for the outcomes of games of one number of players.

    Neighbours in the order of finishing are compared. Bots that tie have no order, and whichever came to stand beside
    the next better or worse one would be compared with it alone. So an outcome with ties is taken in several orders, in
    which each of these bots is in each place equally often, and what they say is averaged.

    By order and pair of neighbours, each factor has a precision and a precision times mean; both are 0 before the first
    `update`.
    """

    def __init__(self, outcomes: Outcomes, bots: int) -> None:
        """Begin with factors that say nothing. `bots`: how many there are in all."""
        self._bots = bots
        self.outcomes = outcomes
        neighbours = outcomes.players - 1
        self._differences = np.eye(neighbours, outcomes.players) - np.eye(neighbours, outcomes.players, 1)
        """By neighbours and place: what makes differences of performances."""
        self._luck = LUCK**2 * self._differences @ self._differences.T
        """The covariance that luck gives the differences."""
        self._precision = np.zeros((0, neighbours))
        self._shift = np.zeros((0, neighbours))
        self.extend()

    def extend(self) -> None:
        """Take in outcomes that were added since; factors of known outcomes stay as they are."""
        self.places = self.outcomes.bots
        """By outcome and place: the number of the bot."""
        self.counts = self.outcomes.counts
        ties = self.outcomes.ties
        tied = float(ties.mean(axis=1) @ self.counts) / max(1.0, float(self.counts.sum()))
        tied = min(_MOST_TIES, max(_FEWEST_TIES, tied))
        self._margin = NormalDist().inv_cdf((tied + 1) / 2) * math.sqrt(2) * LUCK
        """The difference of performances below which two of equal skill tie as often as neighbours here do."""
        orders = [_orders(tuple(each)) for each in ties.tolist()]
        self._outcome = np.repeat(np.arange(len(orders)), [len(each) for each in orders]).astype(np.int64)
        """By order: its outcome."""
        self._order = np.array([order for each in orders for order in each], dtype=np.int64).reshape(
            -1, self.outcomes.players
        )
        """By order and position in it: the place in the outcome."""
        self._spots = self._outcome[:, None] * self.outcomes.players + self._order
        """By order and position: the number of the outcome's place among all places."""
        self._cells = self._spots[:, :, None] * self.outcomes.players + self._order[:, None, :]
        """By order, position and position: the number of the cell in the outcomes' matrices."""
        self._weight = 1 / np.array([len(each) for each in orders], dtype=np.float64)[self._outcome]
        self._ties = ties[self._outcome]
        new = (len(self._order) - len(self._precision), self.outcomes.players - 1)
        self._precision = np.concatenate([self._precision, np.zeros(new)])
        self._shift = np.concatenate([self._shift, np.zeros(new)])
        self._observe()

    def _observe(self) -> None:
        """Compute what each outcome says of the skills of its bots, which have luck on top: precision and shift."""
        inverse = np.linalg.inv(self._precision[:, :, None] * self._luck + np.eye(self.outcomes.players - 1))
        precision = self._differences.T @ (inverse * self._precision[:, None, :]) @ self._differences
        shift = (inverse @ self._shift[:, :, None])[:, :, 0] @ self._differences
        weight = self._weight[:, None]
        shape = (*self.places.shape, self.outcomes.players)
        summed = np.bincount(self._cells.ravel(), (precision * weight[:, :, None]).ravel(), math.prod(shape))
        self.precision = summed.reshape(shape)
        """By outcome, place and place."""
        summed = np.bincount(self._spots.ravel(), (shift * weight).ravel(), self.places.size)
        self.shift = summed.reshape(self.places.shape)
        """By outcome and place."""

    def information(self) -> tuple[Floats, Floats]:
        """Return what all outcomes together say of the skills: a matrix of precisions, and precision times mean."""
        cells = self.places[:, :, None] * self._bots + self.places[:, None, :]
        precisions = self.precision * self.counts[:, None, None]
        matrix = np.bincount(cells.ravel(), precisions.ravel(), self._bots**2).reshape(self._bots, self._bots)
        shifts = self.shift * self.counts[:, None]
        vector = np.bincount(self.places.ravel(), shifts.ravel(), self._bots).astype(np.float64)
        return (matrix + matrix.T) / 2, vector

    def update(self, mean: Floats, covariance: Floats) -> None:
        """Make every factor fit what is known of the skills now: their joint mean and covariance, by bot."""
        spread = covariance[self.places[:, :, None], self.places[:, None, :]]
        # Leave out what this very game says, once.
        without = np.linalg.inv(np.eye(self.outcomes.players) - spread @ self.precision)
        middle = (without @ (mean[self.places] - (spread @ self.shift[:, :, None])[:, :, 0])[:, :, None])[:, :, 0]
        spread = without @ spread
        # Then look at the differences of neighbours, and add the luck of this game.
        middle = middle[self._outcome[:, None], self._order]
        spread = spread[self._outcome[:, None, None], self._order[:, :, None], self._order[:, None, :]]
        middle = middle[:, :-1] - middle[:, 1:]
        spread = spread[:, :-1] - spread[:, 1:]
        spread = spread[:, :, :-1] - spread[:, :, 1:] + self._luck
        for _ in range(_SWEEPS if self.outcomes.players > 2 else 1):
            self._update_factors(middle, spread)
        self._observe()

    def _update_factors(self, middle: Floats, spread: Floats) -> None:
        inverse = np.linalg.inv(np.eye(spread.shape[1]) + spread * self._precision[:, None, :])
        variance = np.einsum("gii->gi", inverse @ spread)
        mean = (inverse @ (middle + (spread @ self._shift[:, :, None])[:, :, 0])[:, :, None])[:, :, 0]
        # Leave out the factor itself: the precision and the shift that the others leave to it.
        precision = 1 / variance - self._precision
        shift = mean / variance - self._shift
        scale = np.sqrt(precision)
        expected = shift / scale
        margin = self._margin * scale
        v, w = win_moments(expected - margin)
        if self._ties.any():
            tie_v, tie_w = tie_moments(expected, margin)
            v, w = np.where(self._ties, tie_v, v), np.where(self._ties, tie_w, w)
        w = np.clip(w, 1e-12, 1 - 1e-9)
        self._precision = precision * w / (1 - w)
        self._shift = (shift + scale * v) / (1 - w) - shift

    def block_scores(self, mean: Floats) -> BlockScores:
        """Return what each block says at these skills, by bot."""
        slopes = self.shift - (self.precision @ mean[self.places][:, :, None])[:, :, 0]
        game = self.outcomes.of_game
        return blocks_of_games(self.places[game], slopes[game], self.precision[game], self.outcomes.block_of_game)


@lru_cache(maxsize=256)
def _orders(ties: tuple[bool, ...]) -> list[tuple[int, ...]]:
    """Return the orders of its places in which an outcome is taken: those that tie go round in a circle, either way.

    `ties`: by place but the last, whether it ties with the next.
    """
    found: list[tuple[int, ...]] = [()]
    start = 0
    for place in range(len(ties) + 1):
        if place < len(ties) and ties[place]:
            continue
        group = tuple(range(start, place + 1))
        turned = {side[turn:] + side[:turn] for side in (group, group[::-1]) for turn in range(len(group))}
        found = [(*earlier, *later) for earlier in found for later in sorted(turned)]
        start = place + 1
    return found

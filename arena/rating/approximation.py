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
        self._outcome = np.zeros(0, dtype=np.int64)
        """By order: its outcome."""
        self._order = np.zeros((0, outcomes.players), dtype=np.int64)
        """By order and position in it: the place in the outcome."""
        self._ties = np.zeros((0, neighbours), dtype=np.bool_)
        """By order and pair of neighbours: whether they tie."""
        self._weight = np.zeros(0)
        """By order: one divided by how many orders its outcome has."""
        self.places = np.zeros((0, outcomes.players), dtype=np.int64)
        """By outcome and place: the number of the bot."""
        self.precision = np.zeros((0, outcomes.players, outcomes.players))
        """By outcome, place and place."""
        self.shift = np.zeros((0, outcomes.players))
        """By outcome and place."""
        self.extend()

    def extend(self) -> int:
        """Take in outcomes that were added since; factors of known outcomes stay as they are.

        Returns:
            The number of the first new outcome.
        """
        first = len(self.places)
        self.places = self.outcomes.bots
        self.counts = self.outcomes.counts
        """By outcome: how many games ended so."""
        ties = self.outcomes.ties
        tied = float(ties.mean(axis=1) @ self.counts) / max(1.0, float(self.counts.sum()))
        tied = min(_MOST_TIES, max(_FEWEST_TIES, tied))
        self.margin = NormalDist().inv_cdf((tied + 1) / 2) * math.sqrt(2) * LUCK
        """The difference of performances below which two of equal skill tie as often as neighbours here do."""
        orders = [_orders(tuple(each)) for each in ties[first:].tolist()]
        if not orders:
            return first
        numbers = np.array([len(each) for each in orders])
        outcome = np.repeat(np.arange(len(orders)), numbers).astype(np.int64)
        order = np.array([order for each in orders for order in each], dtype=np.int64)
        self._outcome = np.concatenate([self._outcome, first + outcome])
        self._order = np.concatenate([self._order, order])
        self._ties = np.concatenate([self._ties, ties[first:][outcome]])
        self._weight = np.concatenate([self._weight, (1 / numbers)[outcome]])
        new = np.zeros((len(order), self.outcomes.players - 1))
        self._precision, self._shift = np.concatenate([self._precision, new]), np.concatenate([self._shift, new])
        more, players = len(orders), self.outcomes.players
        self.precision = np.concatenate([self.precision, np.zeros((more, players, players))])
        self.shift = np.concatenate([self.shift, np.zeros((more, players))])
        return first

    def _observe(self, first: int, start: int) -> None:
        """Compute what outcomes say of the skills of their bots, which have luck on top: precision and shift.

        Args:
            first: The first of these outcomes.
            start: Its first order.
        """
        players = self.outcomes.players
        given = self._precision[start:]
        inverse = np.linalg.inv(given[:, :, None] * self._luck + np.eye(players - 1))
        said = inverse * given[:, None, :]
        precision = np.zeros((len(given), players, players))
        for row, column, sign in ((0, 0, 1.0), (1, 0, -1.0), (0, 1, -1.0), (1, 1, 1.0)):
            precision[:, row : players - 1 + row, column : players - 1 + column] += sign * said
        shift = (inverse @ self._shift[start:][:, :, None])[:, :, 0] @ self._differences
        outcome, weight = self._outcome[start:] - first, self._weight[start:]
        # Most outcomes have no tie, and one order, that of their places.
        single = weight == 1
        self.precision[first + outcome[single]] = precision[single]
        self.shift[first + outcome[single]] = shift[single]
        tied = np.flatnonzero(~single)
        if not len(tied):
            return
        those, numbers = np.unique(outcome[tied], return_inverse=True)
        spots = numbers[:, None] * players + self._order[start:][tied]
        cells = spots[:, :, None] * players + self._order[start:][tied][:, None, :]
        shape = (len(those), players, players)
        shares = weight[tied]
        summed = np.bincount(cells.ravel(), (precision[tied] * shares[:, None, None]).ravel(), math.prod(shape))
        self.precision[first + those] = summed.reshape(shape)
        summed = np.bincount(spots.ravel(), (shift[tied] * shares[:, None]).ravel(), shape[0] * players)
        self.shift[first + those] = summed.reshape(shape[:2])

    def information(self, first: int = 0, end: int | None = None) -> tuple[Floats, Floats]:
        """Return what outcomes together say of the skills: a matrix of precisions, and precision times mean.

        Args:
            first: The first of them.
            end: The first that is none of them; None: all that follow.
        """
        places, counts = self.places[first:end], self.counts[first:end]
        cells = places[:, :, None] * self._bots + places[:, None, :]
        precisions = self.precision[first:end] * counts[:, None, None]
        matrix = np.bincount(cells.ravel(), precisions.ravel(), self._bots**2).reshape(self._bots, self._bots)
        shifts = self.shift[first:end] * counts[:, None]
        vector = np.bincount(places.ravel(), shifts.ravel(), self._bots).astype(np.float64)
        return (matrix + matrix.T) / 2, vector

    def update(self, mean: Floats, covariance: Floats, first: int = 0, sweeps: int = _SWEEPS) -> None:
        """Make factors fit what is known of the skills now.

        Args:
            mean: By bot.
            covariance: By bot and bot.
            first: The first outcome whose factors change; those before stay as they are.
            sweeps: How often the factors of a game take each other into account.
        """
        start = int(np.searchsorted(self._outcome, first))
        places, precision = self.places[first:], self.precision[first:]
        spread = covariance[places[:, :, None], places[:, None, :]]
        # Leave out what this very game says, once.
        without = np.linalg.inv(np.eye(self.outcomes.players) - spread @ precision)
        middle = (without @ (mean[places] - (spread @ self.shift[first:][:, :, None])[:, :, 0])[:, :, None])[:, :, 0]
        spread = without @ spread
        # Then look at the differences of neighbours, and add the luck of this game.
        outcome, order = self._outcome[start:] - first, self._order[start:]
        middle = middle[outcome[:, None], order]
        spread = spread[outcome[:, None, None], order[:, :, None], order[:, None, :]]
        middle = middle[:, :-1] - middle[:, 1:]
        spread = spread[:, :-1] - spread[:, 1:]
        spread = spread[:, :, :-1] - spread[:, :, 1:] + self._luck
        for _ in range(sweeps if self.outcomes.players > 2 else 1):
            self._update_factors(middle, spread, start)
        self._observe(first, start)

    def _update_factors(self, middle: Floats, spread: Floats, start: int) -> None:
        given_precision, given_shift, ties = self._precision[start:], self._shift[start:], self._ties[start:]
        inverse = np.linalg.inv(np.eye(spread.shape[1]) + spread * given_precision[:, None, :])
        variance = np.einsum("gij,gji->gi", inverse, spread)
        mean = (inverse @ (middle + (spread @ given_shift[:, :, None])[:, :, 0])[:, :, None])[:, :, 0]
        # Leave out the factor itself: the precision and the shift that the others leave to it.
        precision = 1 / variance - given_precision
        shift = mean / variance - given_shift
        scale = np.sqrt(precision)
        expected = shift / scale
        margin = self.margin * scale
        v, w = win_moments(expected - margin)
        if ties.any():
            v[ties], w[ties] = tie_moments(expected[ties], margin[ties])
        w = np.clip(w, 1e-12, 1 - 1e-9)
        self._precision[start:] = precision * w / (1 - w)
        self._shift[start:] = (shift + scale * v) / (1 - w) - shift

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

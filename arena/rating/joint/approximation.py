"""What the outcomes of games of one number of players say about skills, approximated by normal distributions.

A bot's performance in a game is its skill plus luck, which is normal with the deviation `LUCK`. An outcome says of each
two neighbours in the order of finishing that the difference of their performances is positive, or that it is small. In
expectation propagation (Minka 2001) each such factor is replaced by a normal one that has the same effect on the
difference as the factor itself, given all that the other factors say. The joint distribution of all skills is kept, not
only that of each bot, so that the errors of differences are known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.rating.base import RatingInput, tied_orders
from arena.rating.joint.block_errors import BlockScores, blocks_of_games
from arena.rating.joint.gaussian_tails import Floats, repeated_order, repeated_result, tie_moments, win_moments
from arena.rating.joint.outcomes import Ints, Outcomes
from arena.rating.joint.separation import Reach

LUCK: Final = 25 / 6
"""The deviation of a performance from the skill, which sets the scale of all ratings; beta in TrueSkill."""
_FEWEST_TIES: Final = 0.001
_MOST_TIES: Final = 0.999
_AT_ONCE: Final = 1024
"""With so many outcomes, all that is computed of them stays in a processor's cache."""
_LEAST: Final = 1e-10
"""What differences vary by at least, in case that somebody altered a ledger so that a bot plays against itself."""
_ONE_AND_OTHER: Final = np.array([[1.0, -1.0], [-1.0, 1.0]])
"""What is said of a difference of two bots, by bot and bot."""
_SWEEPS: Final = 2
"""How often the factors of one game take each other into account before the skills are computed anew."""

_Covariances = Callable[[NDArray[np.int64]], Floats]
"""The covariances of the skills of the bots of some outcomes, whose numbers it gets by place and outcome."""


class OutcomeApproximation:
    """The normal factors for the outcomes of games of one number of players.

    Neighbours in the order of finishing are compared. Bots that tie have no order, and whichever came to stand beside
    the next better or worse one would be compared with it alone. So an outcome with ties is taken in several orders, in
    which each of these bots is in each place equally often, and what they say is averaged.

    By pair of neighbours and order, each factor has a precision and a precision times mean; both are 0 before the first
    `update`.

    Games of two players that ended alike are one factor, the more exact the more of them there are: if one of two bots
    wins all games, it says what these games say (apart from numerical errors), and single ones would say too little.
    """

    def __init__(self, outcomes: Outcomes, bots: int) -> None:
        """Begin with factors that say nothing. `bots`: how many there are in all."""
        self._bots = bots
        self.outcomes = outcomes
        players, neighbours = outcomes.players, outcomes.players - 1
        luck = LUCK**2 * (2 * np.eye(neighbours) - np.eye(neighbours, k=1) - np.eye(neighbours, k=-1))
        self._luck = luck[:, :, None]
        """The covariance that luck gives the differences of the performances of neighbours."""
        self._precision = np.zeros((neighbours, 0))
        self._shift = np.zeros((neighbours, 0))
        self._outcome = np.zeros(0, dtype=np.int64)
        """By order: its outcome."""
        self._order = np.zeros((players, 0), dtype=np.int64)
        """By position and order: the place in the outcome."""
        self._ties = np.zeros((neighbours, 0), dtype=np.bool_)
        """By pair of neighbours and order: whether they tie."""
        self._weight = np.zeros(0)
        """By order: one divided by how many orders its outcome has."""
        self._places = np.zeros((players, 0), dtype=np.int64)
        """By place and outcome: the number of the bot."""
        self.precision = np.zeros((players, players, 0))
        """By place, place and outcome."""
        self.shift = np.zeros((players, 0))
        """By place and outcome."""
        self.extend()

    def __len__(self) -> int:
        """Return how many different outcomes there are."""
        return len(self.counts)

    def add(self, game: RatingInput, numbers: Mapping[str, int]) -> None:
        """Add a game, to be taken in by `extend`. `numbers`: of the bots, by name."""
        self.outcomes.add(game, numbers)

    def extend(self, bots: int | None = None) -> int:
        """Take in outcomes that were added since; factors of known outcomes stay as they are.

        Args:
            bots: How many bots there are in all now; None: as many as before.

        Returns:
            The number of the first new outcome.
        """
        self._bots = self._bots if bots is None else bots
        first = self._places.shape[1]
        self._places = np.ascontiguousarray(self.outcomes.bots.T)
        self.counts = self.outcomes.counts
        """By outcome: how many games ended so."""
        ties = self.outcomes.ties
        tied = float(ties.mean(axis=1) @ self.counts) / max(1.0, float(self.counts.sum()))
        tied = min(_MOST_TIES, max(_FEWEST_TIES, tied))
        self.margin = NormalDist().inv_cdf((tied + 1) / 2) * math.sqrt(2) * LUCK
        """The difference of performances below which two of equal skill tie as often as neighbours here do."""
        orders = [tied_orders(each) for each in ties[first:].tolist()]
        if not orders:
            return first
        numbers = np.array([len(each) for each in orders])
        outcome = np.repeat(np.arange(len(orders)), numbers).astype(np.int64)
        order = np.array([order for each in orders for order in each], dtype=np.int64).T
        self._outcome = np.concatenate([self._outcome, first + outcome])
        self._order = np.concatenate([self._order, order], axis=1)
        self._ties = np.concatenate([self._ties, ties[first:][outcome].T], axis=1)
        self._weight = np.concatenate([self._weight, (1 / numbers)[outcome]])
        players = self.outcomes.players
        new = np.zeros((players - 1, order.shape[1]))
        self._precision = np.concatenate([self._precision, new], axis=1)
        self._shift = np.concatenate([self._shift, new], axis=1)
        self.precision = np.concatenate([self.precision, np.zeros((players, players, len(orders)))], axis=2)
        self.shift = np.concatenate([self.shift, np.zeros((players, len(orders)))], axis=1)
        return first

    def information(self, first: int = 0, end: int | None = None) -> tuple[Floats, Floats]:
        """Return what outcomes together say of the skills: a matrix of precisions, and precision times mean.

        Args:
            first: The first of them.
            end: The first that is none of them; None: all that follow.
        """
        places, counts = self._places[:, first:end], self.counts[first:end]
        cells = places[:, None] * self._bots + places
        precisions = self.precision[:, :, first:end] * counts
        matrix = np.bincount(cells.ravel(), precisions.ravel(), self._bots**2).reshape(self._bots, self._bots)
        shifts = self.shift[:, first:end] * counts
        vector = np.bincount(places.ravel(), shifts.ravel(), self._bots).astype(np.float64)
        return (matrix + matrix.T) / 2, vector

    def meetings(self) -> Floats:
        """Return by bot and bot in how many games they met, divided by the number of opponents in each."""
        size, places = self._bots, self._places
        met = np.zeros(size**2)
        for one in range(1, len(places)):
            for other in range(one):
                met += np.bincount(places[one] * size + places[other], self.counts, size**2)
        found = met.reshape(size, size)
        return np.asarray((found + found.T) / (len(places) - 1))

    def update(
        self, mean: Floats, covariance: Floats, first: int = 0, sweeps: int = _SWEEPS, share: float = 1.0
    ) -> None:
        """Make factors fit what is known of the skills now.

        Args:
            mean: By bot.
            covariance: By bot and bot.
            first: The first outcome whose factors change; those before stay as they are.
            sweeps: How often the factors of a game take each other into account.
            share: Which part of the way factors go to where they fit, more than 0 and at most 1.
        """
        for begin in range(first, len(self), _AT_ONCE):
            if self.outcomes.players == 2:
                self._update_pairs(mean, covariance, slice(begin, begin + _AT_ONCE), share)
            else:
                self._update_some(mean, lambda places: covariance[places[:, None], places], begin, sweeps, share)

    def update_sure(self, mean: Floats, covariance: Floats, reached: Reach, sweeps: int, share: float) -> None:
        """Make all factors fit, those of games of three that are sure more exactly.

        If one bot always finishes before another, single factors say too little of it, like those of two players. So
        all games of three that ended alike are one factor, of both differences of neighbours.

        Args:
            mean: As in `update`, like the others.
            covariance: By bot and bot.
            reached: Which bots finished before which, by bot and bot.
            sweeps: How often the other factors of a game take each other into account.
            share: Which part of the way factors go.
        """
        first, second, third = self._places
        is_sure = (reached[first, second] & ~reached[second, first]) | (
            reached[second, third] & ~reached[third, second]
        )
        those = np.flatnonzero(is_sure & ~self.outcomes.ties.any(axis=1))
        given, given_shift = self.precision[:, :, those], self.shift[:, those]
        self.update(mean, covariance, sweeps=sweeps, share=share)
        for begin in range(0, len(those), _AT_ONCE // 8):
            some = slice(begin, begin + _AT_ONCE // 8)
            places, counts = self._places[:, those[some]], self.counts[those[some]]
            near = mean[places], _differences(covariance[places[:, None], places]) + _LEAST * np.eye(2)[:, :, None]
            near = near[0][:-1] - near[0][1:], near[1]
            known = inverted(near[1])
            own = counts * _at_neighbours(_at_neighbours(given[:, :, some]).swapaxes(0, 1))
            own_shift = counts * _at_neighbours(given_shift[:, some])
            left, left_shift = known - own, _times(known, near[0]) - own_shift
            found_mean, found = repeated_order(near, (left, left_shift), counts, self.margin, LUCK)
            now = inverted(found)
            own += share * (now - left - own)
            own_shift += share * (_times(now, found_mean) - left_shift - own_shift)
            self.precision[:, :, those[some]] = _at_bots(_at_bots(own).swapaxes(0, 1)) / counts
            self.shift[:, those[some]] = _at_bots(own_shift) / counts

    def update_roughly(self, mean: Floats, precision: Floats) -> None:
        """Make all factors fit, as if the skills of those who did not play in a game were known exactly.

        That needs no inverse of a large matrix, and what is left without the game is never negative.

        Args:
            mean: By bot.
            precision: The inverse of the covariance, by bot and bot.
        """
        if not np.diff(np.sort(self._places, axis=0), axis=0).all():
            return  # in an altered ledger a bot plays against itself, so that the matrix below would have a row twice
        for begin in range(0, len(self), _AT_ONCE):
            self._update_some(mean, lambda places: inverted(precision[places[:, None], places]), begin, 1, 1.0)

    def _update_pairs(self, mean: Floats, covariance: Floats, some: slice, share: float) -> None:
        """Make the factors of some outcomes of two players fit, each of all games that ended so."""
        (one, other), counts = self._places[:, some], self.counts[some]
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other] + _LEAST
        given_precision, given_shift = counts * self.precision[0, 0, some], counts * self.shift[0, some]
        left_precision = 1 / variance - given_precision
        left_shift = (mean[one] - mean[other]) / variance - given_shift
        # The first order of an outcome says all: both orders of a tie of two are the same.
        ties = self._ties[0, np.searchsorted(self._outcome, np.arange(len(self))[some])]
        found_mean, found_variance = repeated_result(
            left_shift / left_precision, 1 / left_precision, counts, self.margin, math.sqrt(2) * LUCK, ties
        )
        precision = given_precision + share * (1 / found_variance - left_precision - given_precision)
        shift = given_shift + share * (found_mean / found_variance - left_shift - given_shift)
        self.precision[:, :, some] = _ONE_AND_OTHER[:, :, None] * np.maximum(precision, 0.0) / counts
        self.shift[:, some] = np.stack([shift, -shift]) / counts

    def _update_some(self, mean: Floats, covariances: _Covariances, begin: int, sweeps: int, share: float) -> None:
        """Make the factors of some outcomes fit. `begin`: the first of them."""
        some = slice(begin, begin + _AT_ONCE)
        orders = slice(*np.searchsorted(self._outcome, (some.start, some.stop)).tolist())
        places = self._places[:, some]
        # Look at the differences of neighbours, and leave out what this very game says, once.
        known = inverted(_differences(covariances(places)) + _LEAST * np.eye(len(places) - 1)[:, :, None])
        spread = inverted(known - _at_neighbours(_at_neighbours(self.precision[:, :, some]).swapaxes(0, 1)))
        middle = mean[places]
        middle = _times(spread, _times(known, middle[:-1] - middle[1:]) - _at_neighbours(self.shift[:, some]))
        # Then add the luck of this game.
        middle, spread = self._by_order(middle, spread, some, orders)
        sweeps = sweeps if self.outcomes.players > 2 else 1
        self._update_factors(middle, inverted(spread + self._luck), orders, sweeps, share)
        self._observe(some, orders)

    def _by_order(self, middle: Floats, spread: Floats, some: slice, orders: slice) -> tuple[Floats, Floats]:
        """Return means and covariances of the differences of neighbours in each order.

        Args:
            middle: The means by outcome, whose neighbours are those by place.
            spread: The covariances.
            some: The outcomes.
            orders: Their orders.
        """
        outcome, order = self._outcome[orders] - some.start, self._order[:, orders]
        # Say where each bot is, seen from the last one: then differences of any two are known.
        middle = _places_of(middle)[order, outcome]
        spread = _places_of(_places_of(spread).swapaxes(0, 1))
        return middle[:-1] - middle[1:], _differences(spread[order[:, None], order, outcome])

    def _update_factors(self, middle: Floats, known: Floats, orders: slice, sweeps: int, share: float) -> None:
        """Make factors fit.

        Args:
            middle: The means of the differences of performances if the game were unknown, by order.
            known: Their precisions.
            orders: Those of some outcomes.
            sweeps: How often factors take each other into account.
            share: Which part of the way they go.
        """
        given_precision, given_shift, ties = self._precision[:, orders], self._shift[:, orders], self._ties[:, orders]
        shift = _times(known, middle)
        diagonal = np.arange(len(known))
        for _ in range(sweeps):
            together = known.copy()
            together[diagonal, diagonal] += given_precision
            covariance = inverted(together)
            variance = covariance[diagonal, diagonal]
            mean = _times(covariance, shift + given_shift)
            # Leave out the factor itself: the precision and the shift that the others leave to it.
            left_precision = 1 / variance - given_precision
            left_shift = mean / variance - given_shift
            scale = np.sqrt(left_precision)
            expected = left_shift / scale
            margin = self.margin * scale
            v, w = win_moments(expected - margin)
            if ties.any():
                v[ties], w[ties] = tie_moments(expected[ties], margin[ties])
            w = np.clip(w, 1e-12, 1 - 1e-9)
            given_precision += share * (left_precision * w / (1 - w) - given_precision)
            given_shift += share * ((left_shift + scale * v) / (1 - w) - left_shift - given_shift)

    def _observe(self, some: slice, orders: slice) -> None:
        """Compute what outcomes say of the skills of their bots, which have luck on top: precision and shift.

        Args:
            some: These outcomes.
            orders: Their orders.
        """
        players = self.outcomes.players
        given = self._precision[:, orders]
        spread = np.repeat(self._luck, given.shape[1], axis=2)
        diagonal = np.arange(players - 1)
        spread[diagonal, diagonal] += 1 / given
        said = inverted(spread)
        said_shift = _times(said, self._shift[:, orders] / given)
        precision = _at_bots(_at_bots(said).swapaxes(0, 1))
        shift = _at_bots(said_shift)
        outcome, weight = self._outcome[orders] - some.start, self._weight[orders]
        # Most outcomes have no tie, and one order, that of their places.
        single = weight == 1
        all_precision, all_shift = self.precision[:, :, some], self.shift[:, some]
        all_precision[:, :, outcome[single]] = precision[:, :, single]
        all_shift[:, outcome[single]] = shift[:, single]
        tied = np.flatnonzero(~single)
        if not len(tied):
            return
        those, numbers = np.unique(outcome[tied], return_inverse=True)
        order, shares = self._order[:, orders][:, tied], weight[tied]
        cells = (order[:, None] * players + order) * len(those) + numbers
        shape = (players, players, len(those))
        summed = np.bincount(cells.ravel(), (precision[:, :, tied] * shares).ravel(), math.prod(shape))
        all_precision[:, :, those] = summed.reshape(shape)
        summed = np.bincount((order * len(those) + numbers).ravel(), (shift[:, tied] * shares).ravel())
        all_shift[:, those] = summed.reshape(shape[1:])

    def block_scores(self, mean: Floats) -> BlockScores:
        """Return what each block says at these skills, by bot."""
        game = self.outcomes.of_game
        places, slopes, precision = self.said_at(mean)
        return blocks_of_games(places[game], slopes[game], precision[game], self.outcomes.block_of_game)

    def said_at(self, mean: Floats) -> tuple[Ints, Floats, Floats]:
        """Return by outcome and place the bot, and what is said at these skills: the slope, and the precisions."""
        slopes = (self.shift - _times(self.precision, mean[self._places])).T
        return self._places.T, slopes, np.moveaxis(self.precision, 2, 0)


def _times(matrices: Floats, vectors: Floats) -> Floats:
    """Multiply each matrix with its vector; the number of the matrix comes last."""
    return np.asarray((matrices * vectors).sum(axis=1))


def _differences(covariances: Floats) -> Floats:
    """Return the covariances of the differences of neighbours, by pair, pair and matrix."""
    rows = covariances[:-1] - covariances[1:]
    return np.asarray(rows[:, :-1] - rows[:, 1:])


def _at_bots(values: Floats) -> Floats:
    """Turn what is said of differences of neighbours, in the first axis, into what is said of these bots."""
    found = np.zeros((len(values) + 1, *values.shape[1:]))
    found[:-1] = values
    found[1:] -= values
    return found


def _at_neighbours(values: Floats) -> Floats:
    """Turn what is said of bots, in the first axis, into what is said of the differences of neighbours."""
    found = values[:-1].copy()
    for pair in range(1, len(found)):
        found[pair] += found[pair - 1]
    return found


def _places_of(differences: Floats) -> Floats:
    """Return where bots are, seen from the last one, by what each is ahead of the next, in the first axis."""
    found = np.zeros((len(differences) + 1, *differences.shape[1:]))
    found[:-1] = differences
    for place in range(len(differences) - 2, -1, -1):
        found[place] += found[place + 1]
    return found


def inverted(matrices: Floats) -> Floats:
    """Return the inverses of symmetric positive definite matrices, by row, column and matrix.

    Each step of the arithmetic goes over all matrices with one call. For matrices of 2 to 5 rows that is several times
    as fast as a call of LAPACK for each, which is what numpy does. They need no pivots, and so none are looked for
    (Gauss and Jordan's elimination).
    """
    found = np.array(matrices)
    size = len(found)
    for pivot in range(size):
        row = found[pivot]
        scale = 1 / row[pivot]
        row[pivot] = 1.0
        row *= scale
        for other in range(size):
            if other != pivot:
                factor = found[other, pivot].copy()
                found[other, pivot] = 0.0
                found[other] -= factor * row
    return found

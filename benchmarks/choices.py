"""Fit strengths by maximum likelihood where a game is a number of choices: Plackett-Luce and Bradley-Terry.

In both models one of some bots is chosen with a probability in proportion to exp(strength). In the Plackett-Luce model
(Plackett 1975) a game is such a choice for the first place, then one among the others for the second, and so on. Bots
that tie are chosen together, while the others of them count in part (Efron 1977). In the Bradley-Terry model (1952)
each two bots of a game make a choice of their own, and a tie is half of one; the pairs of a game of k bots count 2 / k
each, since they know that much together.

Strengths have a wide normal prior; without one, a bot that won everything would be infinitely strong. The arena rates
by neither: `benchmarks.held_out` shows that they foresee games no better than its own rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

import numpy as np

from arena.rating.base import RatingInput
from arena.rating.joint.block_errors import FittedPart, blocks_of_games, widened
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Ints, Outcomes
from arena.rating.joint.separation import components, reach

_PRIOR: Final = 2.0
"""The deviation of strengths before any game: of two bots of such a field, one mostly wins 9 of 10 games."""
_MOST_STEPS: Final = 100
_TOLERANCE: Final = 1e-10
_LONGEST_STEP: Final = 1.0

Choice = tuple[Sequence[float], Sequence[float]]
"""By place in a game: how much the bot was chosen, and how much it was there to be chosen."""
Choices = Callable[[Sequence[bool]], list[Choice]]
"""Makes choices of an outcome. It gets for each place but the last whether that bot ties with the next."""


def plackett_luce(ties: Sequence[bool]) -> list[Choice]:
    """Choose the first place among all, the second among the others, and so on."""
    found: list[Choice] = []
    start = 0
    while start < len(ties):
        end = start
        while end < len(ties) and ties[end]:
            end += 1
        group = end - start + 1
        for earlier in range(group if end < len(ties) else group - 1):
            chosen = [1 / group if start <= place <= end else 0.0 for place in range(len(ties) + 1)]
            there = [
                0.0 if place < start else 1 - earlier / group if place <= end else 1.0 for place in range(len(ties) + 1)
            ]
            found.append((chosen, there))
        start = end + 1
    return found


def bradley_terry(ties: Sequence[bool]) -> list[Choice]:
    """Choose between each two bots."""
    players = len(ties) + 1
    weight = 2 / players
    found: list[Choice] = []
    for one, other in combinations(range(players), 2):
        first = 0.5 if all(ties[one:other]) else 1.0
        chosen = [
            weight * (first if place == one else 1 - first if place == other else 0.0) for place in range(players)
        ]
        found.append((chosen, [1.0 if place in (one, other) else 0.0 for place in range(players)]))
    return found


def outcomes(games: Iterable[RatingInput], numbers: Mapping[str, int]) -> dict[int, Outcomes]:
    """Return the outcomes of games, by number of players in ascending order. `numbers`: of the bots, by name."""
    found: dict[int, Outcomes] = {}
    for game in games:
        players = len(game.bots)
        found.setdefault(players, Outcomes(players)).add(game, numbers)
    return dict(sorted(found.items()))


class ChoiceFit:
    """The most likely strengths of bots, and their errors."""

    def __init__(self, bots: Sequence[str], games: Iterable[RatingInput], choices: Choices) -> None:
        """Fit. `bots`: the names of all bots, which need not have played."""
        self._size = len(bots)
        numbers = {bot: number for number, bot in enumerate(bots)}
        self._parts = [
            (found, np.array([choices(ties) for ties in found.ties.tolist()]))
            for found in outcomes(games, numbers).values()
        ]
        self.mean = np.zeros(self._size)
        """By bot: its strength, as log-odds."""
        for _ in range(_MOST_STEPS):
            slope, information = self._likelihood()
            step = np.clip(np.linalg.solve(information, slope), -_LONGEST_STEP, _LONGEST_STEP)
            self.mean = self.mean + step
            if np.abs(step).max(initial=0.0) < _TOLERANCE:
                break

    def errors(self) -> Floats:
        """Return the covariance of the errors of `mean`, by bot and bot."""
        covariance = self.covariance()
        parts = []
        groups = components(reach([found for found, _ in self._parts], self._size))
        for found, choices in self._parts:
            slopes, curvatures = self._by_outcome(found.bots, choices)
            game = found.of_game
            blocks = blocks_of_games(found.bots[game], slopes[game], curvatures[game], found.block_of_game)
            information = self._scatter(found.bots, curvatures * found.counts[:, None, None])
            parts.append(FittedPart(blocks, information, covariance, covariance, groups))
        return widened(covariance, parts)

    def covariance(self) -> Floats:
        """Return the posterior covariance of `mean`, by bot and bot."""
        return np.asarray(np.linalg.inv(self._likelihood()[1]), dtype=np.float64)

    def _likelihood(self) -> tuple[Floats, Floats]:
        """Return the slope of the log-posterior and its curvature with the sign turned, at the present strengths."""
        slope: Floats = -self.mean / _PRIOR**2
        information: Floats = np.eye(self._size) / _PRIOR**2
        for found, choices in self._parts:
            slopes, curvatures = self._by_outcome(found.bots, choices)
            weighted = (slopes * found.counts[:, None]).ravel()
            slope = slope + np.bincount(found.bots.ravel(), weighted, self._size)
            information = information + self._scatter(found.bots, curvatures * found.counts[:, None, None])
        return slope, information

    def _by_outcome(self, bots: Ints, choices: Floats) -> tuple[Floats, Floats]:
        """Return by outcome and place the slope, and by outcome, place and place the curvature with the sign turned."""
        chosen, there = choices[:, :, 0], choices[:, :, 1]
        likely = there * np.exp(self.mean[bots])[:, None, :]
        likely = likely / likely.sum(axis=2, keepdims=True)
        weight = chosen.sum(axis=2, keepdims=True)
        slopes = (chosen - weight * likely).sum(axis=1)
        own = np.einsum("gck,kl->gkl", weight * likely, np.eye(bots.shape[1]))
        return slopes, own - np.einsum("gck,gcl->gkl", weight * likely, likely)

    def _scatter(self, bots: Ints, matrices: Floats) -> Floats:
        cells = bots[:, :, None] * self._size + bots[:, None, :]
        sums = np.bincount(cells.ravel(), matrices.ravel(), self._size**2)
        return sums.reshape(self._size, self._size).astype(np.float64)

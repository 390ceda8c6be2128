"""Find bots whose distance from others games do not bound: separation, as in a regression on results that are sure.

If a bot finishes before another in some game, or ties with it, and the other way round in another, games say how far
apart the two are; so they do along a chain of such bots. If one group of bots always finishes before another, games say
"at least so far ahead", and nothing of how much more. Such groups are the strongly connected components of the graph in
which each bot points to those before which it finished (Ford 1957, "Solution of a ranking problem from binary
comparisons").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.rating.base import Bound
from arena.rating.joint.gaussian_tails import Floats
from arena.rating.joint.outcomes import Ints, Outcomes

Reach = NDArray[np.bool_]
"""By bot and bot: whether one finished before the other, or before a bot that did, and so on; each reaches itself."""
_HALF: Final = 0.5
"""The part of a table's bots that has to be in one group if ratings are to be distances from its mean."""


def reach(outcomes: Iterable[Outcomes], bots: int) -> Reach:
    """Return who reaches whom after some games. `bots`: how many there are."""
    found = np.eye(bots, dtype=np.bool_)
    for each in outcomes:
        places, ties = each.bots, each.ties
        for before in range(each.players - 1):
            found[places[:, before], places[:, before + 1]] = True
            tied = ties[:, before]
            found[places[tied, before + 1], places[tied, before]] = True
    return closure(found)


def closure(ahead: Reach) -> Reach:
    """Return who reaches whom, given who finished before whom or tied with it in a game."""
    found = ahead
    while not found.all():
        steps = found.astype(np.float32)
        further = steps @ steps > 0  # twice as many steps
        if np.array_equal(further, found):
            break
        found = further
    return found


def components(reached: Reach) -> Ints:
    """Return by bot the number of its group: bots of one group reach each other. A group has its first bot's number."""
    if not reached.size:
        return np.zeros(0, dtype=np.int64)
    return np.asarray(np.argmax(reached & reached.T, axis=1), dtype=np.int64)


def centred(groups: Ints) -> Floats:
    """Return the matrix that takes from each bot's number the mean of its group."""
    together = groups[:, None] == groups[None, :]
    return np.asarray(np.eye(len(groups)) - together / together.sum(axis=1, keepdims=True))


class Centre(NamedTuple):
    """What ratings of a table are distances from."""

    bots: list[int]
    """The bots whose mean it is."""
    bounds: dict[int, Bound]
    """By bot: on which side of it the rating is known, if on one side alone."""


def centre_of(reached: Reach, those: Sequence[int], mean: Floats) -> Centre:
    """Find the centre of a table: the group of half of its bots or more, however far ahead or behind others may be.

    If there is no such group, or each bot is one by itself, the centre is the mean of all bots.

    Args:
        reached: Who reaches whom, by bot and bot.
        those: The bots of the table.
        mean: By bot: its strength. If there are two halves, the stronger one is taken.
    """
    groups: dict[int, list[int]] = {}
    numbers = components(reached)
    for bot in those:
        groups.setdefault(int(numbers[bot]), []).append(bot)
    large = [group for group in groups.values() if len(group) > 1 and len(group) >= _HALF * len(those)]
    centre = max(large, key=lambda group: float(np.mean(mean[group])), default=list(those))
    bounds: dict[int, Bound] = {}
    those_there = np.array(centre, dtype=np.int64)
    for bot in range(len(reached)):
        others = those_there[numbers[those_there] != numbers[bot]]
        ahead, behind = reached[bot, others].any(), reached[others, bot].any()
        if ahead and not behind:
            bounds[bot] = "at least"
        elif behind and not ahead:
            bounds[bot] = "at most"
    return Centre(centre, bounds)


def deviations(centre: Centre, errors: Floats, model: Floats) -> Floats:
    """Return by bot the standard error of its distance from the centre.

    Args:
        centre: The centre.
        errors: The covariance of the errors, by bot and bot.
        model: That which the model itself gives; where blocks cannot show how large an error is, it is no smaller.
    """
    found, assumed = (_distances(matrix, centre.bots) for matrix in (errors, model))
    bounded = list(centre.bounds)
    found[bounded] = np.maximum(found[bounded], assumed[bounded])
    return found


def _distances(covariance: Floats, centre: Sequence[int]) -> Floats:
    shared = covariance[:, centre].mean(axis=1)
    variances = np.diag(covariance) - 2 * shared + shared[centre].mean()
    return np.asarray(np.sqrt(np.maximum(variances, 0.0)))

"""Head to head: the difference of two bots' finishes in their common games, and its reliability."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from arena.ledger import MatchResult
from arena.rating import RatingInput, compare


class Pairing(NamedTuple):
    """One bot against another, over the games that both played."""

    games: int
    ahead: float | None
    """By how much it finishes before the other; 1: always first against last. None: they never met."""
    error: float | None
    """Its standard error; None with fewer than two blocks."""
    better: float | None
    """The probability that it is really better; None if nothing is known about that."""


NEVER = Pairing(0, None, None, None)


def head_to_head(results: Sequence[MatchResult], bots: Sequence[str]) -> dict[tuple[str, str], Pairing]:
    """Return the results of all pairs of bots that met, in either order."""
    games: dict[tuple[str, str], list[RatingInput]] = {}
    for result in results:
        game = RatingInput(result.bots, result.ranks, result.scores, (result.players, result.block))
        for pair in combinations(sorted(result.bots), 2):
            games.setdefault(pair, []).append(game)
    wanted = set(bots)
    found = {}
    for (one, other), common in games.items():
        if one not in wanted or other not in wanted:
            continue
        compared = compare(common, one, other)
        assert compared is not None
        ahead, error = compared
        found[one, other] = Pairing(len(common), ahead, error, better(ahead, error))
        found[other, one] = Pairing(len(common), -ahead, error, better(-ahead, error))
    return found


def better(ahead: float, error: float | None) -> float | None:
    """Return the probability that a difference measured with this error is really above zero: Phi(ahead / error).

    It is None if there is no error, or if both are 0. A difference without any spread is certain.
    """
    if error is None or (error == 0 and ahead == 0):
        return None
    if error == 0:
        return 1.0 if ahead > 0 else 0.0
    return (1 + math.erf(ahead / error / math.sqrt(2))) / 2

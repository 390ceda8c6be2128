"""Test for every two bots of a field which of them is better: all at once, and however often one looks.

What is tested of two bots is by how much one finishes before the other in games that both play. Every whole block with
both is an observation (`arena.rating.betting.betting_tests`). Each pair has an equal part of the error (Bonferroni). So
with a probability of 1 - `error` nothing is wrong that is ever said of any pair; which pairs are looked at may depend
on their results, as it does for neighbours in a table.

If bots join, the parts become smaller, and what was known may become unknown again. The error then holds for all that
is said with the same number of bots, if that number does not depend on results. It does not hold for all together that
was said with fewer bots and with more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from arena.rating.base import Finding

if TYPE_CHECKING:
    from arena.rating.betting.betting_tests import BettingTests


class Meetings(NamedTuple):
    """The games that two bots played with each other."""

    games: int
    difference: float | None
    """By how much one finished before the other, on average. None without a game."""


class RankingTests:
    """Takes whole blocks in the order of the schedule, and says at any time what is known of any two bots."""

    def __init__(self, margin: float, error: float) -> None:
        """Begin with no games.

        Args:
            margin: The difference of mean finishes below which it does not matter who is better.
            error: The probability that anything that is said of a field may be wrong.
        """
        self._margin = margin
        self._error = error
        self._numbers: dict[tuple[str, str], int] = {}
        """By two bots in alphabetical order: the number of their test."""
        self._tests: BettingTests | None = None
        """None before the first game: a command that plays none shall not wait until numpy is imported."""

    def add(self, bots: Sequence[str], games: Iterable[tuple[Sequence[str], Sequence[float]]]) -> None:
        """Add a whole block: its bots, and each of its games as the bots by seat and where they finished, 0 to 1."""
        import numpy as np

        from arena.rating.betting.betting_tests import BettingTests, Observations

        totals = dict.fromkeys(combinations(sorted(bots), 2), 0.0)
        for seats, placed in games:
            finishes = dict(zip(seats, placed, strict=True))
            for one, other in totals:
                totals[one, other] += finishes[other] - finishes[one]
        if self._tests is None:
            self._tests = BettingTests(self._margin)
        tests = [self._numbers.setdefault(pair, len(self._numbers)) for pair in totals]
        self._tests.extend(len(self._numbers))
        number = np.full(len(tests), float(len(bots)))
        variances = number * variance_of_game(len(bots))
        self._tests.add(Observations(np.array(tests), np.array(list(totals.values())), number, variances))

    def finding(self, one: str, other: str, bots: int) -> Finding:
        """Return what is known of `one` against `other`, in a tournament in which so many bots have taken part."""
        number = self._numbers.get((one, other) if one < other else (other, one))
        if number is None or self._tests is None:
            return "unknown"
        pairs = max(1, bots * (bots - 1) // 2)
        found = self._tests.finding(number, self._error / pairs)
        if one < other or found in ("within", "unknown"):
            return found
        return "worse" if found == "better" else "better"

    def meetings(self, one: str, other: str) -> Meetings:
        """Return the games of both, and by how much `one` finished before `other` in them."""
        number = self._numbers.get((one, other) if one < other else (other, one))
        if number is None or self._tests is None:
            return Meetings(0, None)
        mean = self._tests.mean(number)
        return Meetings(self._tests.games(number), mean if mean is None or one < other else -mean)


def variance_of_game(players: int) -> float:
    """Return the variance of the difference of two finishes in one game, if all orders are equally likely."""
    return players * (players + 1) / (6 * (players - 1) ** 2)

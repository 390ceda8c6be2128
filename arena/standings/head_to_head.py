"""Head to head: which of two bots is better, from all games together, and the record of the games that both played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Final, NamedTuple

from arena.ledger import GameResult
from arena.rating import SkillDifferences
from arena.rating.base import Bound, RatingInput, SkillDifference
from arena.rating.rated_table import rating_input


class Pairing(NamedTuple):
    """One bot against another."""

    games: int
    """That both played."""
    ahead: int
    """In how many of them it finished ahead; ties are in neither."""
    behind: int
    difference: float | None
    """By how much it is better, on the scale of the ratings, from all games together.

    None: one of them has not played, or the rating system knows no errors.
    """
    error: float | None
    """The standard error of the difference."""
    better: float | None
    """The probability that it is really better."""
    bound: Bound | None = None
    """On which side the difference is known, if on one side alone."""

    @property
    def one_sided(self) -> SkillDifference | None:
        """Return the difference if it is known on one side alone."""
        if self.bound is None or self.difference is None or self.error is None:
            return None
        return SkillDifference(self.difference, self.error, self.bound)

    @property
    def ties(self) -> int:
        """Return in how many of their games they finished level."""
        return self.games - self.ahead - self.behind


class Record(NamedTuple):
    """How often two bots met, and who finished ahead."""

    games: int
    ahead: int
    behind: int


_NEVER: Final = Record(0, 0, 0)
Records = Mapping[tuple[str, str], Record]
"""By two bots in alphabetical order: the record of the first one against the second."""


def rating_inputs(results: Iterable[GameResult]) -> list[RatingInput]:
    """Return games as they are rated. One of a bot with itself alone, as an altered ledger may have, says nothing."""
    return [
        rating_input(each.bots, each.ranks, each.scores, (each.players, each.block), each.teams)
        for each in results
        if len(set(each.bots)) > 1
    ]


def records(results: Iterable[GameResult]) -> Records:
    """Count who finished ahead of whom, among those that are no partners."""
    counts: dict[tuple[str, str], list[int]] = {}
    for result in rating_inputs(results):
        teams = [{result.bots[seat] for seat in team} for team in result.teams]
        for (one, rank), (other, other_rank) in combinations(sorted(zip(result.bots, result.ranks, strict=True)), 2):
            if any({one, other} <= team for team in teams):
                continue
            count = counts.setdefault((one, other), [0, 0, 0])
            count[0] += 1
            count[1] += rank < other_rank
            count[2] += other_rank < rank
    return {pair: Record(*count) for pair, count in counts.items()}


class HeadToHead:
    """Every bot against every other one, also those that never met."""

    def __init__(self, met: Records, differences: SkillDifferences | None) -> None:
        """Take the records of the rated games, and the differences of the overall table made of the same games."""
        self._met = met
        self._differences = differences
        self._played = {bot for pair in met for bot in pair}

    def pairing(self, one: str, other: str) -> Pairing:
        """Return how one bot does against another one."""
        record = self._met.get((one, other))
        if record is None:
            games, behind, ahead = self._met.get((other, one), _NEVER)
            record = Record(games, ahead, behind)
        if self._differences is None or not {one, other} <= self._played:
            return Pairing(*record, None, None, None)
        found = self._differences.difference(one, other)
        return Pairing(*record, found.mean, found.error, found.above(0.0), found.bound)

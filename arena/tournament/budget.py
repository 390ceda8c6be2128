"""How much of a schedule is asked for, and whether its blocks so far are enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.ledger import BlockRecord, FieldEvent
from arena.tournament.formats import Field

Due = Callable[[Field, int], Mapping[int, int]]
"""See `Format.due`."""


class Budget(NamedTuple):
    """How much is asked for, always in whole blocks. With neither limit: all that the format draws."""

    games: int | None = None
    """Games that count, between bots that are in the field now."""
    rounds: int | None = None
    """Rounds since a bot joined the field last."""


class _Block(NamedTuple):
    record: BlockRecord
    games: int
    """How many of its games count."""


class Demand:
    """Go through the blocks of a schedule until a budget is spent.

    What is asked for: so many games of the field as it is now, and for each of its bots the blocks that are due to it.
    The field is without those that were suspended before the block that is looked at.
    """

    def __init__(self, budget: Budget, players: Sequence[int], events: Sequence[FieldEvent], due: Due) -> None:
        """`players`: the player counts asked for; `events`: all of the field."""
        self._budget = budget
        self._players = players
        self._due_in = due
        self._field: set[str] = set()
        self._late: set[str] = set()
        """Who joined after the first round."""
        self._first_round = 0
        for event in events:
            if event.kind == "leave":
                self._field.discard(event.bot)
                continue
            self._field.add(event.bot)
            self._first_round = max(self._first_round, event.round)
            if event.place:
                self._late.add(event.bot)
        self._blocks: list[_Block] = []
        self._count()

    def add(self, block: BlockRecord, games: int, suspended: Iterable[str]) -> None:
        """Add the next block.

        Args:
            block: The block.
            games: How many of its games count.
            suspended: Who was suspended before its end, and has not come back.
        """
        self._blocks.append(_Block(block, games))
        if self._field.intersection(suspended):
            self._field -= set(suspended)
            self._count()
        else:
            self._add(self._blocks[-1])

    def is_met(self, round: int) -> bool:
        """Return whether a further block, of that round, is not asked for any more, or could not be played."""
        if not self._counts:
            return True
        if self._budget.rounds is not None:
            return round - self._first_round >= self._budget.rounds
        return self._budget.games is not None and self._games >= self._budget.games and not any(self._lacking())

    @property
    def games(self) -> int:
        """Return how many games of the present field count."""
        return self._games

    @property
    def left(self) -> int | None:
        """Return about how many games are left to be played. None: that is not known."""
        if self._budget.games is None:
            return None
        worst: Counter[int] = Counter()
        for count, blocks in self._lacking():
            worst[count] = max(worst[count], blocks)
        return max(0, self._budget.games - self._games, sum(count * blocks for count, blocks in worst.items()))

    def _lacking(self) -> Iterable[tuple[int, int]]:
        """Yield what bots lack, as a count and a number of blocks."""
        for count, due in self._due.items():
            for bot in self._field:
                if (lacks := due - self._had[bot, count]) > 0:
                    yield count, lacks
        for bot in self._late & self._field:  # even if little is asked for: somebody wants to see it play
            if not self._games_of[bot] and self._counts:
                yield self._counts[0], 1

    def _count(self) -> None:
        """Count all blocks once more, for another field."""
        self._counts = tuple(count for count in self._players if count <= len(self._field))
        asked = self._budget.games
        field = Field(tuple(sorted(self._field)), self._counts)
        self._due = {} if asked is None or not self._counts else self._due_in(field, asked)
        self._had: Counter[tuple[str, int]] = Counter()
        self._games_of: Counter[str] = Counter()
        self._games = 0
        for block in self._blocks:
            self._add(block)

    def _add(self, block: _Block) -> None:
        bots = block.record.bots
        whole = block.games == len(bots)
        for bot in bots:
            self._had[bot, len(bots)] += whole
            self._games_of[bot] += block.games
        if self._field.issuperset(bots):
            self._games += block.games

"""How much of a schedule is asked for, whether its blocks so far are enough, and which of its games count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from typing import Final, NamedTuple

from arena.formats import Field
from arena.ledger import BlockRecord, FieldEvent, RatedGames, RunBudget
from arena.tournament.schedule.fixtures import Fixtures

Due = Callable[[Field, int], Mapping[int, int]]
"""See `Format.due`."""
_FEW_FAILURES: Final = 8
"""So many games may be set aside in a run before it ends, or a twentieth of those asked for if that is more."""


def most_failures(games: int | None) -> int:
    """Return how many failures of a run may be charged to nobody before it ends. `games`: how many it is asked for."""
    return max(_FEW_FAILURES, (games or 0) // 20)


class _Block(NamedTuple):
    bots: list[str]
    games: int
    """How many of its games count."""


class Demand:
    """Go through the blocks of a schedule until a budget is spent.

    What is asked for: so many games of the field as it is now, and for each of its bots the blocks that are due to it.
    The field is without those that were suspended before the block that is looked at.
    """

    def __init__(self, budget: RunBudget, players: Sequence[int], events: Sequence[FieldEvent], due: Due) -> None:
        """Count what was asked for. `players`: the player counts asked for; `events`: all of the field."""
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
        self._had: Counter[tuple[str, int]] = Counter()
        """By bot and count: whole blocks."""
        self._blocks_of: dict[str, list[_Block]] = {}
        """Of the bots of the field."""
        self._games = 0
        self._gone = 0
        """How many of those that were suspended are out of the field."""
        self._change_field()

    def copy(self) -> Demand:
        """Return an independent one that has seen the same blocks."""
        other = copy(self)
        other._field, other._had = self._field.copy(), self._had.copy()
        other._blocks_of = {bot: blocks.copy() for bot, blocks in self._blocks_of.items()}
        return other

    def add(self, block: BlockRecord, games: int, suspended: Sequence[str]) -> None:
        """Add the next block.

        Args:
            block: The block.
            games: How many of its games count.
            suspended: Who was suspended before its end, and has not come back, in this order.
        """
        added, players = _Block(block.bots, games), len(block.bots)
        for bot in block.bots:
            self._had[bot, players] += games == players
            if bot in self._field:
                self._blocks_of.setdefault(bot, []).append(added)
        if self._field.issuperset(block.bots):
            self._games += games
        if len(suspended) > self._gone:
            for bot in self._field.intersection(suspended[self._gone :]):
                self._take_out(bot)
            self._gone = len(suspended)
            self._change_field()

    def is_met(self, round: int) -> bool:
        """Return whether a further block, of that round, is not asked for any more, or could not be played."""
        if not self._counts:
            return True
        if self._budget.rounds is not None:
            return round - self._first_round >= self._budget.rounds
        return self._budget.games is not None and self._games >= self._budget.games and not any(self._lacking())

    @property
    def is_over(self) -> bool:
        """Return whether too few bots are left for any game."""
        return not self._counts

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
            if self._counts and not any(block.games for block in self._blocks_of.get(bot, ())):
                yield self._counts[0], 1

    def _take_out(self, bot: str) -> None:
        """Let a bot leave the field: games in which it was are none of the field any more."""
        for block in self._blocks_of.pop(bot, ()):
            if self._field.issuperset(block.bots):
                self._games -= block.games
        self._field.remove(bot)

    def _change_field(self) -> None:
        """Ask the format what is due in the field as it is."""
        self._counts = tuple(count for count in self._players if count <= len(self._field))
        asked = self._budget.games
        field = Field(tuple(sorted(self._field)), self._counts)
        self._due = {} if asked is None or not self._counts else self._due_in(field, asked)


def add_block(demand: Demand, fixtures: Fixtures, number: int) -> BlockRecord | None:
    """Add a block to what is demanded, and return it. None: it is not known yet."""
    block = fixtures.block(number)
    if block is not None:
        gone = fixtures.history.gone(block.place + len(block.bots))
        demand.add(block, fixtures.counting(block), gone)
    return block


def rated_end(demand: Demand, fixtures: Fixtures) -> tuple[int, int]:
    """Return the length of the schedule's beginning that is rated, and its number of blocks, added to `demand`.

    Rated are the games asked for, or the longest beginning without a gap if not all of them were played.
    """
    number, end = 0, 0
    schedule = fixtures.schedule
    while number < schedule.drawn and not demand.is_met(schedule.round_of(number)):
        block = fixtures.block(number)
        if block is None or fixtures.unknown(block):
            break
        add_block(demand, fixtures, number)
        if fixtures.counting(block):
            end = block.place + len(block.bots)
        number += 1
    return end, number


def rated_games(
    fixtures: Fixtures, field: Collection[str], end: int | None, asked: int | None, expected: int | None = None
) -> RatedGames:
    """Return which games count: those before `end`, or all so far. What follows from later games is left out.

    `asked`, `expected`: see `RatedGames`.
    """
    suspensions = fixtures.history
    place = suspensions.reached if end is None else end
    suspended = suspensions.suspended(place)
    return RatedGames(
        games=end,
        suspended={bot: suspended[bot] for bot in sorted(suspended) if bot in field},
        without=fixtures.without_before(place),
        void=suspensions.void_before(place),
        absent=suspensions.absent_before(place),
        asked=asked,
        expected=expected if end is None else None,
    )

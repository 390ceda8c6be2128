"""The round robin across player counts: every bot has its share of blocks at every count, and meets all the others.

In a field that does not change, at every block boundary the blocks per bot at a count differ by at most 1 and the games
per count by at most one block; how often pairs meet is the business of `grouping`. When the field changes, newcomers
are drawn first, and at the round's end all are even again, each two of them since the later of their joins.

Where some never meet others (`Field.apart`), all that holds of each table by itself.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from arena.formats.base import Block, Field, Format, PlayedBlock
from arena.formats.drawing import RoundAtCount, draw_round
from arena.formats.tally import Tally
from engine.chance import Seeded, derive

DELAY: Final = 64
"""In games. Rounds of a small field are short, and many workers should not wait for the results of one."""
_MOST_OWED: Final = 32
"""Blocks at a count that a newcomer has before the others go on, at most."""
_MOST_GAMES: Final = 20_000
"""How many games a round behind a join has about at most, in a field that is large."""


Table = tuple[int, str]
"""A count, and the place of those who play there among themselves: empty, if nobody is kept apart."""


class Balanced(Format):
    """A round is the fewest blocks after which every bot has had one more at every count. It never ends.

    A round behind a join has as many of each bot as the newcomer lacks, those of the newcomer first.
    """

    delay: Final = DELAY
    ends: Final = False

    def __init__(self, seed: bytes) -> None:
        """Begin a draw. `seed`: the tournament's."""
        self._seed = seed
        self._tallies: dict[Table, Tally] = {}
        self._field: Field | None = None
        self._fields: dict[int, Field] = {}
        """By round whose results are not known."""
        self._games: dict[Table, int] = {}
        """How many games the rounds of this field have had."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw the round from what has been noted."""
        rounds = {}
        for place, bots in field.tables().items():
            chance = Seeded(derive(self._seed, "round", number, *([place] if place else [])))
            for count in [count for count in field.counts if count <= len(bots)]:
                tally = self._tallies.get((count, place), Tally(count)).copy()
                tally.change(bots, number, most_owed(field))
                rounds[count, place] = draw_round(tally, number, chance)
        games = self._games if field == self._field else {}
        return list(_in_turn(rounds, {table: games.get(table, 0) for table in rounds}))

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Note the blocks; until their results are known they count as whole."""
        if field != self._field:
            self._change(number, field)
        self._fields[number] = field
        for block in blocks:
            for table in _tables_of(block.bots, field):
                self._games[table] += len(block.bots)
                self._tallies[table].count_block(number, block.bots)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Take back the blocks of which games were left out: they are made up in rounds that are drawn from now on."""
        field = self._fields.pop(number)
        for block in blocks:
            for table in () if block.is_whole else _tables_of(block.bots, field):
                self._tallies[table].take_back(number, block.bots)

    def may_end(self, bots: Sequence[str]) -> bool:
        """Return whether these are as even as at a round's end, each two since the later of their joins."""
        for (count, _), tally in self._tallies.items():
            if count < len(tally.levels):  # else everybody is in every block, and more of them change nothing
                staying = tally.copy()
                staying.leave(bots)
                if len(staying.levels) > 1 and (not staying.is_even() or staying.excess()):
                    return False
        return True

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return how many blocks each bot has in a tournament of this field alone when so many games are played."""
        bots, counts = len(field.bots), field.counts
        rounds = games // (bots * len(counts))
        while sum(_blocks(bots, rounds, count) * count for count in counts) > games:
            rounds -= 1
        blocks = {count: _blocks(bots, rounds, count) for count in counts}
        while sum(blocks[count] * count for count in counts) < games:
            open_counts = [count for count in counts if blocks[count] < _blocks(bots, rounds + 1, count)]
            blocks[min(open_counts, key=lambda count: (blocks[count] * count, count))] += 1
        return {count: blocks[count] * count // bots for count in counts}

    def _change(self, number: int, field: Field) -> None:
        self._field = field
        tables = field.tables()
        self._games = {(count, place): 0 for place in tables for count in field.counts}
        for count, place in self._tallies.keys() | self._games.keys():
            bots = tables.get(place, ())
            self._tallies.setdefault((count, place), Tally(count)).change(bots, number, most_owed(field))


def _tables_of(bots: Sequence[str], field: Field) -> list[Table]:
    """Return the tables at which a block is counted: at all, if only those play who meet everybody."""
    return [(len(bots), place) for place, there in field.tables().items() if set(there).issuperset(bots)]


def most_owed(field: Field) -> int:
    """Return how many blocks at a count a newcomer may have before the others go on."""
    return max(1, min(_MOST_OWED, _MOST_GAMES // (len(field.bots) * len(field.counts))))


def _blocks(bots: int, rounds: int, count: int) -> int:
    """Return the fewest blocks at a count in which each of so many bots has one for each round."""
    return -(-bots * rounds // count)


def _in_turn(rounds: Mapping[Table, RoundAtCount], games: dict[Table, int]) -> Iterator[Block]:
    """Go through the blocks of all counts: those of newcomers first, at the count at which they have had the fewest.

    Then at the count that has had the fewest games. `games`: those before this round.
    """
    had = {table: drawn.had for table, drawn in rounds.items()}
    left = {table: deque(drawn.first) for table, drawn in rounds.items() if drawn.first}
    while left:
        table = min(left, key=lambda table: (had[table], table))
        group = left[table].popleft()
        had[table] += len(rounds[table].newcomers.intersection(group))
        games[table] += len(group)
        yield Block(group)
        if not left[table]:
            del left[table]
    left = {table: deque(drawn.rest) for table, drawn in rounds.items() if drawn.rest}
    while left:
        table = min(left, key=lambda table: (games[table], table))
        games[table] += len(group := left[table].popleft())
        yield Block(group)
        if not left[table]:
            del left[table]

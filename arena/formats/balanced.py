"""The round robin across player counts: every bot has its share of blocks at every count, and meets all the others.

In a field that does not change, at every block boundary the blocks per bot at a count differ by at most 1 and the games
per count by at most one block; how often pairs meet is the business of `grouping`. When the field changes, newcomers
are drawn first, and at the round's end all are even again, each two of them since the later of their joins.
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


class Balanced(Format):
    """A round is the fewest blocks after which every bot has had one more at every count. It never ends.

    A round behind a join has as many of each bot as the newcomer lacks, those of the newcomer first.
    """

    delay: Final = DELAY
    ends: Final = False

    def __init__(self, seed: bytes) -> None:
        """Begin a draw. `seed`: the tournament's."""
        self._seed = seed
        self._tallies: dict[int, Tally] = {}
        """By count."""
        self._field: Field | None = None
        self._games: dict[int, int] = {}
        """By count: how many games the rounds of this field have had."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw the round from what has been noted."""
        chance = Seeded(derive(self._seed, "round", number))
        rounds = {}
        for count in field.counts:
            tally = self._tallies.get(count, Tally(count)).copy()
            tally.change(field.bots, number, most_owed(field))
            rounds[count] = draw_round(tally, number, chance)
        games = self._games if field == self._field else {}
        return list(_in_turn(rounds, {count: games.get(count, 0) for count in field.counts}))

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Note the blocks; until their results are known they count as whole."""
        if field != self._field:
            self._change(number, field)
        for block in blocks:
            count = len(block.bots)
            self._games[count] += count
            self._tallies[count].count_block(number, block.bots)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Take back the blocks of which games were left out: they are made up in rounds that are drawn from now on."""
        for block in blocks:
            if not block.is_whole:
                self._tallies[len(block.bots)].take_back(number, block.bots)

    def may_end(self, bots: Sequence[str]) -> bool:
        """Return whether these are as even as at a round's end, each two since the later of their joins."""
        for count, tally in self._tallies.items():
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
        self._games = dict.fromkeys(field.counts, 0)
        for count in self._tallies.keys() | set(field.counts):
            self._tallies.setdefault(count, Tally(count)).change(field.bots, number, most_owed(field))


def most_owed(field: Field) -> int:
    """Return how many blocks at a count a newcomer may have before the others go on."""
    return max(1, min(_MOST_OWED, _MOST_GAMES // (len(field.bots) * len(field.counts))))


def _blocks(bots: int, rounds: int, count: int) -> int:
    """Return the fewest blocks at a count in which each of so many bots has one for each round."""
    return -(-bots * rounds // count)


def _in_turn(rounds: Mapping[int, RoundAtCount], games: dict[int, int]) -> Iterator[Block]:
    """Go through the blocks of all counts: those of newcomers first, at the count at which they have had the fewest.

    Then at the count that has had the fewest games. `games`: by count, those before this round.
    """
    had = {count: drawn.had for count, drawn in rounds.items()}
    left = {count: deque(drawn.first) for count, drawn in rounds.items() if drawn.first}
    while left:
        count = min(left, key=lambda count: (had[count], count))
        group = left[count].popleft()
        had[count] += len(rounds[count].newcomers.intersection(group))
        games[count] += count
        yield Block(group)
        if not left[count]:
            del left[count]
    left = {count: deque(drawn.rest) for count, drawn in rounds.items() if drawn.rest}
    while left:
        count = min(left, key=lambda count: (games[count], count))
        games[count] += count
        yield Block(left[count].popleft())
        if not left[count]:
            del left[count]

"""The round robin across player counts: every bot has its share of blocks at every count, and meets all the others.

At every block boundary the blocks per bot at a count differ by at most 1 and the games per count by at most one block;
how often pairs meet is the business of `grouping`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from arena.tournament.formats.base import Block, Field, PlayedBlock
from arena.tournament.formats.grouping import Grouping
from engine.chance import Seeded, derive


class Balanced:
    """A round is the fewest blocks after which every bot has had one more at every count. It never ends."""

    delay: Final = 64
    ends: Final = False

    def __init__(self, seed: bytes) -> None:
        """`seed`: the tournament's."""
        self._seed = seed
        self._drawing: _Drawing | None = None

    def draw(self, number: int, field: Field) -> list[Block]:
        if self._drawing is None or self._drawing.field != field:
            self._drawing = _Drawing(field, self._seed)
        return self._drawing.round(number)

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None: ...
    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None: ...
    def may_end(self, bots: Sequence[str]) -> bool:
        return True

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        return {}


class _Drawing:
    """The rounds of one field, drawn one after the other."""

    def __init__(self, field: Field, seed: bytes) -> None:
        chance = Seeded(derive(seed, "schedule"))
        self.field = field
        self._groupings = {count: Grouping(field.bots, count, chance) for count in field.counts}
        self._blocks = dict.fromkeys(field.counts, 0)
        """By count: how many blocks there are."""
        self._had: Counter[tuple[str, int]] = Counter()
        """By bot and count: how many of them are its own."""
        self._rounds: list[list[Block]] = []

    def round(self, number: int) -> list[Block]:
        while len(self._rounds) <= number:
            self._rounds.append(self._draw(len(self._rounds) + 1))
        return self._rounds[number]

    def _draw(self, each: int) -> list[Block]:
        """Draw until every bot has had so many blocks at every count."""
        bots, counts = self.field
        lacking = {(bot, count) for bot in bots for count in counts if self._had[bot, count] < each}
        drawn = []
        while lacking:
            count = min(counts, key=lambda count: (self._blocks[count] * count, count))
            self._blocks[count] += 1
            group = self._groupings[count].draw()
            for bot in group:
                self._had[bot, count] += 1
                lacking.discard((bot, count))  # one more is enough: the round before gave it all others
            drawn.append(Block(group))
        return drawn

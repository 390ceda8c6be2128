"""Which player count is next: all counts of a field get equally many games, to within a block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.formats.base import Block, Field


class CountTurns:
    """Counts games by player count, in all and since the field last changed."""

    def __init__(self) -> None:
        """Begin without a game."""
        self._field: Field | None = None
        self._of_field: Counter[int] = Counter()
        self._in_all: Counter[int] = Counter()

    def note(self, field: Field, blocks: Sequence[Block]) -> None:
        """Add the games of a round."""
        if field != self._field:
            self._field = field
            self._of_field.clear()
        for block in blocks:
            self.add(len(block.bots))

    def add(self, count: int) -> None:
        """Add a block of that count."""
        self._of_field[count] += count
        self._in_all[count] += count

    def copy(self, field: Field) -> CountTurns:
        """Return an independent one that goes on with that field."""
        clone = CountTurns()
        clone._field = field
        clone._of_field = self._of_field.copy() if field == self._field else Counter()
        clone._in_all = self._in_all.copy()
        return clone

    def next(self, counts: Sequence[int]) -> int:
        """Return the count with the fewest games in this field; of equal ones that with the fewest in all."""
        return min(counts, key=lambda count: (self._of_field[count], self._in_all[count], count))

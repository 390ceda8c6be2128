"""Worlds of a long record that allows few of them: all are counted, and one is drawn exactly.

A record that rules out much leaves few possible counts of what each seat drew from each shuffle (`engine.draw_counts`).
They are all found, each with its weight: the number of orders of the cards that have these counts and keep the limits.
The draws of one seat from one shuffle are ordered apart from all others once the counts are known, so that number is a
product, whose factors are counted block by block (`engine.draws.Slots`). Where this is possible it is exact, and draws
a world faster than a walk does; and it is where a walk would need most steps, as few of its steps are possible there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from math import comb, prod
from typing import Final, NamedTuple

from engine.chance import mix
from engine.draw_counts import DrawCounts, Impossible
from engine.draws import NO_WORLD, Limit, Slots

DEEPEST: Final = 9
"""How many choices may be left open by the record; with more there are too many counts."""
MOST: Final = 400
"""How many counts are found before the search gives up."""
LARGEST: Final = 200
"""In how many ways the blocks of a cell may be filled in part; with more, its orders would take too long to count."""


class _Need(NamedTuple):
    """A kind that a seat drew from a shuffle: how often, and how often it had drawn it before."""

    kind: int
    number: int
    before: int


Needs = tuple[_Need, ...]
Room = tuple[int, ...]
"""By block of a cell: how many of its slots are still free."""


class _Cell(NamedTuple):
    """The slots of one seat in one shuffle."""

    blocks: list[range]
    room: Room
    ends: list[int]
    """By block: how many draws the seat has made by its end."""
    key: int
    """Of the seat and the first kind, for the limits; -1: the deck, which has none."""


class CountedWorlds:
    """All worlds that a record allows, by the counts of the cards drawn."""

    def __init__(self, counts: DrawCounts) -> None:
        """Find all counts. ValueError: there is no possible world. See `is_complete`."""
        self._counts = counts
        self._slots = counts.slots
        self._memory: dict[tuple[int, Needs, Room], int] = {}
        self._cells: list[_Cell] = []
        self._numbers: list[list[tuple[int, int]]] = []  # by cell: the kinds and the numbers of their counts
        for of_cell, cells in zip(counts.of_cell, counts.slots.cells, strict=True):
            for seat, cell in cells.items():
                self._cells.append(_cell(counts.slots, seat, cell))
                self._numbers.append(list(of_cell[seat].items()))
        self._all = [number for numbers in self._numbers for _, number in numbers]
        self._found: list[list[Needs]] = []
        weights: list[int] = []
        start = len(counts.trail)
        large = any(prod([free + 1 for free in cell.room]) > LARGEST for cell in self._cells)
        self.is_complete = not large and self._search(weights, 0)
        """Whether all counts were found: else there are too many, and none can be drawn."""
        counts.take_back(start)
        if self.is_complete and not sum(weights):
            raise ValueError(NO_WORLD)
        total = sum(weights)
        self._marks = [mark / total for mark in accumulate(weights)] if self.is_complete else []

    def lay(self, random: Iterator[float]) -> list[int]:
        """Return the kind in each slot, in a world drawn at random; all are equally likely."""
        laid = [-1] * len(self._slots.base)
        solution = self._found[min(bisect_right(self._marks, next(random)), len(self._found) - 1)]
        for number, needs in enumerate(solution):
            self._lay_cell(number, needs, laid, random)
        return laid

    def _search(self, weights: list[int], depth: int) -> bool:
        """Find all counts that the bounds leave, and return whether they are few enough."""
        counts = self._counts
        low, high = counts.low, counts.high
        number = next((each for each in self._all if low[each] < high[each]), -1)
        if number < 0:
            solution = [self._needs(numbers) for numbers in self._numbers]
            weight = 1
            for cell, needs in enumerate(solution):
                weight *= self._ways(cell, needs, self._cells[cell].room)
            if weight:
                self._found.append(solution)
                weights.append(weight)
            return len(weights) <= MOST
        if depth == DEEPEST and not weights:
            return False
        value = low[number]
        for is_more in (False, True):
            trail = len(counts.trail)
            try:
                counts.choose(number, value, is_more)
                fits = self._search(weights, depth + 1)
            except Impossible:
                fits = True
            counts.take_back(trail)
            if not fits:
                return False
        return True

    def _needs(self, numbers: list[tuple[int, int]]) -> Needs:
        low, before = self._counts.low, self._counts.before
        return tuple(
            [
                _Need(kind, low[number], low[before[number]] if before[number] >= 0 else 0)
                for kind, number in numbers
                if low[number]
            ]
        )

    # The orders within one cell

    def _ways(self, number: int, needs: Needs, room: Room) -> int:
        """Return in how many orders these cards fit into what is free of a cell."""
        if not needs:
            return 1
        found = self._memory.get((number, needs, room))
        if found is None:
            found = 0
            for ways, left, _ in self._spreads(number, needs[0], room):
                found += ways * self._ways(number, needs[1:], left)
            self._memory[number, needs, room] = found
        return found

    def _spreads(self, number: int, need: _Need, room: Room) -> list[tuple[int, Room, Room]]:
        """Return the ways to spread the cards of a kind over the blocks of a cell.

        Each is the number of its orders, what it leaves free, and how many cards it puts into each block.
        """
        cell = self._cells[number]
        least: list[Limit] = []
        most: list[Limit] = []
        if cell.key >= 0:
            least = self._slots.least[cell.key + need.kind]
            most = self._slots.most[cell.key + need.kind]
        found: list[tuple[int, Room, Room]] = [(1, (), ())]
        for block, free in enumerate(room):
            end = cell.ends[block]
            is_last = block + 1 == len(room)
            lowest = max([limit.number for limit in least if limit.before == end], default=0) - need.before
            highest = min([limit.number for limit in most if limit.before == end], default=end) - need.before
            spread: list[tuple[int, Room, Room]] = []
            for ways, left, laid in found:
                had = sum(laid)
                for more in range(min(free, need.number - had) + 1):
                    if (is_last and had + more == need.number) or (not is_last and lowest <= had + more <= highest):
                        spread.append((ways * comb(free, more), (*left, free - more), (*laid, more)))
            found = spread
        return found

    def _lay_cell(self, number: int, needs: Needs, laid: list[int], random: Iterator[float]) -> None:
        cell = self._cells[number]
        room = cell.room
        kinds: list[list[int]] = [[] for _ in room]
        for place, need in enumerate(needs):
            if len(room) == 1:
                kinds[0] += [need.kind] * need.number
                continue
            rest = needs[place + 1 :]
            mark = next(random) * self._ways(number, needs[place:], room)
            for ways, left, more in self._spreads(number, need, room):  # noqa: B007
                mark -= ways * self._ways(number, rest, left)
                if mark < 0:
                    break
            for block, count in enumerate(more):
                kinds[block] += [need.kind] * count
            room = left
        for slots, cards in zip(cell.blocks, kinds, strict=True):
            if cell.key >= 0:  # the deck is shuffled whole in the end
                mix(random, cards)
            laid[slots.start : slots.stop] = cards


def _cell(slots: Slots, seat: int, cell: list[int]) -> _Cell:
    blocks = [block for block in slots.blocks if cell[0] <= block.start <= cell[-1]]
    return _Cell(
        blocks,
        tuple([len(block) for block in blocks]),
        [slots.place[block.stop - 1] + 1 for block in blocks],
        -1 if seat == slots.deck else seat * slots.kinds,
    )

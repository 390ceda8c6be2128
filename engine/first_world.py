"""The search for a first world that agrees with a record.

All that the record implies is derived first (see `engine.draw_counts`). Then one count after another is chosen at
random, the earliest shuffle first, together with all that follows from it. If that leads to a contradiction the last
choice is undone; after some time all are, and the search starts again with the shuffles that caused the contradictions.
Records of real games seldom need this, because almost everything that can be derived is derived.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from typing import Final, NamedTuple

from engine.draw_counts import DrawCounts, Impossible
from engine.draws import NO_WORLD, Slots

RETURNS: Final = 30
"""How many choices are undone before the search starts again."""
STARTS: Final = 200
"""How often the search starts before it gives up."""
_ENDLESS: Final = 1 << 30


class _Choice(NamedTuple):
    """One count that is to be chosen."""

    shuffle: int
    seat: int
    kind: int
    number: int


class _Chosen(NamedTuple):
    """A choice that can be undone: the count is higher than this value (`is_more`), or it is this value."""

    trail: int
    place: int
    number: int
    value: int
    is_more: bool


class FirstWorld(DrawCounts):
    """The counts of cards drawn, which are chosen one after another."""

    def __init__(self, slots: Slots) -> None:
        """Derive all that follows from the record alone. ValueError: there is no possible world."""
        super().__init__(slots)
        self._random: Iterator[float] = iter(())
        self._due: dict[tuple[int, int], tuple[int, int]] = {}

    def lay(self, random: Iterator[float]) -> list[int]:
        """Return the kind in each slot, in a world that keeps all limits. ValueError: none was found.

        The choices are undone before it returns, so that it may be called again.
        """
        self._random = random
        start = len(self.trail)
        laid = [-1] * len(self.slots.base)
        trouble = [0] * len(self.slots.cells)
        for _ in range(STARTS):
            found = self._choose_all(self._order(trouble), laid, trouble)
            self.take_back(start)
            if found:
                return laid
        raise ValueError(NO_WORLD)

    def _choose_all(self, order: list[_Choice], laid: list[int], trouble: list[int]) -> bool:
        """Choose in this order, and return whether that led to a world.

        `trouble` counts the contradictions by shuffle.
        """
        stack: list[_Chosen] = []
        place = returns = 0
        while True:
            try:
                while place < len(order) and self.low[order[place].number] == self.high[order[place].number]:
                    place += 1
                if place == len(order):
                    for shuffle in range(len(self.slots.cells)):
                        self._lay_shuffle(shuffle, laid)
                    return True
                choice = order[place]
                is_more = next(self._random) < self._odds(choice)
                chosen = _Chosen(len(self.trail), place, choice.number, self.low[choice.number], is_more)
                stack.append(chosen)
                self.choose(chosen.number, chosen.value, chosen.is_more)
            except Impossible:
                while stack:
                    trouble[order[stack[-1].place].shuffle] += 1
                    returns += 1
                    if returns > RETURNS:
                        return False
                    trail, place, number, value, is_more = stack.pop()
                    self.take_back(trail)
                    try:
                        self.choose(number, value, not is_more)
                        break
                    except Impossible:
                        continue
                else:
                    return False

    def _order(self, trouble: list[int]) -> list[_Choice]:
        """Order the choices by shuffle: those with the most contradictions first, then the earliest."""
        random = self._random
        found: list[_Choice] = []
        for shuffle in sorted(range(len(trouble)), key=lambda number: -trouble[number]):
            choices = [
                _Choice(shuffle, seat, kind, number)
                for kind, holders in self._of_pool[shuffle].items()
                for seat, number in holders
            ]
            choices.sort(key=lambda _: next(random))
            found += choices
        return found

    def _odds(self, choice: _Choice) -> float:
        """Estimate the probability that the seat drew one more, by its share of the draws that are still open."""
        low, high = self.low, self.high
        cells, of_cell = self.slots.cells[choice.shuffle], self.of_cell[choice.shuffle]
        left = self.slots.pools[choice.shuffle][choice.kind]
        mine = total = 0
        for seat, number in self._of_pool[choice.shuffle][choice.kind]:
            left -= low[number]
            if low[number] < high[number]:
                room = len(cells[seat]) - sum([low[other] for other in of_cell[seat].values()])
                total += room
                if seat == choice.seat:
                    mine = room
        return min(max(left * mine / max(total, 1), 0.05), 0.95)

    def _lay_shuffle(self, shuffle: int, laid: list[int]) -> None:
        """Put what each seat drew from a shuffle into its slots, in the order in which the limits require it."""
        random, slots = self._random, self.slots
        for seat, cell in slots.cells[shuffle].items():
            tasks: list[tuple[int, int, float, int]] = []
            for kind, number in self.of_cell[shuffle][seat].items():
                if count := self.low[number]:
                    key = seat * slots.kinds + kind
                    earlier = self.before[number]
                    first = self.low[earlier] if earlier >= 0 else 0
                    for nth in range(first + 1, first + count + 1):
                        since, due = self._time(key, nth)
                        tasks.append((since, due, next(random), kind))
            tasks.sort(reverse=True)
            ready: list[tuple[int, float, int]] = []
            for slot in cell:
                place = slots.place[slot]
                while tasks and tasks[-1][0] <= place:
                    heappush(ready, tasks.pop()[1:])
                if not ready or ready[0][0] <= place:
                    raise Impossible
                laid[slot] = heappop(ready)[2]

    def _time(self, key: int, nth: int) -> tuple[int, int]:
        """Return from which draw on, and before which, a seat must have its nth card of a kind."""
        found = self._due.get((key, nth))
        if found is None:
            due = next((limit.before for limit in self.slots.least[key] if limit.number >= nth), _ENDLESS)
            since = max((limit.before for limit in self.slots.most[key] if limit.number < nth), default=0)
            found = self._due[key, nth] = since, due
        return found

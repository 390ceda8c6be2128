"""How many cards of each kind each seat drew from each shuffle, as far as a record determines it.

These counts add up: over the kinds to the cards that a seat drew from a shuffle, over the seats to the cards of a kind,
and over the shuffles to all that a seat has drawn so far, which is limited (see `engine.draws`). For each count and
each sum the lowest and the highest possible value are kept. They are narrowed by what the others allow until nothing
changes any more.
"""

from __future__ import annotations

from engine.draws import NO_WORLD, Slots


class Impossible(Exception):
    """What was chosen leaves no possible counts."""


class _Sum:
    """The rule that some counts add up to `total`."""

    __slots__ = ("numbers", "total")

    def __init__(self, numbers: list[int], total: int) -> None:
        self.numbers = numbers
        self.total = total


class _Step:
    """The rule that one count is the sum of two others."""

    __slots__ = ("before", "part", "whole")

    def __init__(self, whole: int, before: int, part: int) -> None:
        self.whole = whole
        self.before = before
        self.part = part


class _Inner:
    """The rule that `room` further draws make up for what some counts before a shuffle lack to reach `counts`."""

    __slots__ = ("counts", "numbers", "room")

    def __init__(self, numbers: list[int], counts: list[int], room: int) -> None:
        self.numbers = numbers
        self.counts = counts
        self.room = room


class DrawCounts:
    """The counts, by their index: `low` and `high` are the bounds of each."""

    def __init__(self, slots: Slots) -> None:
        """Derive the bounds that follow from the record. ValueError: there is no possible world."""
        self.slots = slots
        self.low: list[int] = []
        self.high: list[int] = []
        self.trail: list[tuple[list[int], int, int]] = []  # by change, to undo it: the bounds, the index, the old value
        self._rules: list[_Sum | _Step | _Inner] = []
        self._rules_of: list[list[int]] = []
        # "Number" is the index of a count.
        self.before: list[int] = []  # by number of a cell: the number of the seat's earlier draws of this kind
        # By seat and kind, and by shuffle: the number of all drawn by its end; -1: it drew none.
        self._drawn_by: list[list[int]] = [[] for _ in slots.least]
        self.of_cell: list[dict[int, dict[int, int]]] = [{} for _ in slots.cells]  # by shuffle, seat and kind
        self._of_pool: list[dict[int, list[tuple[int, int]]]] = [{} for _ in slots.cells]  # by shuffle, kind: seats
        self._queue: list[int] = []
        self._late: list[int] = []  # expensive rules, which wait for the others
        self._waiting: list[bool] = []
        try:
            for kind in range(slots.kinds):
                self._add_kind(kind)
            for shuffle, of_cell in enumerate(self.of_cell):
                for seat, numbers in of_cell.items():
                    self._add(_Sum(list(numbers.values()), len(slots.cells[shuffle][seat])))
            self._first_late = len(self._rules)
            within = []
            for rival in slots.rivals:
                self._add_hands(rival)
                within.append(self._limit(rival))
            self._conclude_new(0)
            old = len(self._rules)
            for rival, limits in zip(slots.rivals, within, strict=True):
                for shuffle, before in sorted(limits):
                    self._add_inner(rival, shuffle, before)
            self._conclude_new(old)
        except Impossible:
            raise ValueError(NO_WORLD) from None

    # The rules

    def _number(self, high: int) -> int:
        self.low.append(0)
        self.high.append(high)
        self._rules_of.append([])
        self.before.append(-1)
        return len(self.low) - 1

    def _add(self, rule: _Sum | _Step | _Inner) -> None:
        index, rules_of = len(self._rules), self._rules_of
        for number in (rule.whole, rule.before, rule.part) if isinstance(rule, _Step) else rule.numbers:
            rules_of[number].append(index)
        self._rules.append(rule)
        self._waiting.append(True)

    def _add_kind(self, kind: int) -> None:
        slots = self.slots
        latest: dict[int, int] = {}  # by seat
        drawn_by = [(rival, self._drawn_by[rival * slots.kinds + kind]) for rival in slots.rivals]
        total = 0
        for shuffle, pool in enumerate(slots.pools):
            if not (count := pool[kind]):
                for rival, numbers in drawn_by:
                    numbers.append(latest.get(rival, -1))
                continue
            total += count
            holders: list[tuple[int, int]] = []
            for seat, cell in slots.cells[shuffle].items():
                number = self._number(min(count, len(cell)))
                holders.append((seat, number))
                self.of_cell[shuffle].setdefault(seat, {})[kind] = number
                if seat not in latest:
                    latest[seat] = number
                else:
                    self.before[number] = latest[seat]
                    whole = self._number(total)
                    self._add(_Step(whole, latest[seat], number))
                    latest[seat] = whole
            self._of_pool[shuffle][kind] = holders
            self._add(_Sum([number for _, number in holders], count))
            if total > count:
                self._add(_Sum(list(latest.values()), total))
            for rival, numbers in drawn_by:
                numbers.append(latest.get(rival, -1))

    def _add_hands(self, rival: int) -> None:
        """Add the rules for how many cards of all kinds a seat has drawn by the end of each shuffle."""
        kinds = range(rival * self.slots.kinds, (rival + 1) * self.slots.kinds)
        for shuffle, end in enumerate(self.slots.ends[rival]):
            if shuffle and rival in self.slots.cells[shuffle]:
                numbers = [number for key in kinds if (number := self._drawn_by[key][shuffle]) >= 0]
                self._add(_Sum(numbers, end))

    def _limit(self, rival: int) -> set[tuple[int, int]]:
        """Apply the limits on a seat's draws to the bounds.

        Returns:
            The limits that fall between draws of one shuffle, as pairs of the shuffle and the number of draws before
            the limit.
        """
        slots = self.slots
        ends = slots.ends[rival]
        within: set[tuple[int, int]] = set()
        for key in range(rival * slots.kinds, (rival + 1) * slots.kinds):
            for limits, sign in ((slots.least[key], 1), (slots.most[key], -1)):
                shuffle = 0
                for before, count in limits:
                    while ends[shuffle] < before:
                        shuffle += 1
                    start = ends[shuffle - 1] if shuffle else 0
                    if sign > 0:
                        self._at_least(key, shuffle, count)
                        self._at_least(key, shuffle - 1, count - (before - start))
                        if before < ends[shuffle]:
                            within.add((shuffle, before))
                    else:
                        self._at_most(key, shuffle, count + ends[shuffle] - before)
                        self._at_most(key, shuffle - 1, count)
        return within

    def _add_inner(self, rival: int, shuffle: int, before: int) -> None:
        """Add a rule for a limit between draws of one shuffle, if it can matter."""
        slots = self.slots
        room = before - (slots.ends[rival][shuffle - 1] if shuffle else 0)
        worst = fixed = 0
        numbers, counts = [], []
        for kind in self._of_pool[shuffle]:
            key = rival * slots.kinds + kind
            count = 0
            for limit, least in slots.least[key]:
                if limit > before:
                    break
                count = least
            if not count:
                continue
            number = self._drawn_by[key][shuffle - 1] if shuffle else -1
            low = high = 0
            if number >= 0:
                low, high = self.low[number], self.high[number]
            if count <= low:
                continue
            worst += count - low
            if low < high:
                numbers.append(number)
                counts.append(count)
            else:
                fixed += count - low
        if fixed > room:
            raise Impossible
        if worst > room:
            self._add(_Inner(numbers, counts, room - fixed))

    def _at_least(self, key: int, shuffle: int, count: int) -> None:
        number = self._drawn_by[key][shuffle] if shuffle >= 0 else -1
        if count > (self.low[number] if number >= 0 else 0):
            if number < 0 or count > self.high[number]:
                raise Impossible
            self.low[number] = count

    def _at_most(self, key: int, shuffle: int, count: int) -> None:
        number = self._drawn_by[key][shuffle] if shuffle >= 0 else -1
        if number >= 0 and count < self.high[number]:
            if count < self.low[number]:
                raise Impossible
            self.high[number] = count

    # What follows

    def _set(self, bounds: list[int], number: int, value: int) -> None:
        self.trail.append((bounds, number, bounds[number]))
        bounds[number] = value
        if self.low[number] > self.high[number]:
            raise Impossible
        waiting = self._waiting
        for rule in self._rules_of[number]:
            if not waiting[rule]:
                waiting[rule] = True
                (self._queue if rule < self._first_late else self._late).append(rule)

    def _conclude_new(self, first: int) -> None:
        """Apply the rules from index `first` on."""
        for rule in range(first, len(self._rules)):
            (self._queue if rule < self._first_late else self._late).append(rule)
        self._conclude()

    def _conclude(self) -> None:
        """Narrow the bounds until no rule changes them any more."""
        queue, late, waiting, rules = self._queue, self._late, self._waiting, self._rules
        while queue or late:
            number = queue.pop() if queue else late.pop()
            waiting[number] = False
            rule = rules[number]
            if isinstance(rule, _Step):
                self._conclude_step(rule.whole, rule.before, rule.part)
            elif isinstance(rule, _Sum):
                self._conclude_sum(rule.numbers, rule.total)
            else:
                self._conclude_inner(rule.numbers, rule.counts, rule.room)

    def _conclude_sum(self, numbers: list[int], total: int) -> None:
        low, high = self.low, self.high
        above = below = total
        widest = 0
        for number in numbers:
            least, most = low[number], high[number]
            above -= least
            below -= most
            if most - least > widest:
                widest = most - least
        if above < 0 or below > 0:
            raise Impossible
        if widest <= above and widest <= -below:
            return  # the others leave room for all values of each, as they do most of the time
        for number in numbers:
            least, most = low[number], high[number]
            if least != most:
                highest, lowest = least + above, most + below
                if most > highest:
                    self._set(high, number, highest)
                    below += most - highest
                if least < lowest:
                    self._set(low, number, lowest)
                    above -= lowest - least

    def _conclude_step(self, whole: int, before: int, part: int) -> None:
        low, high = self.low, self.high
        if low[whole] < low[before] + low[part]:
            self._set(low, whole, low[before] + low[part])
        if high[whole] > high[before] + high[part]:
            self._set(high, whole, high[before] + high[part])
        if low[before] < low[whole] - high[part]:
            self._set(low, before, low[whole] - high[part])
        if high[before] > high[whole] - low[part]:
            self._set(high, before, high[whole] - low[part])
        if low[part] < low[whole] - high[before]:
            self._set(low, part, low[whole] - high[before])
        if high[part] > high[whole] - low[before]:
            self._set(high, part, high[whole] - low[before])

    def _conclude_inner(self, numbers: list[int], counts: list[int], room: int) -> None:
        low, high = self.low, self.high
        left = room
        for number, count in zip(numbers, counts, strict=True):
            if high[number] < count:
                left -= count - high[number]
        if left < 0:
            raise Impossible
        for number, count in zip(numbers, counts, strict=True):
            least = min(high[number], count) - left
            if least > low[number]:
                self._set(low, number, least)

    def choose(self, number: int, value: int, is_more: bool) -> None:
        """Decide whether a count is above `value`, and conclude what follows. Raises `Impossible`: nothing is left."""
        if is_more:
            self._set(self.low, number, value + 1)
        else:
            self._set(self.high, number, value)
        self._conclude()

    def take_back(self, length: int) -> None:
        """Undo all changes but the first `length` on the trail."""
        trail = self.trail
        while len(trail) > length:
            bounds, number, value = trail.pop()
            bounds[number] = value
        for queue in (self._queue, self._late):
            for rule in queue:
                self._waiting[rule] = False
            queue.clear()

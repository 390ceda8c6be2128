"""Who plays with whom: cuts the field into groups so that pairs meet about equally often.

The meetings of pairs at a count differ by at most `WIDEST` (for that there is no proof, but trials with 2 to 30 bots: a
pass through all bots is drawn again when it would break the bound).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import combinations

from engine.chance import Seeded

WIDEST = 4
"""By how much the meetings of pairs at a count may differ."""
_ATTEMPTS = 4
_MOST_ATTEMPTS = 100
_NEVER = 1 << 60
"""More than all meetings together can cost: nobody sits at a table twice."""


class Grouping:
    """The groups of one count: they cut a sequence of bots in which everybody comes once before anybody comes again.

    Bots are numbers here, places in the list of names.
    """

    def __init__(self, bots: Sequence[str], players: int, chance: Seeded) -> None:
        """Groups of `players` of these bots; `chance` is drawn from in a stream of their own."""
        self._bots = bots
        self._players = players
        self._chance = chance
        self._stream = f"groups of {players}"
        self._meetings = [[0] * len(bots) for _ in bots]
        for bot, row in enumerate(self._meetings):
            row[bot] = -1  # the last of the costs, whatever their number
        self._pairs = [len(bots) * (len(bots) - 1) // 2]
        """How many pairs have met how often. Meetings that every pair has had are not counted, here and above."""
        self._ready: list[list[int]] = []
        self._begun: list[int] = []
        """A group that the last pass through all bots did not fill."""

    def draw(self) -> list[str]:
        """The next group, in a freshly drawn order."""
        if not self._ready:
            self._pass()
        group = self._ready.pop(0)
        _count(self._pairs, [self._meetings[one][other] for one, other in combinations(group, 2)])
        for one, other in combinations(group, 2):
            self._meetings[one][other] += 1
            self._meetings[other][one] += 1
        while not self._pairs[0]:
            self._forget()
        self._chance.shuffle(self._stream, group)
        return [self._bots[each] for each in group]

    def _forget(self) -> None:
        """Leave out one meeting of every pair: only differences matter, and few bots meet many thousand times."""
        del self._pairs[0]
        for bot, row in enumerate(self._meetings):
            for other in range(len(row)):
                row[other] -= other != bot

    def _pass(self) -> None:
        """Arrange one pass through all bots so that those who met least meet next; the best of some attempts."""
        costs = self._costs()
        best: tuple[int, int] | None = None
        for attempt in range(_MOST_ATTEMPTS):
            if attempt >= _ATTEMPTS and best is not None and best[0] <= WIDEST:
                break
            arrangement = self._attempt(costs)
            groups = arrangement.groups()
            score = (max(self._spread(groups), WIDEST), arrangement.cost())
            if best is None or score < best:
                best, self._ready = score, groups
        self._begun = self._ready.pop() if len(self._ready[-1]) < self._players else []

    def _costs(self) -> list[int]:
        """What a meeting would cost in this pass, by how often the two have met, from the least that any two have.

        It is what the sixth power of the pair's distance from the mean grows by, in quarters of a meeting: far above
        the mean it is dear, far below it is a gain, so that neither end of the range runs away. The mean is taken in
        the middle of the pass. (The sixth power keeps the range narrower than the square, which forgives single pairs.)
        What counts is by how much costs differ, so the cheapest meeting is made free.
        """
        bots = len(self._bots)
        met = sum(times * pairs for times, pairs in enumerate(self._pairs))
        mean = (8 * met + bots * (self._players - 1)) // (bots * (bots - 1))
        costs = [(4 * times + 4 - mean) ** 6 - (4 * times - mean) ** 6 for times in range(len(self._pairs))]
        least = costs[next(times for times, pairs in enumerate(self._pairs) if pairs)]
        return [*(cost - least for cost in costs), _NEVER]

    def _attempt(self, costs: Sequence[int]) -> _Arrangement:
        """A random arrangement, improved by exchanging two bots as long as that helps."""
        bots = list(range(len(self._bots)))
        self._chance.shuffle(self._stream, bots)
        begun = set(self._begun)
        bots.sort(key=begun.__contains__)  # who is in the group that was begun cannot come first
        arrangement = _Arrangement(self._begun, bots, self._players, self._meetings, costs)
        while arrangement.improve():
            pass
        return arrangement

    def _spread(self, groups: Iterable[Sequence[int]]) -> int:
        """By how much the meetings of pairs would differ at the worst block boundary of this pass."""
        pairs = self._pairs[:]
        more: dict[tuple[int, int], int] = {}  # who was in the group that was begun may meet somebody once more
        widest = least = 0
        for group in groups:
            if len(group) == self._players:
                met = []
                for pair in combinations(sorted(group), 2):
                    met.append(self._meetings[pair[0]][pair[1]] + more.get(pair, 0))
                    more[pair] = more.get(pair, 0) + 1
                _count(pairs, met)
                while not pairs[least]:
                    least += 1
                widest = max(widest, len(pairs) - 1 - least)
        return widest


class _Arrangement:
    """One pass through all bots as a line that is cut into groups.

    A meeting of two who have met least is free and none costs less. So an exchange can only gain something if one of
    the two bots has a meeting to pay for, and in a large field few have: only those are looked at.
    """

    def __init__(
        self,
        begun: Sequence[int],
        bots: Sequence[int],
        players: int,
        meetings: Sequence[Sequence[int]],
        costs: Sequence[int],
    ) -> None:
        """`begun`: a group that others must fill, in its place. `costs` by number of meetings; the last is for none."""
        self._line = [*begun, *bots]
        self._fixed = len(begun)
        self._players = players
        self._meetings = meetings
        self._costs = costs
        self._rows: dict[int, list[int]] = {}
        """By bot: what it costs to meet each."""
        self._paid = [0] * len(self._line)
        """By place: what the meetings of whoever stands there cost."""
        for start in range(0, len(self._line), players):
            self._pay(start)
        self._paying: list[int] = []
        """The places that can be exchanged at which something is paid, in order."""
        self._look()

    def groups(self) -> list[list[int]]:
        """The groups; the last may not be full."""
        return [self._line[start : start + self._players] for start in range(0, len(self._line), self._players)]

    def cost(self) -> int:
        """What all meetings cost together."""
        return sum(self._paid) // 2

    def improve(self) -> bool:
        """Go through all exchanges of two bots once, and make those that gain something. Whether there were any."""
        improved = False
        for here in range(self._fixed, len(self._line)):
            if not self._paying:
                break
            there = here
            while (found := self._better(here, there)) is not None:
                there = found
                self._exchange(here, there)
                improved = True
        return improved

    def _better(self, here: int, after: int) -> int | None:
        """The next place beyond `after` with which an exchange gains something."""
        paid, line, size = self._paid, self._line, self._players
        begin = here - here % size
        if not paid[here]:
            behind = bisect(self._paying, max(after, begin + size - 1))
            return next((each for each in self._paying[behind:] if self._gains(each, here)), None)
        this, row = line[here], self._row(line[here])
        mates = [self._row(mate) for mate in line[begin : begin + size] if mate != this]
        for start in range(max(after + 1 - (after + 1) % size, begin + size), len(line), size):
            group = line[start : start + size]
            left = paid[here] - sum([row[each] for each in group])
            for there, that in enumerate(group, start):
                saved = left + paid[there] + row[that]
                if saved > 0 and there > after and saved > sum([each[that] for each in mates]):
                    return there
        return None

    def _gains(self, one: int, other: int) -> bool:
        """Whether an exchange gains something."""
        line, this, that = self._line, self._line[one], self._line[other]
        row = self._row(this)
        costs = [row[mate] for mate in line[self._group(other)] if mate != that]
        costs += [self._row(mate)[that] for mate in line[self._group(one)] if mate != this]
        return self._paid[one] + self._paid[other] > sum(costs)

    def _exchange(self, one: int, other: int) -> None:
        line = self._line
        line[one], line[other] = line[other], line[one]
        self._pay(one)
        self._pay(other)
        self._look()

    def _pay(self, place: int) -> None:
        """Reckon what the meetings cost in the group to which that place belongs."""
        where = self._group(place)
        group = self._line[where]
        for place, bot in enumerate(group, where.start):
            met = self._meetings[bot]
            self._paid[place] = sum([self._costs[met[mate]] for mate in group if mate != bot])

    def _look(self) -> None:
        self._paying = [place for place in range(self._fixed, len(self._line)) if self._paid[place]]

    def _group(self, place: int) -> slice:
        start = place - place % self._players
        return slice(start, start + self._players)

    def _row(self, bot: int) -> list[int]:
        row = self._rows.get(bot)
        if row is None:
            row = self._rows[bot] = [self._costs[met] for met in self._meetings[bot]]
        return row


def _count(pairs: list[int], met: Iterable[int]) -> None:
    """Pairs that had met that often meet once more."""
    for times in met:
        pairs[times] -= 1
        if times + 1 == len(pairs):
            pairs.append(0)
        pairs[times + 1] += 1

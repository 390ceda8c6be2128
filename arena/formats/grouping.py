"""Cut a line of bots into groups so that the pairs that have met least often meet next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

Meetings = Mapping[str, Mapping[str, int]]
"""How often two bots have met. Each pair is stored both ways round; a missing entry means 0."""

FEW: Final = 48
"""Up to this many bots, every exchange is tried; with more bots, this many exchanges for each of them."""
_SWEEPS: Final = 3
"""How often a line of more than `FEW` bots is gone through."""
_NEVER: Final = 1 << 200
"""More than the total cost of all meetings can be."""


class Costs(dict[int, int]):
    """The cost of one more meeting of two bots, by how often they have met.

    The cost is the growth of the sixth power of the pair's distance from the mean, measured in quarters of a meeting.
    A meeting is therefore expensive for pairs far above the mean and a gain for pairs far below it, which keeps both
    ends of the range close to the mean. (A square would tolerate a few outlying pairs; the sixth power does not.) Only
    differences between costs matter, so they are shifted: a meeting of a pair that has met least often costs 0.
    """

    def __init__(self, pairs: Mapping[int, int], more: float) -> None:
        """Set the mean from which distances are measured.

        Args:
            pairs: the number of pairs, by how often they have met.
            more: how many meetings each pair will get on average.
        """
        super().__init__()
        met = sum(times * number for times, number in pairs.items())
        self._mean = round(4 * met / sum(pairs.values()) + 2 * more)
        self._least = self._growth(min(pairs))

    def __missing__(self, met: int) -> int:
        """Compute a cost when it is first needed."""
        cost = self[met] = self._growth(met) - self._least
        return cost

    def _growth(self, met: int) -> int:
        return (4 * met + 4 - self._mean) ** 6 - (4 * met - self._mean) ** 6


class Pass:
    """A line of bots that is cut into groups; the bots at its end have fixed places."""

    def __init__(
        self, bots: Sequence[str], fixed: Sequence[str], players: int, meetings: Meetings, costs: Mapping[int, int]
    ) -> None:
        """Make a line of `bots`, which are in random order, followed by `fixed`, which fill the last group."""
        self._players = players
        self._meetings = meetings
        self._costs = costs
        self._free = len(bots)
        self._line = [*bots, *fixed]
        if len(bots) > FEW:
            self._seat(len(bots) - len(bots) % players)
        self._paid = [0] * len(self._line)
        """By place: the cost of the meetings of the bot there."""
        for start in range(0, len(self._line), players):
            self._pay(start)

    def groups(self) -> list[list[str]]:
        """Return the groups."""
        return [self._line[start : start + self._players] for start in range(0, len(self._line), self._players)]

    def improve(self) -> None:
        """Exchange pairs of bots until no exchange lowers the cost; a long line is gone through a few times only."""
        sweeps = 0
        while self._sweep() and (self._free <= FEW or sweeps < _SWEEPS):
            sweeps += 1

    def _seat(self, number: int) -> None:
        """Fill the first `number` places in order, each with the one of the next few bots that costs least."""
        rest = self._line[number - 1 :: -1] if number else []
        seated: list[str] = []
        while rest:
            rows = [self._meetings[bot] for bot in seated[len(seated) - len(seated) % self._players :]]
            best, least = len(rest) - 1, _NEVER
            for place in range(len(rest) - 1, max(-1, len(rest) - 1 - FEW), -1):
                bot = rest[place]
                cost = sum([self._costs[row.get(bot, 0)] for row in rows])
                if cost < least:
                    best, least = place, cost
                    if not cost:
                        break
            seated.append(rest.pop(best))
        self._line[:number] = seated

    def _sweep(self) -> bool:
        """Go through all bots whose meetings have a cost, and return whether an exchange has lowered it."""
        improved = False
        free, stride = self._free, 1
        if free > FEW:
            stride = max(1, free // FEW)
        for here in range(free):
            if not self._paid[here]:
                continue
            for step in range(min(free, FEW + 1)):
                there = (here + 1 + step * stride) % free
                if self._gains(here, there):
                    line = self._line
                    line[here], line[there] = line[there], line[here]
                    self._pay(here)
                    self._pay(there)
                    improved = True
                    if not self._paid[here]:
                        break
        return improved

    def _gains(self, one: int, other: int) -> bool:
        """Return whether an exchange of the bots in two places lowers the cost."""
        size = self._players
        first, second = one - one % size, other - other % size
        if first == second:
            return False
        line, costs = self._line, self._costs
        this, that = line[one], line[other]
        left = self._paid[one] + self._paid[other]
        row = self._meetings[this]
        for mate in line[second : second + size]:
            if mate == this:
                return False
            if mate != that:
                left -= costs[row.get(mate, 0)]
        if left <= 0:
            return False
        row = self._meetings[that]
        for mate in line[first : first + size]:
            if mate == that:
                return False
            if mate != this:
                left -= costs[row.get(mate, 0)]
        return left > 0

    def _pay(self, place: int) -> None:
        """Compute anew the costs of the meetings in the group of a place."""
        start = place - place % self._players
        group = self._line[start : start + self._players]
        for place, bot in enumerate(group, start):
            row = self._meetings[bot]
            self._paid[place] = sum([self._costs[row.get(mate, 0)] for mate in group if mate != bot])


def widest(groups: Iterable[Sequence[str]], meetings: Meetings, pairs: Mapping[int, int]) -> int:
    """Return the widest range of pairs' numbers of meetings after any of these groups.

    Args:
        groups: the groups, in the order in which they play.
        meetings: how often two bots have met before.
        pairs: the number of pairs, by how often they have met before.
    """
    numbers = dict(pairs)
    added: dict[tuple[str, str], int] = {}
    most, least = max(numbers), min(numbers)
    worst = 0
    for group in groups:
        for pair in combinations(sorted(group), 2):
            met = meetings[pair[0]].get(pair[1], 0) + added.get(pair, 0)
            added[pair] = added.get(pair, 0) + 1
            numbers[met] -= 1
            numbers[met + 1] = numbers.get(met + 1, 0) + 1
            most = max(most, met + 1)
        while not numbers.get(least):
            least += 1
        worst = max(worst, most - least)
    return worst

"""Who plays with whom: cuts a line of bots into groups so that pairs that have met least meet next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

Meetings = Mapping[str, Mapping[str, int]]
"""How often two bots have met, by either first; 0 if one is missing."""

FEW: Final = 48
"""Among so many bots all is tried; among more, as much for each."""
_SWEEPS: Final = 3
"""How often a line of more bots is gone through."""
_NEVER: Final = 1 << 200
"""More than all meetings together can cost."""


class Costs(dict[int, int]):
    """What one more meeting costs, by how often the two have met.

    It is what the sixth power of the pair's distance from the mean grows by, in quarters of a meeting: far above the
    mean it is dear, far below it is a gain, so that neither end of the range runs away. (The sixth power keeps the
    range narrower than the square, which forgives single pairs.) Only differences of costs matter, so a meeting of two
    who have met least is free, and none costs less.
    """

    def __init__(self, pairs: Mapping[int, int], more: float) -> None:
        """`pairs`: how many pairs have met how often; `more`: meetings a pair that will be added on average."""
        super().__init__()
        met = sum(times * number for times, number in pairs.items())
        self._mean = round(4 * met / sum(pairs.values()) + 2 * more)
        self._least = self._growth(min(pairs))

    def __missing__(self, met: int) -> int:
        """Work a cost out when it is first asked for."""
        cost = self[met] = self._growth(met) - self._least
        return cost

    def _growth(self, met: int) -> int:
        return (4 * met + 4 - self._mean) ** 6 - (4 * met - self._mean) ** 6


class Pass:
    """Bots in a line that is cut into groups; the last ones have fixed places."""

    def __init__(
        self, bots: Sequence[str], fixed: Sequence[str], players: int, meetings: Meetings, costs: Mapping[int, int]
    ) -> None:
        """`bots` in random order; `fixed` behind them, so that all groups are full."""
        self._players = players
        self._meetings = meetings
        self._costs = costs
        self._free = len(bots)
        self._line = [*bots, *fixed]
        if len(bots) > FEW:
            self._seat(len(bots) - len(bots) % players)
        self._paid = [0] * len(self._line)
        """By place: what the meetings of the bot in it cost."""
        for start in range(0, len(self._line), players):
            self._pay(start)

    def groups(self) -> list[list[str]]:
        """Return the groups."""
        return [self._line[start : start + self._players] for start in range(0, len(self._line), self._players)]

    def cost(self) -> int:
        """Return what all meetings cost together."""
        return sum(self._paid) // 2

    def improve(self) -> None:
        """Exchange two bots as long as that gains something, or, in a long line, as long as it is cheap."""
        sweeps = 0
        while self._sweep() and (self._free <= FEW or sweeps < _SWEEPS):
            sweeps += 1

    def _seat(self, number: int) -> None:
        """Put into each of so many places, one after the other, who of the next few has met its group least."""
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
        """Go through all bots that pay for a meeting, and return whether an exchange has gained something."""
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
        """Return whether an exchange gains something."""
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
        """Add up what the meetings cost in the group to which that place belongs."""
        start = place - place % self._players
        group = self._line[start : start + self._players]
        for place, bot in enumerate(group, start):
            row = self._meetings[bot]
            self._paid[place] = sum([self._costs[row.get(mate, 0)] for mate in group if mate != bot])


def widest(groups: Iterable[Sequence[str]], meetings: Meetings, pairs: Mapping[int, int]) -> int:
    """Return by how much the meetings of pairs would differ at the worst end of one of these groups.

    `pairs`: how many pairs have met how often before.
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

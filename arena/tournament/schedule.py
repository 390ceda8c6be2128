"""Which games a tournament plays, in which order: a pure function of bots, player counts and seed, drawn lazily.

A block is one group of k bots that plays k games, one from each rotation of a freshly drawn order, each with a deal of
its own. At every block boundary the blocks per bot at a count differ by at most 1 and the games per count by at most
one block; the meetings of pairs at a count differ by at most 4 (for that there is no proof, but trials with 2 to 30
bots: a pass through all bots is drawn again when it would break the bound).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from arena.referee.orders import GameOrder
from engine.chance import Seeded, derive

WIDEST = 4
"""By how much the meetings of pairs at a count may differ."""
_ATTEMPTS = 4
_MOST_ATTEMPTS = 100
_NEVER = 1 << 60
"""More than all meetings together can cost: nobody sits at a table twice."""


def schedule(bots: Sequence[str], counts: Sequence[int], seed: bytes) -> Iterator[GameOrder]:
    """All games there are, without end. `counts` must not exceed the number of bots."""
    order = 0
    for players, number, group in blocks(bots, counts, seed):
        for rotation in range(players):
            game_id = f"p{players}-b{number:04d}-r{rotation}"
            yield GameOrder(
                id=game_id,
                order=order,
                players=players,
                block=number,
                rotation=rotation,
                seed=derive(seed, "game", game_id).hex(),
                bots=group[rotation:] + group[:rotation],
            )
            order += 1


def blocks(bots: Sequence[str], counts: Sequence[int], seed: bytes) -> Iterator[tuple[int, int, list[str]]]:
    """The blocks: number of players, which block at this count it is, and its bots in their base order."""
    chance = Seeded(derive(seed, "schedule"))
    numbers = dict.fromkeys(sorted(set(counts)), 0)
    groupings = {count: _Grouping(sorted(bots), count, chance) for count in numbers}
    while True:
        count = min(numbers, key=lambda count: (numbers[count] * count, count))
        group = groupings[count].draw()
        yield count, numbers[count], group
        numbers[count] += 1


def whole_blocks(bots: Sequence[str], counts: Sequence[int], seed: bytes, games: int) -> int:
    """That many games, rounded up to whole blocks."""
    total = 0
    for players, _, _ in blocks(bots, counts, seed):
        if total >= games:
            return total
        total += players
    raise AssertionError


def rounds(bots: Sequence[str], counts: Sequence[int], seed: bytes, number: int) -> int:
    """How many games so many rounds have: the fewest in which every bot has that many blocks at every count."""
    left = {(bot, count): number for bot in bots for count in set(counts)}
    total = 0
    for players, _, group in blocks(bots, counts, seed):
        total += players
        for bot in group:
            if (bot, players) in left:
                left[bot, players] -= 1
                if not left[bot, players]:
                    del left[bot, players]
        if not left:
            return total
    raise AssertionError


class _Grouping:
    """The groups of one count: they cut a sequence of bots in which everybody comes once before anybody comes again.

    Bots are numbers here, places in the list of names.
    """

    def __init__(self, bots: Sequence[str], players: int, chance: Seeded) -> None:
        self._bots = bots
        self._players = players
        self._chance = chance
        self._stream = f"groups of {players}"
        self._meetings = [[0] * len(bots) for _ in bots]
        self._met = 0
        """All meetings, each pair's added up."""
        self._ready: list[list[int]] = []
        self._begun: list[int] = []
        """A group that the last pass through all bots did not fill."""

    def draw(self) -> list[str]:
        """The next group, in a freshly drawn order."""
        if not self._ready:
            self._pass()
        group = self._ready.pop(0)
        _meet(self._meetings, group)
        self._met += len(group) * (len(group) - 1) // 2
        self._chance.shuffle(self._stream, group)
        return [self._bots[each] for each in group]

    def _pass(self) -> None:
        """Arrange one pass through all bots so that those who met least meet next; the best of some attempts."""
        costs = self._costs()
        best: tuple[int, int] | None = None
        for attempt in range(_MOST_ATTEMPTS):
            if attempt >= _ATTEMPTS and best is not None and best[0] <= WIDEST:
                break
            groups = self._attempt(costs)
            cost = sum(costs[one][other] for group in groups for one, other in combinations(group, 2))
            score = (max(self._spread(groups), WIDEST), cost)
            if best is None or score < best:
                best, self._ready = score, groups
        self._begun = self._ready.pop() if len(self._ready[-1]) < self._players else []

    def _costs(self) -> list[list[int]]:
        """What a meeting of each two would cost in this pass.

        It is what the sixth power of the pair's distance from the mean grows by, in quarters of a meeting: far above
        the mean it is dear, far below it is a gain, so that neither end of the range runs away. The mean is taken in
        the middle of the pass. (The sixth power keeps the range narrower than the square, which forgives single pairs.)
        """
        bots = len(self._bots)
        mean = (8 * self._met + bots * (self._players - 1)) // (bots * (bots - 1))
        costs = [
            [(4 * met + 4 - mean) ** 6 - (4 * met - mean) ** 6 for met in row]  # by bot
            for row in self._meetings
        ]
        for bot in range(bots):
            costs[bot][bot] = _NEVER
        return costs

    def _attempt(self, costs: Sequence[Sequence[int]]) -> list[list[int]]:
        """A random arrangement, improved by exchanging two bots as long as that helps."""
        bots = list(range(len(self._bots)))
        self._chance.shuffle(self._stream, bots)
        bots.sort(key=self._begun.__contains__)  # who is in the group that was begun cannot come first
        line = self._begun + bots
        size = self._players
        groups = [line[start : start + size] for start in range(0, len(line), size)]
        places = [divmod(place, size) for place in range(len(self._begun), len(line))]
        improved = True
        while improved:
            improved = False
            for (a, i), (b, j) in combinations(places, 2):
                if a != b and _gain(costs, groups[a], i, groups[b], j) > 0:
                    groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
                    improved = True
        return groups

    def _spread(self, groups: Sequence[Sequence[int]]) -> int:
        """By how much the meetings of pairs would differ at the worst block boundary of this pass."""
        meetings = [row[:] for row in self._meetings]
        widest = 0
        for group in groups:
            if len(group) == self._players:
                _meet(meetings, group)
                pairs = [met for bot, row in enumerate(meetings) for met in row[:bot]]
                widest = max(widest, max(pairs) - min(pairs))
        return widest


def _meet(meetings: Sequence[list[int]], group: Sequence[int]) -> None:
    for one, other in combinations(group, 2):
        meetings[one][other] += 1
        meetings[other][one] += 1


def _gain(costs: Sequence[Sequence[int]], here: Sequence[int], i: int, there: Sequence[int], j: int) -> int:
    """What is saved when the bots at place `i` here and at place `j` there change places."""
    of_this, of_that = costs[here[i]], costs[there[j]]
    gain = 0
    for place, bot in enumerate(here):
        if place != i:
            gain += of_this[bot] - of_that[bot]
    for place, bot in enumerate(there):
        if place != j:
            gain += of_that[bot] - of_this[bot]
    return gain

"""Which games a tournament plays, in which order: a pure function of bots, player counts and seed, drawn lazily.

A block is one group of k bots that plays k games, one from each rotation of a freshly drawn order, each with a deal of
its own. At every block boundary the blocks per bot at a count differ by at most 1 and the games per count by at most
one block. The meetings of pairs at a count differ by little: by at most 4 in most trials with 3 to 30 bots, by 6 in the
worst, which is where two groups take in all bots and leave each other no choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from arena.referee.orders import GameOrder
from engine.chance import Seeded, derive

_ATTEMPTS = 4
_NEVER = 1 << 40


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
    """The groups of one count: they cut a sequence of bots in which everybody comes once before anybody comes again."""

    def __init__(self, bots: Sequence[str], players: int, chance: Seeded) -> None:
        self._bots = list(bots)
        self._players = players
        self._chance = chance
        self._stream = f"groups of {players}"
        self._meetings = {frozenset(pair): 0 for pair in combinations(bots, 2)}
        self._fewest = 0
        self._ready: list[list[str]] = []
        self._begun: list[str] = []
        """A group that the last pass through all bots did not fill."""

    def draw(self) -> list[str]:
        if not self._ready:
            self._pass()
        group = self._ready.pop(0)
        for pair in combinations(group, 2):
            self._meetings[frozenset(pair)] += 1
        self._chance.shuffle(self._stream, group)
        return group

    def _pass(self) -> None:
        """Arrange one pass through all bots so that those who met least meet next; the best of some attempts."""
        self._fewest = min(self._meetings.values())
        attempts = [self._attempt() for _ in range(_ATTEMPTS)]
        _, groups = min(attempts, key=lambda attempt: attempt[0])
        self._begun = groups.pop() if len(groups[-1]) < self._players else []
        self._ready = groups

    def _attempt(self) -> tuple[int, list[list[str]]]:
        """A random arrangement, improved by exchanging two bots as long as that helps."""
        bots = self._bots[:]
        self._chance.shuffle(self._stream, bots)
        bots.sort(key=self._begun.__contains__)  # who is in the group that was begun cannot come first
        line = self._begun + bots
        size = self._players
        groups = [line[start : start + size] for start in range(0, len(line), size)]
        costs = [self._cost(group) for group in groups]
        places = range(len(self._begun), len(line))
        improved = True
        while improved:
            improved = False
            for one, other in combinations(places, 2):
                (a, i), (b, j) = divmod(one, size), divmod(other, size)
                if a == b:
                    continue
                groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
                cost_a, cost_b = self._cost(groups[a]), self._cost(groups[b])
                if cost_a + cost_b < costs[a] + costs[b]:
                    costs[a], costs[b] = cost_a, cost_b
                    improved = True
                else:
                    groups[a][i], groups[b][j] = groups[b][j], groups[a][i]
        return sum(costs), groups

    def _cost(self, group: Sequence[str]) -> int:
        """How often these bots have met already, repeated meetings weighing more; nobody may sit there twice."""
        if len(set(group)) < len(group):
            return _NEVER
        return sum((self._meetings[frozenset(pair)] - self._fewest) ** 2 for pair in combinations(group, 2))

"""Which games a tournament plays, in which order: a pure function of bots, player counts and seed, drawn lazily.

A block is one group of k bots that plays k games, one from each rotation of a freshly drawn order, each with a deal of
its own. At every block boundary the blocks per bot at a count differ by at most 1 and the games per count by at most
one block; how often pairs meet is the business of `groups`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as counted
from typing import NamedTuple

from arena.match.spec import MatchSpec
from arena.tournament.grouping import Grouping
from engine.chance import Seeded, derive


class Block(NamedTuple):
    """The games of one group, one from each rotation of its order."""

    players: int
    number: int
    """Which block at this count it is, from 0."""
    bots: list[str]
    """In their base order."""


class Schedule:
    """All blocks and games there are, without end. What has been drawn is kept, so nothing is drawn twice."""

    def __init__(self, bots: Sequence[str], counts: Sequence[int], seed: bytes) -> None:
        """`counts` must not exceed the number of bots."""
        self._bots = sorted(bots)
        self._seed = seed
        chance = Seeded(derive(seed, "schedule"))
        self._numbers = dict.fromkeys(sorted(set(counts)), 0)
        self._groupings = {count: Grouping(self._bots, count, chance) for count in self._numbers}
        self._drawn: list[Block] = []

    def blocks(self) -> Iterator[Block]:
        """The blocks."""
        for place in counted():
            if place == len(self._drawn):
                self._drawn.append(self._draw())
            yield self._drawn[place]

    def games(self) -> Iterator[MatchSpec]:
        """The games."""
        order = 0
        for players, number, group in self.blocks():
            for rotation in range(players):
                game_id = f"p{players}-b{number:04d}-r{rotation}"
                yield MatchSpec(
                    id=game_id,
                    index=order,
                    players=players,
                    block=number,
                    rotation=rotation,
                    seed=derive(self._seed, "game", game_id).hex(),
                    bots=group[rotation:] + group[:rotation],
                )
                order += 1

    def whole_blocks(self, games: int) -> int:
        """That many games, rounded up to whole blocks."""
        total = 0
        for block in self.blocks():
            if total >= games:
                return total
            total += block.players
        raise AssertionError

    def rounds(self, number: int) -> int:
        """How many games so many rounds have: the fewest in which every bot has that many blocks at every count."""
        left = {(bot, count): number for bot in self._bots for count in self._numbers}
        total = 0
        for players, _, group in self.blocks():
            total += players
            for bot in group:
                if (bot, players) in left:
                    left[bot, players] -= 1
                    if not left[bot, players]:
                        del left[bot, players]
            if not left:
                return total
        raise AssertionError

    def _draw(self) -> Block:
        count = min(self._numbers, key=lambda count: (self._numbers[count] * count, count))
        number = self._numbers[count]
        self._numbers[count] += 1
        return Block(count, number, self._groupings[count].draw())

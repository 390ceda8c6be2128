"""Compare two bots: they play the same opponents in pairs of blocks, until it is known which of them is better.

A round has pairs of blocks at each player count, so many that the games at each count are about equally many. Both
blocks of a pair have the same opponents in the same order. At each count the opponents take turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from arena.formats.base import ERROR, MARGIN, Block, Field, Format, FormatError, FormatOptions, PlayedBlock
from arena.ledger import FINISHES
from arena.rating.betting.sequential import Pair, SequentialTest
from engine.chance import Seeded, derive

PAIRED: Final = "paired"


class Paired(Format):
    """Ends by itself, when the test has a verdict or when one of the two bots is not in the field."""

    delay = 32
    """So many that the workers of most machines have something to do meanwhile."""
    ends: Final = True

    def __init__(self, seed: bytes, options: FormatOptions) -> None:
        """Begin a draw. `seed`: the tournament's. Raises `FormatError` without an old bot and a new one."""
        if len(options.sides) != 2:
            raise FormatError("two bots are compared, the old one and the new one: type  arena compare OLD NEW")
        self._seed = seed
        self.measure = options.score or FINISHES
        self.old, self.new = options.sides
        self.test = SequentialTest(options.margin or MARGIN, options.error or ERROR)
        self._pairs: Counter[tuple[int, str]] = Counter()
        """By count and opponent: in how many pairs it played."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw pairs of blocks at every count for which there are opponents enough."""
        sides = [self.old, self.new]
        opponents = [bot for bot in field.bots if bot not in sides]
        if self.test.verdict != "unknown" or not set(sides) <= set(field.bots):
            return []
        chance = Seeded(derive(self._seed, "paired", number))
        pairs = self._pairs.copy()
        blocks = []
        for count in pair_counts(field.counts, len(opponents)):
            group = self._group(opponents, count, pairs, chance)
            pairs.update((count, bot) for bot in group)
            place = chance.below("place", count)
            chance.shuffle("first", sides)
            blocks += [Block([*group[:place], side, *group[place:]]) for side in sides]
        return blocks

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Count who played at which count."""
        for block in blocks:
            if self.new in block.bots:
                self._pairs.update((len(block.bots), bot) for bot in block.bots if bot != self.new)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Add the pairs of the round to the test."""
        self.test.add([Pair(pair.old - pair.new, pair.games) for pair in self.played(blocks)])

    def played(self, blocks: Sequence[PlayedBlock]) -> Iterator[PlayedPair]:
        """Yield the pairs of a round of which something counts: of each the rotations that count in both its blocks."""
        for one, other in zip(blocks[::2], blocks[1::2], strict=False):
            of_old, of_new = (one, other) if self.old in one.bots else (other, one)
            before, after = self._finishes(of_old, self.old), self._finishes(of_new, self.new)
            common = sorted(before.keys() & after.keys())
            if common:
                first, second = (fmean(side[rotation] for rotation in common) for side in (before, after))
                yield PlayedPair(len(one.bots), first, second, len(common))

    def _finishes(self, block: PlayedBlock, bot: str) -> dict[int, float]:
        """Return where a bot finished, by rotation."""
        games = [(game.bots, game.finishes(self.measure)) for game in block.games]
        return {block.bots.index(bots[0]): finishes[list(bots).index(bot)] for bots, finishes in games}

    def may_end(self, bots: Sequence[str]) -> bool:
        """Never end a round early: all of it is looked at together."""
        return False

    @staticmethod
    def _group(opponents: Sequence[str], count: int, pairs: Mapping[tuple[int, str], int], chance: Seeded) -> list[str]:
        """Return those who have played least at this count, and of these those who have played least in all."""
        group = list(opponents)
        chance.shuffle("group", group)
        total = Counter[str]()
        for (_, bot), times in pairs.items():
            total[bot] += times
        group.sort(key=lambda bot: (pairs[count, bot], total[bot]))
        group = group[: count - 1]
        chance.shuffle("order", group)
        return group


def pair_counts(counts: Sequence[int], opponents: int) -> list[int]:
    """Return the player counts of the pairs of a round, if there are so many opponents; each count once or more often.

    The fewer players, the fewer games has a block, so there are more pairs.
    """
    possible = [count for count in counts if count <= opponents + 1]
    return [count for count in possible for _ in range(max(1, round(possible[-1] / count)))]


class PlayedPair(NamedTuple):
    """A pair of blocks, and how the two bots finished in it, on average."""

    players: int
    old: float
    new: float
    games: int
    """In each block, that count in both."""

"""One bot, the challenger, against all others: every block has exactly one challenger.

Several challengers take turns and never meet. With each of them the blocks of its opponents at a count differ by at
most 1 at every block boundary, so its meetings are even, and each count has as many games as the others, to within a
block. Opponents sit together with those they have met least in a gauntlet.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Final

from arena.common.allowed_words import suggested
from arena.formats.base import Block, CountTurns, Field, Format, FormatError, PlayedBlock
from engine.chance import Seeded, derive

_CHOICE: Final = 12
"""Among how many opponents with the fewest blocks the next one is chosen."""
_MOST_BEHIND: Final = 32
"""So many blocks with a challenger at a count a newcomer catches up with at most."""


class Gauntlet(Format):
    """A round is the fewest blocks after which every challenger has met every opponent once more at every count.

    A newcomer first catches up with those who have had most, but for more than `_MOST_BEHIND` blocks. It never ends.
    """

    delay: Final = 1
    ends: Final = False

    def __init__(self, seed: bytes, challengers: Sequence[str]) -> None:
        """Begin. `seed`: the tournament's. `challengers`: names, each the newest version in the field, or labels."""
        if not challengers:
            raise FormatError("gauntlet: name a challenger, for instance --challenger mine")
        self._seed = seed
        self._names = tuple(challengers)
        self._field: Field | None = None
        self._turns = CountTurns()
        self._tally = _Tally()
        self._waiting: dict[int, list[str]] = {}
        """By round whose results are not known: the challenger of each block."""

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw until every challenger has met every opponent. Raises `FormatError` if there is no challenger.

        A field that has lost its challengers since the round before, and gained nobody, ends the tournament.
        """
        challengers = self.challengers(field)
        if not challengers:
            if self._field is not None and set(field.bots) < set(self._field.bots) and self.challengers(self._field):
                return []
            raise FormatError(
                f"gauntlet: there is no challenger in the field: {', '.join(self._names)}; "
                f"challengers are named as they are entered, and entered are {', '.join(field.bots)}"
                f"{suggested(self._names[0], field.bots)}"
            )
        counts = self._counts(field, challengers)
        if not counts:
            raise FormatError(
                f"gauntlet: {len(field.bots)} bots with {len(challengers)} of them challengers leave too few opponents "
                f"for games of {min(field.counts)} players; enter more bots, or name fewer challengers"
            )
        chance = Seeded(derive(self._seed, "gauntlet", number))
        opponents = [bot for bot in field.bots if bot not in challengers]
        return _Round(challengers, opponents, counts, self._turns.copy(field), self._tally, chance).blocks()

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Count games, blocks and meetings."""
        self._field = field
        self._turns.note_blocks(field, blocks)
        challengers = self.challengers(field)
        opponents = [bot for bot in field.bots if bot not in challengers]
        for count in field.counts:
            for challenger, row in self._tally.rows(challengers, opponents, count).items():
                for bot, blocks_had in row.items():
                    self._tally.had[challenger, count][bot] = blocks_had
        self._waiting[number] = []
        for bots in (block.bots for block in blocks):
            challenger = next((bot for bot in bots if bot in challengers), bots[0])
            self._waiting[number].append(challenger)
            self._tally.count(challenger, bots, 1)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Take back the blocks that are not whole, so that they are made up for."""
        for challenger, block in zip(self._waiting.pop(number), blocks, strict=True):
            if not block.is_whole:
                self._tally.count(challenger, block.bots, -1)

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return an opponent's equal share of the games; a challenger has more."""
        challengers = self.challengers(field)
        opponents = len(field.bots) - len(challengers)
        counts = self._counts(field, challengers)
        return {count: games // (len(counts) * count) * (count - 1) // opponents for count in counts}

    def challengers(self, field: Field) -> list[str]:
        """Return the labels of the challengers in the field."""
        found = []
        for name in self._names:
            versions = [bot for bot in field.bots if bot.partition("@")[0] == name]
            if "@" in name:
                versions = [bot for bot in field.bots if bot == name or f"{bot}@1" == name]
            found += sorted(versions, key=lambda bot: int(bot.partition("@")[2] or 1))[-1:]
        return list(dict.fromkeys(found))

    @staticmethod
    def _counts(field: Field, challengers: Sequence[str]) -> list[int]:
        """Return the counts for which there are enough opponents."""
        return [count for count in field.counts if count - 1 <= len(field.bots) - len(challengers)]


class _Tally:
    """What has been drawn: blocks of challengers with their opponents, and meetings of opponents."""

    def __init__(self) -> None:
        self.had: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        """By challenger and count: the blocks of each opponent with it."""
        self.met: Counter[tuple[str, str]] = Counter()
        """By opponents, in alphabetical order: in how many blocks they met."""

    def rows(self, challengers: Sequence[str], opponents: Sequence[str], count: int) -> dict[str, dict[str, int]]:
        """Return by challenger the blocks of each opponent: as they are, but no more than `_MOST_BEHIND` behind."""
        rows = {challenger: self.had[challenger, count] for challenger in challengers}
        least = max((row[bot] for row in rows.values() for bot in opponents), default=0) - _MOST_BEHIND
        return {challenger: {bot: max(row[bot], least) for bot in opponents} for challenger, row in rows.items()}

    def count(self, challenger: str, bots: Sequence[str], times: int) -> None:
        """Add a block, or take one back."""
        opponents = sorted(bot for bot in bots if bot != challenger)
        for bot in opponents:
            self.had[challenger, len(bots)][bot] += times
        for pair in combinations(opponents, 2):
            self.met[pair] += times


class _Round:
    """Draws the blocks of one round, and changes nothing but its own copies of what has been drawn."""

    def __init__(
        self,
        challengers: Sequence[str],
        opponents: list[str],
        counts: Sequence[int],
        turns: CountTurns,
        tally: _Tally,
        chance: Seeded,
    ) -> None:
        self._challengers = challengers
        self._counts = counts
        self._turns = turns
        self._chance = chance
        self._opponents = len(opponents)
        chance.shuffle("lots", opponents)
        self._met = tally.met
        self._met_now: Counter[tuple[str, str]] = Counter()
        self._queues: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
        """By challenger and count: the blocks of each opponent, its lot and its name, those with the fewest first."""
        for count in counts:
            for challenger, row in tally.rows(challengers, opponents, count).items():
                queue = [(row[bot], lot, bot) for lot, bot in enumerate(opponents)]
                self._queues[challenger, count] = queue
                heapify(queue)
        self._most = {pair: max(queue)[0] for pair, queue in self._queues.items()}
        self._blocks = {pair: sum(had for had, _, _ in queue) for pair, queue in self._queues.items()}
        """By challenger and count: its opponents' blocks together."""
        self._target = {count: self._target_of(count) for count in counts}

    def blocks(self) -> list[Block]:
        """Draw until every challenger has met every opponent as often as it should."""
        drawn = []
        while any(self._is_lacking(challenger, count) for challenger in self._challengers for count in self._counts):
            count = self._turns.next(self._counts)
            challenger = min(
                self._challengers,
                key=lambda bot: (self._blocks[bot, count], sum(self._blocks[bot, each] for each in self._counts), bot),
            )
            bots = [challenger, *self._draw_opponents(challenger, count)]
            self._turns.add(count)
            self._blocks[challenger, count] += count - 1
            self._chance.shuffle("seats", bots)
            drawn.append(Block(bots))
        return drawn

    def _target_of(self, count: int) -> int:
        """Return how many blocks there should be: as many as some have, or one more if all have equally many."""
        most = max(self._most[challenger, count] for challenger in self._challengers)
        least = min(self._queues[challenger, count][0][0] for challenger in self._challengers)
        return most + (most == least)

    def _is_lacking(self, challenger: str, count: int) -> bool:
        most = self._most[challenger, count]
        if count - 1 == self._opponents:  # all sit in every block, so nobody catches up
            return most < self._target[count]
        return self._queues[challenger, count][0][0] < max(self._target[count], most - 1)

    def _draw_opponents(self, challenger: str, count: int) -> list[str]:
        """Take those with the fewest blocks; of these, one after the other, who has met the others taken least."""
        queue = self._queues[challenger, count]
        taken: list[tuple[int, int, str]] = []
        while len(taken) < count - 1:
            choice = [heappop(queue)]
            while queue and queue[0][0] == choice[0][0] and len(choice) < _CHOICE:
                choice.append(heappop(queue))
            best = min(choice, key=lambda each: (sum([self._meetings(each[2], mate[2]) for mate in taken]), each))
            taken.append(best)
            for each in choice:
                if each is not best:
                    heappush(queue, each)
        bots = sorted(bot for _, _, bot in taken)
        self._met_now.update(combinations(bots, 2))
        for had, lot, bot in taken:
            heappush(queue, (had + 1, lot, bot))
        self._most[challenger, count] = max(self._most[challenger, count], *(had + 1 for had, _, _ in taken))
        return bots

    def _meetings(self, one: str, other: str) -> int:
        pair = (one, other) if one < other else (other, one)
        return self._met[pair] + self._met_now[pair]

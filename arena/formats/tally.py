"""What every bot of the field, and every pair of them, has had at one player count.

A bot's *level* is the number of its blocks at the count, on a scale that all share: a bot that joins begins at the
level of those who are there. Meetings of pairs are counted in the same way. So only differences mean something, and
those of any two count from the later of the two joins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

WIDEST: Final = 4
"""By how much the meetings of pairs at a count may differ at a round's end, counted since the last of their joins."""


class Tally:
    """Levels and meetings at one count. A block counts as had until it is known that games of it were left out."""

    def __init__(self, players: int) -> None:
        """Begin without bots; `players`: of a game at this count."""
        self.players: Final = players
        self.levels: dict[str, int] = {}
        """Of the bots of the field."""
        self.had: Counter[str] = Counter()
        """Blocks ever, also of bots that have left: a version that returns keeps its own."""
        self.owed: dict[str, int] = {}
        """By newcomer: how many blocks it has still to have before the others go on."""
        self.elders: dict[str, frozenset[str]] = {}
        """Who was one block ahead of a bot at its join. It may be ahead of the others only if these are."""
        self.latest: dict[str, int] = {}
        """The last round in which a bot had a block; the one before its join if it had none since."""
        self.meetings: dict[str, dict[str, int]] = {}
        """By two bots, either first; 0 if one is missing."""
        self._joined: dict[str, int] = {}
        self._margins: dict[str, int] = {}
        """How far the meetings of any pair were, at a bot's join, from those that it began with."""
        self._pairs: Counter[int] = Counter()
        """How many of the pairs in `meetings` have met how often; without zeros, whose number grows with the games."""

    def copy(self) -> Tally:
        """Return an independent tally with the same numbers."""
        copy = Tally(self.players)
        for name, value in vars(self).items():
            setattr(copy, name, value.copy() if isinstance(value, dict) else value)
        copy.meetings = {bot: row.copy() for bot, row in self.meetings.items()}
        return copy

    def change(self, bots: Iterable[str], number: int, most: int) -> None:
        """Let bots leave and join so that these are in the field from round `number` on.

        Each newcomer is owed what those who are there have had since they joined and it has not, at most `most`.
        """
        bots = set(bots)
        for bot in self.levels.keys() - bots:
            self._leave(bot)
        newcomers = sorted(bots - self.levels.keys())
        if newcomers:
            self._join(newcomers, number, most)

    def leave(self, bots: Iterable[str]) -> None:
        """Let all but these bots leave."""
        for bot in self.levels.keys() - set(bots):
            self._leave(bot)

    def count_block(self, number: int, group: Sequence[str]) -> None:
        """Count a block of round `number`."""
        for bot in group:
            self.levels[bot] += 1
            self.had[bot] += 1
            self.latest[bot] = number
            if bot in self.owed:
                self.owed[bot] -= 1
                if not self.owed[bot]:
                    del self.owed[bot]
        for one, other in combinations(group, 2):
            self.meet(one, other, 1)

    def take_back(self, number: int, group: Sequence[str]) -> None:
        """Count a block of round `number` no longer, for those that have been in the field since."""
        self.had.subtract(group)
        stayed = [bot for bot in group if self._joined.get(bot, number + 1) <= number]
        for bot in stayed:
            self.levels[bot] -= 1
        for one, other in combinations(stayed, 2):
            self.meet(one, other, -1)

    def is_even(self) -> bool:
        """Return whether blocks since the later join differ by at most 1 for any two bots."""
        least = min(self.levels.values())
        if max(self.levels.values()) > least + 1:
            return False
        behind = {bot for bot, level in self.levels.items() if level == least}
        return all(self.elders[bot].isdisjoint(behind) for bot in self.levels.keys() - behind)

    def spread(self) -> int:
        """Return by how much the meetings of pairs differ."""
        numbers = self.numbers_of_meetings()
        return max(numbers) - min(numbers) if numbers else 0

    def excess(self) -> int:
        """Return by how much meetings since the last join may differ by more than `WIDEST` for two pairs."""
        return max(0, self.spread() + max(self._margins.values(), default=0) - WIDEST)

    def numbers_of_meetings(self) -> dict[int, int]:
        """Return how many pairs have met how often."""
        counts = self._pairs.copy()
        unmet = len(self.levels) * (len(self.levels) - 1) // 2 - counts.total()
        if unmet:
            counts[0] += unmet
        return dict(counts)

    def meet(self, one: str, other: str, more: int) -> None:
        """Count so many more meetings of two bots."""
        row = self.meetings[one]
        met = row.get(other)
        if met is None:
            met = 0
        else:
            self._uncount(met)
        row[other] = self.meetings[other][one] = met + more
        self._pairs[met + more] += 1

    def _uncount(self, met: int) -> None:
        """Count one pair fewer that has met so often."""
        self._pairs[met] -= 1
        if not self._pairs[met]:
            del self._pairs[met]

    def _leave(self, bot: str) -> None:
        for other, met in self.meetings.pop(bot).items():
            del self.meetings[other][bot]
            self._uncount(met)
        for kept in (self.levels, self.elders, self.latest, self._joined, self._margins):
            del kept[bot]
        self.owed.pop(bot, None)

    def _join(self, newcomers: Sequence[str], number: int, most: int) -> None:
        """Put newcomers beside those who are one behind, if there are any, and their pairs beside the usual ones."""
        top = max(self.levels.values(), default=0)
        behind = [bot for bot, level in self.levels.items() if level < top]
        ahead = frozenset(self.levels.keys() - set(behind)) if behind else frozenset()
        level = top - bool(behind)
        share = min((self.had[bot] + level - its for bot, its in self.levels.items()), default=0)
        if self.levels:
            self.owed.update({bot: max(1, min(most, share - self.had[bot])) for bot in newcomers})
        met, margin = self._usual_meetings()
        for bot in newcomers:
            row = dict.fromkeys(self.levels, met) if met else {}
            for other in row:
                self.meetings[other][bot] = met
            if row:
                self._pairs[met] += len(row)
            self.meetings[bot] = row
            self.levels[bot] = level
            self.elders[bot] = ahead
            self.latest[bot] = number - 1
            self._joined[bot] = number
            self._margins[bot] = margin

    def _usual_meetings(self) -> tuple[int, int]:
        """Return how often most pairs have met, if not too far from the others, and how far that is from them."""
        counts = self.numbers_of_meetings()
        if not counts:
            return 0, 0
        least, most = min(counts), max(counts)
        usual = max(counts, key=lambda met: (counts[met], -met))
        usual = min(max(usual, most - max(2, (most - least + 1) // 2)), least + max(2, (most - least + 1) // 2))
        return usual, min(2, max(usual - least, most - usual))

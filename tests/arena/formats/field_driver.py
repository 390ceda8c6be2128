"""Drives the balanced format through a field that changes, as a schedule would, with books of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from copy import deepcopy
from itertools import combinations
from typing import NamedTuple

from arena.formats import Balanced, Block, Field, GameOutcome, PlayedBlock
from arena.formats.tally import WIDEST

GAME = GameOutcome([], [], [], [])


class Open(NamedTuple):
    """A round whose results the format does not know yet."""

    number: int
    blocks: list[PlayedBlock]
    suspended: frozenset[str]
    """Who is out of the field as soon as they are known."""
    end: int
    """The place behind its last game."""


class Since:
    """What has been had at one count since some bots joined. A block counts until it is known to be left out."""

    def __init__(self, bots: Iterable[str], taken_back: Counter[str]) -> None:
        self.taken_back = taken_back
        """By bot: blocks that were then known to be left out and not made up yet."""
        self.blocks = dict.fromkeys(sorted(bots), 0)
        self.meetings = dict.fromkeys(combinations(self.blocks, 2), 0)

    def count(self, group: Iterable[str], more: int) -> None:
        there = sorted(bot for bot in group if bot in self.blocks)
        for bot in there:
            self.blocks[bot] += more
        for pair in combinations(there, 2):
            self.meetings[pair] += more

    def leave(self, bots: set[str]) -> None:
        self.blocks = {bot: number for bot, number in self.blocks.items() if bot not in bots}
        self.meetings = {pair: number for pair, number in self.meetings.items() if bots.isdisjoint(pair)}


class Driver:
    """A tournament of which nothing is played. A block is left out if one of its bots is suspended or has left."""

    def __init__(self, bots: Iterable[str], counts: Sequence[int], seed: bytes) -> None:
        self.format = Balanced(seed)
        self.counts = tuple(counts)
        self.bots = sorted(bots)
        self.number = 0
        self.place = 0
        self.joined: dict[str, int] = {}
        self.since: dict[tuple[int, int], Since] = {}
        """By round of a join, and count."""
        self.latest: dict[tuple[str, int], int] = {}
        """By bot and count: the last round with a block; the one before its join if there was none."""
        self.played: list[PlayedBlock] = []
        self.failing: set[str] = set()
        """Suspended, which the format does not know yet."""
        self._taken_back: dict[int, Counter[str]] = {count: Counter() for count in counts}
        self._lost: dict[int, Counter[str]] = {count: Counter() for count in counts}
        """By count and bot: blocks that were left out since it joined."""
        self._open: list[Open] = []

    @property
    def field(self) -> Field:
        return Field(tuple(self.bots), tuple(count for count in self.counts if count <= len(self.bots)))

    def draw(self) -> list[Block]:
        """Let the format know what it may know, and draw the next round."""
        while self._open and self.place - self._open[0].end >= self.format.delay:
            known = self._open.pop(0)
            self.format.on_results(known.number, known.blocks)
            for block in known.blocks:
                if not block.is_whole:
                    self._count(known.number, block.bots, -1)
                    stayed = self._stayed(known.number, block.bots)
                    self._taken_back[len(block.bots)].update(stayed)
                    self._lost[len(block.bots)].update(stayed)
            if len(set(self.bots) - known.suspended) >= min(self.counts):
                self.change(leave=known.suspended)
        self._join()
        return self.format.draw(self.number, self.field)

    def play(self, blocks: list[Block], failing: str | None = None, at: int = 0) -> None:
        """Play a round in which a bot is suspended behind so many blocks."""
        played = [_played(block, self.failing) for block in blocks[:at]]
        if failing is not None:
            self.failing.add(failing)
        played += [_played(block, self.failing) for block in blocks[at:]]
        self._note(played, frozenset(() if failing is None else (failing,)))

    def end(self, blocks: list[Block], begun: int, leave: Iterable[str]) -> bool:
        """End a round behind so many blocks as these leave, if the format lets it; else play the rest without them."""
        leave = set(leave)
        trial = deepcopy(self.format)
        trial.on_round(self.number, self.field, blocks[:begun])
        may_end = trial.may_end([bot for bot in self.bots if bot not in leave])
        played = [_played(block, self.failing) for block in blocks[:begun]]
        if not may_end:
            self.failing |= leave
            played += [_played(block, self.failing) for block in blocks[begun:]]
        self._note(played, frozenset())
        return may_end

    def change(self, join: Iterable[str] = (), leave: Iterable[str] = ()) -> None:
        """Change the field from the next round on."""
        gone = set(leave) & set(self.bots)
        self.failing -= gone
        self.bots = sorted((set(self.bots) - gone) | set(join))
        for bot in gone:
            self.joined.pop(bot, None)
            for lost in self._lost.values():
                del lost[bot]
        for since in self.since.values():
            since.leave(gone)
        for bot, count in [key for key in self.latest if key[0] in gone]:
            del self.latest[bot, count]

    def unfair(self) -> list[str]:
        """Name what is not within bounds at a round's end.

        Blocks since the later join of two bots differ by at most 1, beside those that make up for some left out before.
        Meetings since the last join of two pairs differ by at most 4, and by what some bot has lost by games left out:
        to make up for that some must meet again who have met enough.
        """
        found = []
        for (joined, count), since in self.since.items():
            young = {bot for bot in self.bots if self.joined[bot] == joined}
            if count not in self.field.counts or count == len(self.bots) or not young:
                continue
            for bot in young:
                for other, blocks in since.blocks.items():
                    if not -1 <= blocks - since.blocks[bot] <= 1 + since.taken_back[other]:
                        found.append(f"{count}: {other} {blocks}, {bot} {since.blocks[bot]} since {joined}")
            theirs = [met for pair, met in since.meetings.items() if not young.isdisjoint(pair)]
            others = since.meetings.values()
            allowed = WIDEST + max(self._lost[count][bot] for bot in self.bots)
            if theirs and max(max(others) - min(theirs), max(theirs) - min(others)) > allowed:
                found.append(f"{count}: meetings since {joined}: {sorted(Counter(others).items())}, allowed {allowed}")
        return found

    def waiting(self, rounds: int) -> list[str]:
        """Name who had no block at a count in the last rounds, so many."""
        return [
            f"{bot} at {count} since {self.latest[bot, count]}"
            for bot in self.bots
            for count in self.field.counts
            if (bot, count) in self.latest and self.latest[bot, count] < self.number - rounds
        ]

    def _join(self) -> None:
        new = [bot for bot in self.bots if bot not in self.joined]
        self.joined.update(dict.fromkeys(new, self.number))
        if new:
            for count in self.counts:
                self.since[self.number, count] = Since(self.bots, self._taken_back[count].copy())
        for bot in self.bots:
            for count in self.counts:
                if count in self.field.counts:
                    self.latest.setdefault((bot, count), self.number - 1)
                else:
                    self.latest.pop((bot, count), None)

    def _note(self, played: list[PlayedBlock], suspended: frozenset[str]) -> None:
        self.format.on_round(self.number, self.field, [Block(block.bots) for block in played])
        for count in self.field.counts:
            if count < len(self.bots):
                self._taken_back[count].clear()  # made up
        self.played += played
        for block in played:
            self._count(self.number, block.bots, 1)
            self.place += len(block.bots)
            self.latest.update({(bot, len(block.bots)): self.number for bot in block.bots})
        self._open.append(Open(self.number, played, suspended, self.place))
        self.number += 1

    def _stayed(self, number: int, group: Sequence[str]) -> list[str]:
        """Return who of a group has been in the field since that round."""
        return [bot for bot in group if self.joined.get(bot, number + 1) <= number]

    def _count(self, number: int, group: Sequence[str], more: int) -> None:
        there = self._stayed(number, group)
        for (_, count), since in self.since.items():
            if count == len(group):
                since.count(there, more)


def _played(block: Block, failing: set[str]) -> PlayedBlock:
    return PlayedBlock(block.bots, [] if failing.intersection(block.bots) else [GAME] * len(block.bots))

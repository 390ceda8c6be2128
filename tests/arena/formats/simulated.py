"""Tournaments without bots: skills decide the games, and bots join, leave and are suspended as a schedule allows it.

Drives any format as the schedule does, and keeps a record from which a second one is driven without draws, as a
tournament is that goes on: both must draw the same.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.formats import Block, Field, Format, GameOutcome, PlayedBlock


@dataclass
class PlayedRound:
    field: Field
    blocks: list[Block]
    first: int
    """The place of its first game."""
    played: list[PlayedBlock] = field(default_factory=list)  # type: ignore[operator]

    @property
    def end(self) -> int:
        return self.first + sum(len(block.bots) for block in self.blocks)


class SimulatedTournament:
    """A tournament of bots whose skills are known, in log-odds of beating each other."""

    def __init__(
        self,
        make: Callable[[], Format],
        skills: Mapping[str, float],
        counts: Sequence[int],
        seed: int = 0,
        ties: float = 0,
    ) -> None:
        """`ties`: how near performances are that tie."""
        self.make = make
        self.format = make()
        self.skills = dict(skills)
        self.bots = sorted(skills)
        self.counts = tuple(sorted(counts))
        self.rounds: list[PlayedRound] = []
        self.suspended: dict[str, int] = {}
        """By bot: the place from which on its games are left out."""
        self._chance = random.Random(seed)
        self._ties = ties
        self._given = 0

    @property
    def games(self) -> int:
        return self.rounds[-1].end if self.rounds else 0

    def results_from(self, place: int) -> list[GameOutcome]:
        """Return the results from a place on, where a round begins."""
        rounds = self.rounds[bisect_left(self.rounds, place, key=lambda each: each.first) :]
        return [game for each in rounds for block in each.played for game in block.games]

    @property
    def field(self) -> Field:
        """Who plays in the next round: suspensions that lie in results that are not given yet change nothing."""
        known = self.rounds[self._given - 1].end if self._given else 0
        bots = tuple(bot for bot in self.bots if self.suspended.get(bot, known + 1) > known)
        return Field(bots, tuple(count for count in self.counts if count <= len(bots)))

    def play_round(self) -> list[Block]:
        """Play the next round; nothing is played and returned if the tournament is over."""
        self._give(self.games - self.format.delay)
        blocks = self._draw()
        if blocks:
            self.format.on_round(len(self.rounds), self.field, blocks)
            self.rounds.append(PlayedRound(self.field, blocks, self.games))
            self._play(self.rounds[-1], 0, ())
        return blocks

    def play(self, rounds: int) -> None:
        for _ in range(rounds):
            self.play_round()

    def finish(self, most: int = 10_000) -> None:
        """Play until the format ends the tournament."""
        while self.play_round():
            assert len(self.rounds) < most, "it does not end"

    def suspend(self, bot: str, after: int) -> None:
        """Leave out the games of a bot from so many games behind the last one."""
        self.suspended[bot] = self.games + after

    def change(
        self, join: Mapping[str, float] | None = None, leave: Iterable[str] = (), begun: int | None = None
    ) -> None:
        """Change the field after so many blocks of the last round (all of them if None), as a run that begins does."""
        leaving = set(leave)
        if begun is not None and self.rounds and self._given < len(self.rounds):
            last = self.rounds[-1]
            begun = max(1, min(begun, len(last.blocks)))
            stay = [bot for bot in self.bots if bot not in leaving]
            if self.format.may_end(stay):
                del last.blocks[begun:], last.played[begun:]
                self.format = self.resumed()
            else:
                del last.played[begun:]
                self._play(last, begun, leaving)
        self.skills.update(join or {})
        self.bots = sorted((set(self.bots) - leaving) | set(join or {}))

    def resumed(self) -> Format:
        """Return a format of which nothing was drawn, which knows what this one knows."""
        format = self.make()
        given = 0
        for number, each in enumerate(self.rounds):
            while given < number and self.rounds[given].end <= each.first - format.delay:
                format.on_results(given, self.rounds[given].played)
                given += 1
            format.on_round(number, each.field, each.blocks)
        while given < self._given:
            format.on_results(given, self.rounds[given].played)
            given += 1
        return format

    def draws_the_same_when_resumed(self) -> bool:
        """Whether a tournament that goes on would draw the next round as this one does."""
        number = len(self.rounds)
        return self.resumed().draw(number, self.field) == self.format.draw(number, self.field)

    def _draw(self) -> list[Block]:
        blocks = self.format.draw(len(self.rounds), self.field)
        for bots in (block.bots for block in blocks):
            assert len(set(bots)) == len(bots) in self.field.counts
            assert set(bots) <= set(self.field.bots)
        return blocks

    def _give(self, place: int) -> None:
        while self._given < len(self.rounds) and self.rounds[self._given].end <= place:
            self.format.on_results(self._given, self.rounds[self._given].played)
            self._given += 1

    def _play(self, round: PlayedRound, begin: int, left: Collection[str]) -> None:
        place = round.first + sum(len(block.bots) for block in round.blocks[:begin])
        for block in round.blocks[begin:]:
            games = []
            for rotation in range(len(block.bots)):
                bots = block.bots[rotation:] + block.bots[:rotation]
                game = self._game(bots)
                if not any(bot in left or self.suspended.get(bot, place + 1) <= place for bot in bots):
                    games.append(game)
                place += 1
            round.played.append(PlayedBlock(block.bots, games))

    def _game(self, bots: Sequence[str]) -> GameOutcome:
        """Rank bots by skill and luck: the stronger of two wins as the logistic curve says."""
        luck = [self._chance.random() or 0.5 for _ in bots]
        shown = [self.skills[bot] - math.log(-math.log(each)) for bot, each in zip(bots, luck, strict=True)]
        if self._ties:
            shown = [round(each / self._ties) * self._ties for each in shown]
        ranks = [1 + sum(other > each for other in shown) for each in shown]
        return GameOutcome(bots, ranks, [{} for _ in bots], [])


def names(number: int) -> list[str]:
    return [f"bot{each:02}" for each in range(number)]


def spread(numbers: Iterable[int]) -> int:
    found = list(numbers)
    return max(found) - min(found) if found else 0

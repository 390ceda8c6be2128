"""Which games a tournament plays, in which order: the rounds of its format, laid out as matches with ids and seeds.

A function of format, field, seed and results alone. Each game of a block has a deal of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from arena.match.spec import MatchSpec
from arena.tournament.formats import Block, Field, Format, FormatError
from arena.tournament.history import TournamentHistory
from engine.chance import derive


class ScheduledBlock(NamedTuple):
    """A block in its place."""

    players: int
    number: int
    """Which block at this count it is, from 0."""
    bots: list[str]
    """In their base order."""
    round: int
    first: int
    """Place of its first game in the schedule."""


class Budget(NamedTuple):
    """How much of a schedule is asked for, always in whole blocks; with neither limit: all of it."""

    games: int | None = None
    rounds: int | None = None

    def is_spent(self, round: int, first: int) -> bool:
        """Whether a block of that round, whose first game has that place, is not asked for any more."""
        return (self.games is not None and first >= self.games) or (self.rounds is not None and round >= self.rounds)


EVERYTHING: Final = Budget()


class Schedule:
    """The blocks and games that a format draws. Each round is drawn once, when it is first asked for."""

    def __init__(self, format: Format, field: Field, seed: bytes, results: TournamentHistory | None = None) -> None:
        """`results`: those known so far, read whenever a round is drawn; not needed by a format that reads none."""
        self._format = format
        self._field = field
        self._seed = seed
        self._results = TournamentHistory() if results is None else results
        self._blocks: list[ScheduledBlock] = []
        self._numbers: Counter[int] = Counter()
        """By count: how many blocks have been drawn."""
        self._ends: list[int] = []
        """By round: the place behind its last game."""
        self._is_over = False

    def blocks(self, budget: Budget = EVERYTHING) -> Iterator[ScheduledBlock | None]:
        """Go through the blocks within the budget, or as many as the format draws.

        None instead of a block: the next one depends on results that are not known yet. Ask again when they are.
        """
        place = 0
        while True:
            if place == len(self._blocks):
                spent = budget.is_spent(len(self._ends), self._ends[-1] if self._ends else 0)
                if spent or self._is_over:
                    return
                if not self._draw():
                    yield None
                continue
            block = self._blocks[place]
            if budget.is_spent(block.round, block.first):
                return
            yield block
            place += 1

    def specs(self, budget: Budget = EVERYTHING) -> Iterator[MatchSpec | None]:
        """Go through the games of these blocks; None as in `blocks`."""
        for block in self.blocks(budget):
            if block is None:
                yield None
                continue
            for rotation in range(block.players):
                game_id = f"p{block.players}-b{block.number:04d}-r{rotation}"
                yield MatchSpec(
                    id=game_id,
                    index=block.first + rotation,
                    players=block.players,
                    block=block.number,
                    rotation=rotation,
                    seed=derive(self._seed, "game", game_id).hex(),
                    bots=block.bots[rotation:] + block.bots[:rotation],
                )

    def length(self, budget: Budget) -> int | None:
        """Count the games within the budget. None: that depends on results that are not known yet."""
        end = 0
        for block in self.blocks(budget):
            if block is None:
                return None
            end = block.first + block.players
        return end

    def _draw(self) -> bool:
        """Draw the next round. False: results that it depends on are not known yet."""
        number = len(self._ends)
        history = self._results.history(self._ends[: max(0, number - 1)]) if self._format.reads_results else []
        if history is None:
            return False
        blocks = self._format.round(number, self._field, history)
        end = self._ends[-1] if self._ends else 0
        for block in blocks:
            self._check(block, number)
            players = len(block.bots)
            self._blocks.append(ScheduledBlock(players, self._numbers[players], list(block.bots), number, end))
            self._numbers[players] += 1
            end += players
        self._ends.append(end)
        self._is_over = not blocks
        return True

    def _check(self, block: Block, number: int) -> None:
        bots = set(block.bots)
        if len(bots) < len(block.bots) or not bots <= set(self._field.bots) or len(bots) not in self._field.counts:
            raise FormatError(
                f"round {number} has a block of {', '.join(block.bots)}: it must have different bots of the field, "
                f"{' or '.join(map(str, self._field.counts))} of them"
            )

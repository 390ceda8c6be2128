"""Schedules of the balanced format, drawn without a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.formats import DEFAULT_FORMAT, GameOutcome, make_format
from arena.game.spec import GameSpec
from arena.ledger import BlockRecord, Dealing, FieldEvent, Seeds
from arena.tournament.schedule.history import TournamentHistory
from arena.tournament.schedule.rounds import Schedule, specs


class Drawing:
    """The games of a field that never changes, as if each were played to its end as soon as it is drawn."""

    def __init__(self, bots: Sequence[str], counts: Sequence[int], seed: bytes, dealing: Dealing | None = None) -> None:
        events = [FieldEvent("join", bot) for bot in sorted(bots)]
        self._seeds = Seeds(seed, dealing=dealing)
        self._history = TournamentHistory(events)
        format = make_format(DEFAULT_FORMAT, seed)
        self._schedule = Schedule(format, sorted(counts), events, self._history, dealing=dealing)
        self._blocks: list[BlockRecord] = []

    def block(self, number: int) -> BlockRecord:
        while number >= len(self._blocks):
            block = self._schedule.block(len(self._blocks))
            assert block is not None
            for spec in specs(block, self._seeds):
                self._history.played(spec.index, _won_by_all(spec))
            self._blocks.append(block)
        return self._blocks[number]

    def blocks(self) -> Iterator[BlockRecord]:
        number = 0
        while True:
            yield self.block(number)
            number += 1

    def specs(self) -> Iterator[GameSpec]:
        for block in self.blocks():
            yield from specs(block, self._seeds)


def _won_by_all(spec: GameSpec) -> GameOutcome:
    return GameOutcome(spec.bots, [1] * spec.players, [{} for _ in spec.bots], [])


def balanced(bots: Sequence[str], counts: Sequence[int], seed: bytes) -> Drawing:
    return Drawing(bots, counts, seed)


def whole_blocks(drawing: Drawing, games: int) -> int:
    """That many games, rounded up to whole blocks."""
    return next(block.place for block in drawing.blocks() if block.place >= games)


def rounds(drawing: Drawing, number: int) -> int:
    """How many games so many rounds have."""
    return next(block.place for block in drawing.blocks() if block.round >= number)

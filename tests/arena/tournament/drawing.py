"""Schedules of the balanced format, drawn without a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from arena.formats import DEFAULT_FORMAT, make_format
from arena.game.spec import GameSpec
from arena.ledger import BlockRecord, FieldEvent, GameRecord, Seeds
from arena.tournament.schedule.fixtures import Fixtures
from arena.tournament.schedule.rounds import specs


class Drawing:
    """The games of a field that never changes, as if each were played to its end as soon as it is drawn."""

    def __init__(self, bots: Sequence[str], counts: Sequence[int], seed: bytes) -> None:
        events = [FieldEvent("join", bot) for bot in sorted(bots)]
        self._seed = seed
        self._fixtures = Fixtures(make_format(DEFAULT_FORMAT, seed), sorted(counts), Seeds(seed), events)
        self._blocks: list[BlockRecord] = []

    def block(self, number: int) -> BlockRecord:
        while number >= len(self._blocks):
            block = self._fixtures.block(len(self._blocks))
            assert block is not None
            for spec in self._fixtures.open_games(block):
                self._fixtures.played(_won_by_all(spec))  # type: ignore[arg-type]
            self._blocks.append(block)
        return self._blocks[number]

    def blocks(self) -> Iterator[BlockRecord]:
        number = 0
        while True:
            yield self.block(number)
            number += 1

    def specs(self) -> Iterator[GameSpec]:
        for block in self.blocks():
            yield from specs(block, Seeds(self._seed))


def _won_by_all(spec: GameSpec) -> GameRecord:
    nothing: dict[str, Any] = {"steps": [], "retired": [], "faults": [], "digest": "", "engine": ""}
    ranks = [1] * spec.players
    scores: list[dict[str, int]] = [{} for _ in ranks]
    return GameRecord(
        **spec.planned(), ending="finished", ranks=ranks, scores=scores, times=[[] for _ in ranks], **nothing
    )


def balanced(bots: Sequence[str], counts: Sequence[int], seed: bytes) -> Drawing:
    return Drawing(bots, counts, seed)


def whole_blocks(drawing: Drawing, games: int) -> int:
    """That many games, rounded up to whole blocks."""
    return next(block.place for block in drawing.blocks() if block.place >= games)


def rounds(drawing: Drawing, number: int) -> int:
    """How many games so many rounds have."""
    return next(block.place for block in drawing.blocks() if block.round >= number)

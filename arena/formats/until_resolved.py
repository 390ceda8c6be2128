"""Let a format go on until the order of the bots is known: `--until resolved`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from arena.formats.base import Block, Field, Format, PlayedBlock
from arena.formats.order_knowledge import OrderKnowledge
from arena.ledger import Resolution


class UntilResolved:
    """Draws what another format draws, until every two neighbours are apart or tied."""

    ends: Final = True

    def __init__(self, format: Format, known: OrderKnowledge) -> None:
        """Begin a draw. `known`: what is known of the order, as yet without results."""
        self._format = format
        self._known = known

    @property
    def delay(self) -> int:
        """Return that of the format."""
        return self._format.delay

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw what the format draws; nothing once the order is known."""
        return [] if self.resolution(field).are_neighbours_known else self._format.draw(number, field)

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Pass the round on."""
        self._known.note(field.bots)
        self._format.on_round(number, field, blocks)

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Work in the results, and pass them on."""
        self._known.add(blocks)
        self._format.on_results(number, blocks)

    def may_end(self, bots: Sequence[str]) -> bool:
        """Return what the format says."""
        return self._format.may_end(bots)

    def due(self, field: Field, games: int) -> Mapping[int, int]:
        """Return what the format says."""
        return self._format.due(field, games)

    def resolution(self, field: Field) -> Resolution:
        """Return what is known of the order."""
        return self._known.of(field.bots).resolution()

"""The persons at the table play: they come and go, and choose their seats.

A round is one block of the whole field. Which of its rotations is played depends on the seat that a person asked for,
so others may stay open. `arena play` uses it, and no plan can ask for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.formats.base import Block, Field, Format, PlayedBlock
from engine.chance import Seeded, derive

SEATED: Final = "seated"


class Seated(Format):
    """It never ends, and depends on no result."""

    delay: Final = 2**31
    ends: Final = False

    def __init__(self, seed: bytes) -> None:
        """Begin a draw. `seed`: the tournament's."""
        self._seed = seed

    def draw(self, number: int, field: Field) -> list[Block]:
        """Draw the order in which all of the field sit."""
        order = list(field.bots)
        Seeded(derive(self._seed, "seated", number)).shuffle("order", order)
        return [Block(order)] if len(order) in field.counts else []

    def on_round(self, number: int, field: Field, blocks: Sequence[Block]) -> None:
        """Note nothing."""

    def on_results(self, number: int, blocks: Sequence[PlayedBlock]) -> None:
        """Note nothing."""

"""The formats that a tournament can have, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.common.errors import ArenaError
from arena.ledger import DEFAULT_FORMAT
from arena.tournament.formats.balanced import Balanced
from arena.tournament.formats.base import Block, Field, Format, GameResult, PlayedBlock

__all__ = [
    "DEFAULT_FORMAT",
    "FORMATS",
    "Balanced",
    "Block",
    "Field",
    "Format",
    "FormatError",
    "GameResult",
    "PlayedBlock",
    "make_format",
]

FORMATS: Final[dict[str, Callable[[bytes], Format]]] = {DEFAULT_FORMAT: Balanced}
"""Each takes the tournament's seed."""


class FormatError(ArenaError):
    """A format that there is not, or one that draws what cannot be played."""


def make_format(name: str, seed: bytes) -> Format:
    """Make the format of that name for a tournament with that seed. Raises `FormatError` if there is none."""
    if name not in FORMATS:
        raise FormatError(f"there is no format {name}; there is {', '.join(sorted(FORMATS))}")
    return FORMATS[name](seed)

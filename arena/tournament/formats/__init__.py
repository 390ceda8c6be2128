"""The formats that a tournament can have, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from arena.ledger import DEFAULT_FORMAT, TournamentSettings
from arena.tournament.formats.balanced import Balanced
from arena.tournament.formats.base import Block, Field, Format, GameResult, PlayedBlock
from arena.tournament.formats.options import FormatError, FormatOptions
from arena.tournament.formats.paired import PAIRED, Paired

__all__ = [
    "DEFAULT_FORMAT",
    "FORMATS",
    "PAIRED",
    "Balanced",
    "Block",
    "Field",
    "Format",
    "FormatError",
    "FormatOptions",
    "GameResult",
    "Paired",
    "PlayedBlock",
    "make_format",
    "recorded_format",
]

FORMATS: Final[dict[str, Callable[[bytes], Format]]] = {DEFAULT_FORMAT: Balanced}
"""Each takes the tournament's seed."""


def make_format(name: str, seed: bytes, options: FormatOptions | None = None) -> Format:
    """Make the format of that name for a tournament with that seed. Raises `FormatError` if there is none."""
    options = options or FormatOptions()
    if name == PAIRED:
        return Paired(seed, options)
    if name not in FORMATS:
        raise FormatError(f"there is no format {name}; there is {', '.join(sorted(FORMATS))}")
    return FORMATS[name](seed)


def recorded_format(settings: TournamentSettings, seed: bytes) -> Format:
    """Make the format of a tournament, with the options that its ledger has. Raises `FormatError`."""
    return make_format(settings.format, seed, msgspec.convert(settings.options, FormatOptions))

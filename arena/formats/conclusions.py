"""What a format has found out besides the leaderboard, in words."""

from __future__ import annotations

from arena.formats.base import Field, Format
from arena.formats.knockout import Knockout
from arena.ledger import Placing


def conclusions(format: Format, field: Field) -> list[str]:
    """Return what the results noted so far say, in a line each; nothing for a format that draws no conclusions."""
    late = format.not_taking_part(field) if isinstance(format, Knockout) else []
    return [f"joined too late for this knockout: {', '.join(late)}"] if late else []


def placings(format: Format, field: Field) -> list[Placing]:
    """Return the places of a knockout, best first; nothing for another format."""
    return format.placings(field) if isinstance(format, Knockout) else []

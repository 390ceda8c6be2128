"""What a format has found out besides the leaderboard, in words."""

from __future__ import annotations

from arena.tournament.formats.base import Field, Format
from arena.tournament.formats.knockout import Knockout


def conclusions(format: Format, field: Field) -> list[str]:
    """Return what the results noted so far say, in a line each; nothing for a format that draws no conclusions."""
    return _placings(format, field) if isinstance(format, Knockout) else []


def _placings(format: Knockout, field: Field) -> list[str]:
    lines = [
        f"{placing.place}. {placing.bot}" + (" (withdrew)" if placing.withdrew else "")
        for placing in format.placings(field)
    ]
    late = format.not_taking_part(field)
    return lines + ([f"joined too late for this knockout: {', '.join(late)}"] if late else [])

"""What a format has found out besides the leaderboard, in words."""

from __future__ import annotations

from collections.abc import Collection

from arena.tournament.formats.base import Field, Format
from arena.tournament.formats.knockout import Knockout


def conclusions(format: Format, field: Field, suspended: Collection[str] = ()) -> list[str]:
    """Return what the results noted so far say, in a line each; nothing for a format that draws no conclusions."""
    return _placings(format, field, suspended) if isinstance(format, Knockout) else []


def _placings(format: Knockout, field: Field, suspended: Collection[str]) -> list[str]:
    lines = [
        f"{placing.place}. {placing.bot}"
        + (f" ({'suspended' if placing.bot in suspended else 'withdrew'})" if placing.withdrew else "")
        for placing in format.placings(field)
    ]
    late = format.not_taking_part(field)
    return lines + ([f"joined too late for this knockout: {', '.join(late)}"] if late else [])

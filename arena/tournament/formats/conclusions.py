"""What a format has found out besides the leaderboard, in words."""

from __future__ import annotations

from arena.tournament.formats.base import Field, Format
from arena.tournament.formats.decisive import Decisive
from arena.tournament.formats.knockout import Knockout


def conclusions(format: Format, field: Field) -> list[str]:
    """Return what the results noted so far say, in a line each; nothing for a format that draws no conclusions."""
    if isinstance(format, Knockout):
        return _placings(format, field)
    return _verdicts(format, field) if isinstance(format, Decisive) else []


def _placings(format: Knockout, field: Field) -> list[str]:
    lines = [
        f"{placing.place}. {placing.bot}" + (" (withdrew)" if placing.withdrew else "")
        for placing in format.placings(field)
    ]
    late = format.not_taking_part(field)
    return lines + ([f"joined too late for this knockout: {', '.join(late)}"] if late else [])


def _verdicts(format: Decisive, field: Field) -> list[str]:
    words = {"apart": "is better than", "tied": "ties with", "undecided": "cannot be told apart yet from"}
    return [f"{verdict.upper} {words[verdict.kind]} {verdict.lower}" for verdict in format.verdicts(field)]

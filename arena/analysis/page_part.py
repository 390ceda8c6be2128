"""What a replay page is told of the analysis of its game: a part of the public part of its page data.

It is `{"unit", "note", "marks", "records", "curve"}`: `marks` are those of `marked_choices`, `records` says in words by
seat how it played (null: it was not analysed), and `curve` is `[[steps, value of seat 0, …], …]`, by what the seat that
chose could know.
"""

from __future__ import annotations

from typing import Any

import msgspec

from arena.analysis.analysis import (
    MARKS,
    SYMBOLS,
    GameAnalysis,
    marked_choices,
    marks_text,
    play_of,
    record_of,
)
from arena.replays.page_data import encode


def with_analysis(public: bytes, analysis: GameAnalysis | None) -> bytes:
    """Return the public part of a game's page data together with what was found of the game."""
    if analysis is None or not analysis.seats:
        return public
    return encode({**msgspec.json.decode(public), "analysis": page_part(analysis)})


def page_part(analysis: GameAnalysis) -> dict[str, Any]:
    """Return what a page is told."""
    curve = {each.step + 1: each.chances for each in analysis.decisions}  # of a step the last one
    return {
        "unit": analysis.unit,
        "note": f"{marks_text(analysis.unit)}. Weighed by playouts from what the seat knew.",
        "marks": marked_choices(analysis),
        "records": [_record(analysis, seat) for seat in range(len(analysis.bots))],
        "curve": [[step, *chances] for step, chances in curve.items()],
    }


def _record(analysis: GameAnalysis, seat: int) -> str | None:
    play = play_of(analysis, seat) if seat in analysis.seats else None
    record = None if play is None else record_of([play])
    if record is None:
        return None
    accuracy = "" if record.accuracy is None else f"accuracy {100 * record.accuracy:.0f} %, "
    luck = "" if record.luck is None else f"; of what it lost {100 * record.luck:.0f} % was luck"
    return accuracy + ", ".join(f"{record.marks[mark]} {SYMBOLS[mark]}" for mark in MARKS) + luck

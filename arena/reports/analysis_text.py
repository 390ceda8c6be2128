"""Analysed games for people: as text, and as the part of a game's page data that a replay page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from arena.analysis.analysis import (
    MARKS,
    SYMBOLS,
    AccuracyRecord,
    GameAnalysis,
    accuracy_of,
    accuracy_text,
    losses_by_bot,
    losses_of,
    marked_choices,
    marks_text,
    value_text,
)
from arena.analysis.playouts import CHANCE
from arena.common.printable import counted, percent
from arena.replays.page_data import encode
from arena.reports.paragraphs import Paragraphs

HEADERS: Final = (
    "games",
    "decisions",
    "accuracy",
    *(f"{mark} {SYMBOLS[mark]}" for mark in MARKS),
    "lost a game",
    "luck",
)
ALIGN: Final = ("right",) * len(HEADERS)


def record_cells(record: AccuracyRecord) -> list[str]:
    """Return how a bot played, below `HEADERS`."""
    marks = [str(record.marks[mark]) for mark in MARKS]
    luck = [f"{100 * record.lost:.0f} points", percent(record.luck)]
    return [str(record.games), str(record.decisions), accuracy_text(record), *marks, *luck]


def records_table(paragraphs: Paragraphs, records: Mapping[str, AccuracyRecord]) -> None:
    """Add a table of how bots played, and what its columns mean."""
    rows = [[bot, *record_cells(record)] for bot, record in records.items()]
    paragraphs.table(["bot", *HEADERS], rows, ["left", *ALIGN])
    paragraphs.paragraph(
        "accuracy: 100 % if each choice had been the best that was found, 0 % if as good as one at random, ± half of "
        "an interval of 95 %; lost a game: by its own choices; luck: the share of what it lost in games that ended "
        "worse than they began which came neither from its own choices nor from others', but from cards and dice"
    )


def game_text(analysis: GameAnalysis, width: int | None) -> str:
    """Return the decisions of a game with what would have been better, and how each bot played."""
    paragraphs = Paragraphs(width)
    rows = []
    for each in analysis.decisions:
        others = "; ".join(f"{one.text} {value_text(one.value, analysis.unit)}{_by(one.by)}" for one in each.others)
        own = f"{each.choice.text}{_by(each.choice.by)}"
        mark = SYMBOLS.get(analysis.mark(each), "")
        rows.append(
            [str(each.turn), analysis.bots[each.seat], own, value_text(each.choice.value, analysis.unit), mark, others]
        )
    if rows:
        what = "win" if analysis.unit == CHANCE else analysis.unit
        paragraphs.table(
            ["turn", "bot", "played", what, "", "others that were weighed, the best first"],
            rows,
            ["right", "left", "left", "right", "left", "left"],
        )
        paragraphs.paragraph(marks_text(analysis.unit))
        paragraphs.gap()
    found = {bot: record for bot, plays in losses_by_bot([analysis]).items() if (record := accuracy_of(plays))}
    records_table(paragraphs, found)
    if analysis.unweighed:
        paragraphs.paragraph(f"{counted(len(analysis.unweighed), 'decision')} could not be weighed: no world was found")
    return paragraphs.text()


def _by(bots: Sequence[str]) -> str:
    return f" ({', '.join(bots)})" if bots else ""


def with_analysis(public: bytes, analysis: GameAnalysis | None) -> bytes:
    """Return the public part of a game's page data together with what was found of the game."""
    if analysis is None or not analysis.seats:
        return public
    return encode({**msgspec.json.decode(public), "analysis": page_part(analysis)})


def page_part(analysis: GameAnalysis) -> dict[str, Any]:
    """Return what a page is told: the marked choices, how each seat played, and a curve.

    Of `records` those are null whose seat was not analysed. `curve` is `[[steps, value of seat 0, …], …]`, by what the
    seat that chose could know.
    """
    curve = {each.step + 1: each.chances for each in analysis.decisions}  # of a step the last one
    return {
        "unit": analysis.unit,
        "note": f"{marks_text(analysis.unit)}. Weighed by playouts from what the seat knew.",
        "marks": marked_choices(analysis),
        "records": [_record(analysis, seat) for seat in range(len(analysis.bots))],
        "curve": [[step, *chances] for step, chances in curve.items()],
    }


def _record(analysis: GameAnalysis, seat: int) -> str | None:
    play = losses_of(analysis, seat) if seat in analysis.seats else None
    record = None if play is None else accuracy_of([play])
    if record is None:
        return None
    said = accuracy_text(record)
    accuracy = "" if said == "-" else f"accuracy {said}, "
    luck = "" if record.luck is None else f"; {percent(record.luck)} of what it lost was luck"
    marks = [counted(record.marks[mark], mark).replace("inaccuracys", "inaccuracies") for mark in MARKS]
    return accuracy + ", ".join(marks) + luck

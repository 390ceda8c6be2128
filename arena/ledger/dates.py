"""What a ledger knows of dates: when the field changed, and on which days how many games were recorded.

No game and no table depends on them. They lie apart from what a tournament is made of, so that two runs of the same
tournament differ in nothing else.
"""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, date, datetime
from typing import Any, Final

LAST_RUN: Final = "last_run"
"""The key in `meta` of the time when a run last began, ended or played a game, in UTC as text that sorts."""
_DAY: Final = len("2026-03-01")
_DATE: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9:.]{5,15}Z?)?")


def now() -> str:
    """Return the present moment in UTC, as text that sorts."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def note_events(db: sqlite3.Connection, moment: str, note: str) -> None:
    """Date all events of the field that have no date so far. `moment`: in UTC; `note`: what the user says of them."""
    db.execute(
        "INSERT INTO field_notes (event, moment, note)"
        " SELECT n, ?, ? FROM field_events WHERE n NOT IN (SELECT event FROM field_notes)",
        (moment, note),
    )


def forget_notes(db: sqlite3.Connection) -> None:
    """Remove the dates of all events."""
    db.execute("DELETE FROM field_notes")


def notes(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return for each event of the field the fields of a `FieldNote`; those of an event without a date are empty."""
    rows = db.execute(
        "SELECT moment, COALESCE(note, '') FROM field_events LEFT JOIN field_notes ON event = field_events.n"
        " ORDER BY field_events.n"
    )
    return [{"moment": moment, "note": note} for moment, note in rows]


def day_of(moment: str) -> str:
    """Return the day of a moment."""
    return moment[:_DAY]


def is_day(text: str) -> bool:
    """Return whether this is a day as `day_of` returns it."""
    return len(text) == _DAY and is_date(text)


def is_date(text: str) -> bool:
    """Return whether this is a day, or a moment as `now` returns it."""
    found = _DATE.fullmatch(text)
    try:
        return found is not None and bool(date.fromisoformat(found[1]))
    except ValueError:
        return False


def count_game(db: sqlite3.Connection, day: str) -> None:
    """Count a game on a day."""
    db.execute("INSERT INTO days VALUES (?, 1) ON CONFLICT (day) DO UPDATE SET games = games + 1", (day,))


def games_by_day(db: sqlite3.Connection) -> dict[str, Any]:
    """Return the number of games recorded on each day, the first day first."""
    return dict(db.execute("SELECT day, games FROM days ORDER BY day"))

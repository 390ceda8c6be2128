"""What a ledger knows of dates: when the field changed, and on which days how many games were recorded.

No game and no table depends on them. They lie apart from what a tournament is made of, so that two runs of the same
tournament differ in nothing else.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final

LAST_RUN: Final = "last_run"
"""The key in `meta` of the time when a run last began, ended or played a game, in UTC as text that sorts."""
_DAY: Final = len("2026-03-01")
_DATE: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9:.]{5,15}Z?)?")


def now() -> str:
    """Return the present moment in UTC, as text that sorts."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


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

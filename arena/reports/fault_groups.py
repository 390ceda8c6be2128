"""A bot's faults, those of one kind together, with what the bot wrote to standard error at the latest of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from arena.ledger import FaultRecord
from arena.replays.asked_decisions import AskedDecision

_NUMBER: Final = re.compile(r"\d+(\.\d+)?")
_MOST_GROUPS: Final = 1000
"""A bot may write something else at each fault: what comes after so many groups joins that of its code."""
_LONGEST: Final = 300


class FaultGroup(msgspec.Struct, frozen=True):
    """Faults that say the same but for their numbers; game, turn and text are those of the latest."""

    code: str
    text: str
    times: int
    game: str
    seat: int
    turn: int | None
    """In or after which of its decisions; None: before the first."""
    stderr: str
    """The last lines that the bot had written to standard error by then."""
    asked: AskedDecision | None = None


def group_faults(faults: Iterable[tuple[str, FaultRecord]], most: int) -> tuple[list[FaultGroup], int]:
    """Group faults, the most frequent kind first.

    Args:
        faults: Each with its game's id, in the order of the schedule.
        most: How many groups are returned.

    Returns:
        The groups, and how many faults there are in all.
    """
    latest: dict[tuple[str, str], tuple[str, FaultRecord]] = {}
    times: dict[tuple[str, str], int] = {}
    number = 0
    for game, fault in faults:
        number += 1
        key = (fault.code, _NUMBER.sub("#", fault.text[:_LONGEST]))
        if key not in latest and len(latest) >= _MOST_GROUPS:
            key = (fault.code, "")
        latest[key] = game, fault
        times[key] = times.get(key, 0) + 1
    keys = sorted(latest, key=lambda key: (-times[key], key))[:most]
    groups = []
    for key in keys:
        game, fault = latest[key]
        seat = -1 if fault.seat is None else fault.seat
        groups.append(FaultGroup(fault.code, fault.text, times[key], game, seat, fault.turn, fault.stderr))
    return groups, number

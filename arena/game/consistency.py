"""Whether what a record says of faults and times fits its steps.

That a bot was at fault, or how long it took, cannot be computed again. But each strike left a penalty, each answer a
time, and no seat retires without a cause.
"""

from __future__ import annotations

from collections import Counter

from arena.game.clock import TimeControl
from arena.game.faults import FAULTS, FaultCost
from arena.ledger.records import GameRecord


def inconsistencies(record: GameRecord, time: TimeControl | None) -> list[str]:
    """Return in words where faults and times do not fit the steps of a game.

    Args:
        record: The record, whose steps can be replayed.
        time: The time control, with the strikes that a seat has; None: that is not known.
    """
    for fault in record.faults:
        if fault.code not in FAULTS or not (fault.seat is None or 0 <= fault.seat < record.players):
            return [f"seat {fault.seat} has a fault {fault.code!r}, which there is not"]
    if len(record.times) != record.players:
        return [f"there are times of {len(record.times)} seats"]
    return [f"seat {seat}: {what}" for seat in range(record.players) for what in _of_seat(record, seat, time)]


def _of_seat(record: GameRecord, seat: int, time: TimeControl | None) -> list[str]:
    own = [step for step in record.steps if step.seat == seat]
    retired = next((number for number, step in enumerate(own) if step.kind == "retire"), len(own))
    active = own[:retired]
    is_retired = retired < len(own)
    penalties = sum(step.kind == "penalty" for step in own)
    by_bot = sum(step.kind == "play" and step.by == "bot" for step in own)
    substituted = sum(step.kind == "play" and step.by == "substitute" for step in active)
    codes = Counter(fault.code for fault in record.faults if fault.seat == seat)
    struck = sum(codes[code] for code, cost in FAULTS.items() if cost is FaultCost.STRIKE)
    ended = sum(codes[code] for code, cost in FAULTS.items() if cost is FaultCost.RETIRE)
    found = []
    if struck < penalties or (struck > penalties and not is_retired):
        found.append(f"{struck} faults that cost a strike, and {penalties} penalties")
    if substituted > penalties:
        found.append(f"the substitute played {substituted} times for {penalties} strikes")
    if time is not None and time.on_crash != "substitute":
        ended += codes["late"]
    if time is not None and is_retired != bool(ended or penalties >= time.strikes):
        ends = f"{penalties} strikes of {time.strikes} and {ended} faults that retire a seat"
        found.append(f"it {'retired' if is_retired else 'did not retire'} after {ends}")
    least = by_bot + codes["illegal"] + codes["late"]
    if not least <= len(record.times[seat]) <= least + codes["malformed"]:
        found.append(f"{len(record.times[seat])} times of {by_bot} answers")
    if any(not each >= 0 for each in record.times[seat]):
        found.append("a time is negative")
    return found

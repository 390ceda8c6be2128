"""Read what a table needs of some games of a ledger, without its large columns."""

from __future__ import annotations

from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from arena.ledger import database
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import LedgerError
from arena.ledger.records import BriefResult


def brief_results(folder: Path, begin: int, end: int) -> list[BriefResult]:
    """Return the games at the places from `begin` up to, and without, `end`, in the order of the schedule.

    The ledger is open for a moment only, so that who writes it is not kept from closing it. Raises `LedgerError`.
    """
    places = (begin, end)
    seats: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    faults: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    with closing(database.open_to_read(folder)) as db, ledger_errors(folder):
        within = "g.ord >= ? AND g.ord < ?"
        # Games first: one that is recorded meanwhile is whole or not among them.
        heads = f"SELECT g.id, g.ord, g.retired FROM games g WHERE {within} ORDER BY g.ord"
        games = db.execute(heads, places).fetchall()
        joined = f"JOIN seats s ON s.game = g.id WHERE {within} ORDER BY s.seat"
        for game, *seat in db.execute(f"SELECT g.id, s.bot, s.rank FROM games g {joined}", places):
            seats[game].append(tuple(seat))
        joined = f"JOIN faults f ON f.game = g.id WHERE {within} AND f.seat IS NOT NULL ORDER BY f.n"
        for game, *fault in db.execute(f"SELECT g.id, f.seat, f.code FROM games g {joined}", places):
            faults[game].append(tuple(fault))
    found = []
    for game, index, retired in games:
        bots, ranks = zip(*seats[game], strict=True) if seats[game] else ((), ())
        data = {"id": game, "index": index, "bots": bots, "ranks": ranks, "faults": faults[game]}
        try:
            found.append(msgspec.convert(data | {"retired": msgspec.json.decode(retired)}, BriefResult))
        except (msgspec.MsgspecError, TypeError) as error:
            raise LedgerError(f"{folder / FILE}: game {game} cannot be read: {error}") from None
    return found

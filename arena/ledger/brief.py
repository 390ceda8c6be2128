"""Read what a table needs of some games of a ledger, without its large columns."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from arena.common.decoding_words import in_words
from arena.ledger import database
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import DamagedLedger
from arena.ledger.records import BriefResult


class BriefFault(NamedTuple):
    """A fault, without the last words of its bot."""

    game: str
    bot: str
    code: str
    text: str


class NewResults(NamedTuple):
    """What was recorded since an earlier look."""

    entry: int
    """The number of the last entry of the chain that was looked at."""
    results: list[BriefResult]
    faults: list[BriefFault]
    """In the order in which their games were recorded."""


def brief_results(folder: Path, begin: int, end: int) -> list[BriefResult]:
    """Return the games at the places from `begin` up to, and without, `end`, in the order of the schedule.

    The ledger is open for a moment only, so that who writes it is not kept from closing it. Raises `LedgerError`.
    """
    with closing(database.open_to_read(folder)) as db, ledger_errors(folder):
        return _results(db, folder, "g.ord >= ? AND g.ord < ?", (begin, end))


def results_since(folder: Path, entry: int, most: int) -> NewResults:
    """Return the games of the next `most` entries of the chain behind `entry`, with their faults.

    The ledger is open for a moment only. Raises `LedgerError`.
    """
    with closing(database.open_to_read(folder)) as db, ledger_errors(folder):
        rows = db.execute("SELECT n, entry FROM chain WHERE n > ? ORDER BY n LIMIT ?", (entry, most)).fetchall()
        games = [game for _, text in rows for game in _game_of(text)]
        results: list[BriefResult] = []
        faults: list[BriefFault] = []
        if games:
            marks = ", ".join("?" * len(games))
            results = _results(db, folder, f"g.id IN ({marks})", games)
            query = (
                "SELECT f.game, s.bot, f.code, f.text FROM faults f "
                "JOIN seats s ON s.game = f.game AND s.seat = f.seat "
                f"WHERE f.game IN ({marks}) ORDER BY f.n"
            )
            found = [BriefFault(*map(str, row)) for row in db.execute(query, games)]
            order = {game: place for place, game in enumerate(games)}
            faults = sorted(found, key=lambda fault: order[fault.game])
    return NewResults(rows[-1][0] if rows else entry, results, faults)


def _game_of(text: str) -> list[str]:
    """Return the game that an entry of the chain records, if it records one."""
    try:
        entry = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return []
    return [entry[1]] if isinstance(entry, list) and entry[:1] == ["game"] and isinstance(entry[1], str) else []


def _results(db: sqlite3.Connection, folder: Path, within: str, values: Sequence[object]) -> list[BriefResult]:
    """Return the games that a condition chooses, in the order of the schedule."""
    seats: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    faults: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    # Games first: one that is recorded meanwhile is whole or not among them.
    heads = f"SELECT g.id, g.ord, g.retired FROM games g WHERE {within} ORDER BY g.ord"
    games = db.execute(heads, values).fetchall()
    joined = f"JOIN seats s ON s.game = g.id WHERE {within} ORDER BY s.seat"
    for game, *seat in db.execute(f"SELECT g.id, s.bot, s.rank FROM games g {joined}", values):
        seats[game].append(tuple(seat))
    joined = f"JOIN faults f ON f.game = g.id WHERE {within} AND f.seat IS NOT NULL ORDER BY f.n"
    for game, *fault in db.execute(f"SELECT g.id, f.seat, f.code FROM games g {joined}", values):
        faults[game].append(tuple(fault))
    found = []
    for game, index, retired in games:
        bots, ranks = zip(*seats[game], strict=True) if seats[game] else ((), ())
        data = {"id": game, "index": index, "bots": bots, "ranks": ranks, "faults": faults[game]}
        try:
            found.append(msgspec.convert(data | {"retired": msgspec.json.decode(retired)}, BriefResult))
        except (msgspec.MsgspecError, TypeError) as error:
            raise DamagedLedger(f"{folder / FILE}: game {game} cannot be read: {in_words(error)}") from None
    return found

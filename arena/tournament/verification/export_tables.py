"""Compare the tables of an export with the rows that its games and its chain give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from arena.common.regular_files import read_regular, why_unread
from arena.ledger import GameRecord
from arena.replays.export import BOT_TABLE, BOTS, GAMES, WRITERS, bot_rows, columns, csv_lines, rows

_LARGEST: Final = 1 << 30
"""Bytes of a table. A row takes about two hundred."""
TABLE: Final = f"{GAMES}.csv"
"""The table of games that is compared."""
BOTS_TABLE: Final = f"{BOTS}.csv"
"""The table of bots that is compared."""


def tables(folder: Path) -> list[str]:
    """Return the names of the tables in an export."""
    names = (f"{name}.{ending}" for name in (GAMES, BOTS) for ending in WRITERS)
    return [name for name in names if (folder / name).exists()]


def bots_differences(folder: Path, bots: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return where the table of bots in CSV is not what the chain says of them."""
    if BOTS_TABLE not in tables(folder):
        return []
    try:
        data = read_regular(folder / BOTS_TABLE, _LARGEST)
    except (OSError, ValueError) as error:
        return [f"it cannot be read: {why_unread(error)}"]
    lines = [line.encode() for line in csv_lines(BOT_TABLE, bot_rows(bots))]
    return [] if data == b"".join(lines) else ["it is not what was recorded of the bots"]


def table_differences(folder: Path, records: Callable[[], Iterator[GameRecord]]) -> list[str]:
    """Return where the table in CSV is not what these games give, which are in the order of the schedule.

    Args:
        folder: The export.
        records: Begins to read the games. That is done twice, so that memory does not grow with their number.
    """
    if TABLE not in tables(folder):
        return []
    try:
        data = read_regular(folder / TABLE, _LARGEST)
    except (OSError, ValueError) as error:
        return [f"it cannot be read: {why_unread(error)}"]
    table = columns(sorted({name for record in records() for scores in record.scores for name in scores}))
    now = "the heading"

    def found() -> Iterator[dict[str, Any]]:
        nonlocal now
        for record in records():
            for row in rows(record, table):
                now = f"the row of seat {row['seat']} in {row['game']}"
                yield row

    at = 0
    for line in map(str.encode, csv_lines(table, found())):
        if not data.startswith(line, at):
            return [f"{now} is not what the games give, at byte {at}: it was altered, or is of an earlier export"]
        at += len(line)
    return [] if at == len(data) else [f"it goes on behind the last game, at byte {at}"]


def not_compared(folder: Path, *, games_differ: bool) -> list[str]:
    """Say which tables were not compared with the games.

    The library that reads Parquet is not made for files of strangers: a small one may fill the memory.
    """
    of = {f"{GAMES}.parquet": "the games", f"{BOTS}.parquet": "the chain"}
    found = [f"{name} was not compared with {of[name]}" for name in tables(folder) if name in of]
    if games_differ and TABLE in tables(folder):
        found.append(f"{TABLE} was not compared with the games, since not all of these are as recorded")
    return found

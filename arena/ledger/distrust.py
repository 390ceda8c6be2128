"""Read a file that may come from anybody: it holds the tables of a ledger and nothing else, and reading it ends.

SQLite lets a file define views, triggers and computed columns, whose SQL runs when the file is read, and its pages can
be linked in circles. So the schema is compared with the one that we write, and the work that reading may take is
limited by the file's size.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from arena.ledger import migrations
from arena.ledger.errors import DamagedLedger

_LONGEST: Final = 64 << 20
"""The most bytes of a cell, and of a statement."""
_CHUNK: Final = 100_000
"""Instructions of SQLite's machine between two looks at how many there were."""
_INSTRUCTIONS: Final = 100_000_000
_INSTRUCTIONS_PER_BYTE: Final = 100
"""So many may run in a connection, and in addition for each byte of the file. The longest command runs about one."""


def distrust(connection: sqlite3.Connection, file: Path, is_ours: bool = False) -> None:
    """Limit what a connection does for a file. Call it before anything is read.

    `is_ours`: a tournament that we play ourselves, which may take any time.
    """
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    if is_ours:
        return
    run = 0

    def is_too_much() -> bool:
        nonlocal run
        run += _CHUNK
        return run > _INSTRUCTIONS and run > _INSTRUCTIONS + _INSTRUCTIONS_PER_BYTE * file.stat().st_size

    connection.set_progress_handler(is_too_much, _CHUNK)


def check_schema(connection: sqlite3.Connection, file: Path) -> None:
    """Raise `LedgerError` if the file does not have the tables and indexes of its version, or has anything else."""
    expected = _schema(migrations.STEPS, migrations.version_of(connection))
    found = set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))
    tables = {name for kind, name, _, _ in found if kind == "table"}
    if missing := sorted(name for kind, name, _, _ in expected if kind == "table" and name not in tables):
        raise DamagedLedger(f"{file} is damaged, it has no table {', '.join(missing)}")
    if strange := sorted(f"{kind} {name}" for kind, name, _, _ in expected ^ found):
        raise DamagedLedger(
            f"{file} is none that an arena has written, or was altered: {strange[0]!r} is not the one of a ledger"
        )


@cache
def _schema(steps: tuple[str, ...], version: int) -> frozenset[tuple[str, str, str, str | None]]:
    """Return what an empty ledger of that version defines. `steps`: those of `migrations`."""
    with closing(sqlite3.connect(":memory:")) as empty:
        migrations.migrate(empty, version)
        return frozenset(empty.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))

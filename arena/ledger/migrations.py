"""The steps that make the tables of a ledger, and that bring a ledger of an earlier release up to date.

`PRAGMA user_version` says how far a ledger is. To change the tables add a step, and never change one that was released.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

FIRST: Final = 3
"""The version that the first step makes; those before it were never released."""
STEPS: Final = ((files("arena.ledger") / "schema.sql").read_text("utf-8"),)
"""SQL, each for the tables as the one before it leaves them."""


def latest() -> int:
    """The version that this arena reads and writes."""
    return FIRST + len(STEPS) - 1


def version_of(connection: sqlite3.Connection) -> int:
    """How far a ledger is; 0: it is a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the steps that a ledger lacks, all of them or none; a new file gets all.

    Raises `sqlite3.Error`: it cannot be written, or its tables are not those of its version.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # again: another process may have been quicker
        for number, step in enumerate(STEPS, start=FIRST):
            if number > version:
                for statement in _statements(step):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _statements(script: str) -> Iterator[str]:
    """One by one: `executescript` would end the transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement

"""Create the tables of a ledger, and bring a ledger of an earlier release up to date.

`PRAGMA user_version` is the version of a ledger. To change the tables add a step, and never change one that was
released.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

FIRST: Final = 9
"""The version that the first step makes. Earlier ones were never released."""
STEPS: Final = ((files("arena.ledger") / "schema.sql").read_text("utf-8"),)
"""SQL scripts. Each changes the tables that the one before it left."""


def latest() -> int:
    """Return the version that this arena reads and writes."""
    return FIRST + len(STEPS) - 1


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a ledger. A new file has 0."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, to: int | None = None) -> None:
    """Apply the steps that a ledger lacks, in one transaction. A new file gets all of them.

    `to`: the version to stop at; None: the latest.

    Raises:
        sqlite3.Error: it cannot be written, or its tables are not those of its version.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(connection)  # again: another process may have been quicker
        for number, step in enumerate(STEPS, start=FIRST):
            if version < number and (to is None or number <= to):
                for statement in _statements(step):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script one by one, because `executescript` would end the transaction first."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement

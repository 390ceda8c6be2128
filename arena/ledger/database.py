"""The file of a ledger as SQLite has it: how it is opened and left, and what is said of one that is no ledger.

While it is written, what is new stands in a log beside it, so that others can read meanwhile; whoever wrote it folds
the log into it at the end. So a ledger at rest is one plain file, which can be read where nothing can be written.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from arena.ledger import migrations
from arena.ledger.errors import LedgerError
from arena.ledger.lock import is_locked

FILE: Final = "ledger.sqlite"
_MAGIC: Final = b"SQLite format 3\0"
_TABLES: Final = {"meta", "entrants", "games", "seats", "steps", "faults", "page_data", "voids"}
_NOT_TO_WRITE: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_PATIENCE: Final = 30.0
"""Seconds to wait for another process that is writing."""
_FAREWELL: Final = 1.0
"""Seconds to wait for readers before a ledger is left with its log beside it."""


def create(folder: Path) -> sqlite3.Connection:
    """A new file with empty tables, to be written."""
    with told(folder):
        connection = _connect(folder)
        _keep_log(connection)
        migrations.migrate(connection)
    return connection


def open_to_write(folder: Path) -> sqlite3.Connection:
    """The ledger of a folder, brought up to date. Raises `LedgerError`: there is none, or one that is not for us."""
    _look(folder)
    with told(folder):
        connection = _checked(_connect(folder), folder, writing=True)
        _keep_log(connection)
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """The same for whoever only reads it, where nothing can be written too."""
    _look(folder)
    with told(folder):
        try:
            connection = _connect(folder)
        except sqlite3.OperationalError:
            if os.access(folder, os.W_OK):
                raise
            connection = _connect_unchanging(folder)
        return _checked(connection, folder, writing=False)


def leave(connection: sqlite3.Connection) -> None:
    """Close a ledger that was written. While others read it its log has to stay: they put it away, or the next run."""
    ends = time.monotonic() + _FAREWELL
    while True:
        try:
            with closing(connection.execute("PRAGMA journal_mode = DELETE")):
                break
        except sqlite3.Error as error:  # of whatever kind: all that was recorded stands in the log
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY or time.monotonic() > ends:
                break
        time.sleep(0.02)
    connection.close()


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """What SQLite objects to (no ledger, a full disk, no permission) as an error for the user."""
    try:
        yield
    except sqlite3.Error as error:
        why = f"{folder / FILE} cannot be used: {error}"
        # An error of Python's own module, such as a value of the wrong type, has no code of SQLite's.
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            why += ". Make room and type the same command again: the games that were recorded are kept"
        raise LedgerError(why) from error


def _look(folder: Path) -> None:
    """Say what is wrong with a file before SQLite takes it for one of its own."""
    file = folder / FILE
    if not file.is_file():
        empty = folder.is_dir() and not any(folder.iterdir())
        what = f"{folder} is empty" if empty else f"there is no tournament in {folder}"
        raise LedgerError(f"{what}: name the folder given as --out to `arena tournament`")
    with file.open("rb") as data:
        head = data.read(len(_MAGIC))
    if not head:
        raise LedgerError(f"{file} is empty: no tournament is in it. Remove it, or name another folder")
    if head != _MAGIC:
        raise LedgerError(f"{file} is no ledger but some other file: name the folder of a tournament")


def _checked(connection: sqlite3.Connection, folder: Path, writing: bool) -> sqlite3.Connection:
    """The same ledger, up to date. When it is not one that can be used, that is said and it is closed."""
    file = folder / FILE
    try:
        if not {"meta", "games"} <= _tables(connection):
            raise LedgerError(f"{file} is no ledger but a database of something else: name the folder of a tournament")
        version, ours = migrations.version_of(connection), migrations.latest()
        if version > ours:
            raise LedgerError(
                f"{file} has ledger version {version}, this arena reads {ours}: "
                "use the arena that wrote it, or a newer one"
            )
        if version < migrations.FIRST:
            raise LedgerError(
                f"{file} has ledger version {version}, which was never released, this arena reads {ours}: "
                "use the arena that wrote it"
            )
        if version < ours:
            connection = _up_to_date(connection, folder, writing)
        if missing := ", ".join(sorted(_TABLES - _tables(connection))):
            raise LedgerError(f"{file} is damaged, it has no table {missing}: take a copy of this ledger that is whole")
    except BaseException:
        connection.close()
        raise
    return connection


def _up_to_date(connection: sqlite3.Connection, folder: Path, writing: bool) -> sqlite3.Connection:
    """Migrate a ledger of an earlier release: the file, or for a reader who must not, a copy of it in memory."""
    if writing or not is_locked(folder):  # else an earlier arena is playing it
        try:
            migrations.migrate(connection)
            return connection
        except sqlite3.OperationalError as error:
            if writing or getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF not in _NOT_TO_WRITE:
                raise
    with closing(connection):
        copy = sqlite3.connect(":memory:")
        try:
            connection.backup(copy)
            migrations.migrate(copy)
        except BaseException:
            copy.close()
            raise
    return copy


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _connect(folder: Path) -> sqlite3.Connection:
    return _read_once(sqlite3.connect(folder / FILE, timeout=_PATIENCE))


def _connect_unchanging(folder: Path) -> sqlite3.Connection:
    """A file of which nothing can stand beside it any more: SQLite would make files beside one that had a log."""
    file = folder / FILE
    log = file.with_name(f"{FILE}-wal")
    if is_locked(folder) or (log.exists() and log.stat().st_size):
        raise LedgerError(
            f"{file}: its last games stand in {log.name} beside it. Copy the folder to where you can write"
        )
    return _read_once(sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True))


def _read_once(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Read the file: now it is known to be a database."""
    try:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA schema_version")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _keep_log(connection: sqlite3.Connection) -> None:
    try:
        with closing(connection.execute("PRAGMA journal_mode = WAL")):
            pass
    except sqlite3.Error:
        connection.close()
        raise

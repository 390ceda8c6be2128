"""Open and close the SQLite file of a ledger, and explain why a file cannot be used as one.

While a ledger is written, SQLite keeps new data in a log beside it, so that others can read meanwhile. The writer
merges
the log at the end. So a ledger at rest is one plain file, which can be read where nothing can be written.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from arena.common.printable import printable, shorten
from arena.ledger import migrations
from arena.ledger.distrust import check_schema, distrust
from arena.ledger.errors import DamagedLedger, LedgerError
from arena.ledger.lock import is_locked

FILE: Final = "ledger.sqlite"
_MAGIC: Final = b"SQLite format 3\0"
_NOT_TO_WRITE: Final = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_TO_DO: Final = {
    sqlite3.SQLITE_FULL: "Make room and type the same command again: the games that were recorded are kept",
    sqlite3.SQLITE_BUSY: "Another process writes it: wait until that has ended",
    sqlite3.SQLITE_IOERR: "Look at the disk",
    sqlite3.SQLITE_READONLY: "Name a folder that can be written",
    sqlite3.SQLITE_CANTOPEN: "Name a folder that you may read and write",
}
"""What the user can do, by SQLite's code."""
_LONGEST_VERSION: Final = 100
_PATIENCE: Final = 30.0
"""Seconds to wait for another process that is writing."""
_FAREWELL: Final = 1.0
"""Seconds to wait for readers before a ledger is left with its log beside it."""


def create(folder: Path) -> sqlite3.Connection:
    """Create a file with empty tables, and return a connection that may write."""
    with ledger_errors(folder):
        connection = _connect(folder)
        _keep_log(connection)
        migrations.migrate(connection)
    return connection


def open_to_write(folder: Path) -> sqlite3.Connection:
    """Open the ledger of a folder to write, and migrate it if it is old. Raises `LedgerError` if it cannot be used."""
    _look(folder)
    with ledger_errors(folder):
        connection = _checked(_connect(folder), folder, writing=True)
        _keep_log(connection)
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the ledger of a folder to read, also on a read-only disk. Raises `LedgerError` if it cannot be used."""
    _look(folder)
    with ledger_errors(folder):
        return _checked(_connect_to_read(folder), folder, writing=False)


def leave(connection: sqlite3.Connection) -> None:
    """Merge the log into a ledger that was written, and close it.

    If others still read, the log stays for the next run.
    """
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
def ledger_errors(folder: Path) -> Iterator[None]:
    """Turn errors of SQLite (no ledger, a full disk, no permission) into a `LedgerError`."""
    try:
        yield
    except sqlite3.Error as error:
        # An error of Python's own module, such as a text that is none, has no code of SQLite's.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            raise DamagedLedger(
                f"{folder / FILE}: to read it takes longer than any ledger of its size: it is damaged or was forged"
            ) from error
        why = f"{folder / FILE} cannot be used: {error}"
        if code in _DAMAGED:
            raise DamagedLedger(why) from error
        raise LedgerError(f"{why}. {_TO_DO[code]}" if code in _TO_DO else why) from error


def _look(folder: Path) -> None:
    """Raise `LedgerError` if a file is missing or no SQLite file, before SQLite creates or changes it."""
    file = folder / FILE
    try:
        if not file.is_file():
            empty = folder.is_dir() and not any(folder.iterdir())
            what = f"{folder} is empty" if empty else f"there is no tournament in {folder}"
            raise LedgerError(f"{what}: name the folder given as --out to `arena tournament`")
        with file.open("rb") as data:
            head = data.read(len(_MAGIC))
    except OSError as error:
        raise LedgerError(f"{file} cannot be read: {error.strerror}") from error
    if not head:
        raise LedgerError(f"{file} is empty: no tournament is in it. Remove it, or name another folder")
    if head != _MAGIC:
        raise LedgerError(f"{file} is no ledger but some other file: name the folder of a tournament")


def _checked(connection: sqlite3.Connection, folder: Path, writing: bool) -> sqlite3.Connection:
    """Return the connection, migrated if the ledger is old. If it cannot be used, close it and raise `LedgerError`."""
    file = folder / FILE
    try:
        connection.execute("BEGIN")  # so that tables and version are of one moment: another process may be migrating it
        if not {"meta", "games"} <= _tables(connection):
            raise LedgerError(f"{file} is no ledger but a database of something else: name the folder of a tournament")
        version, ours = migrations.version_of(connection), migrations.latest()
        if version > ours:
            raise LedgerError(
                f"{file} has ledger version {version}, this arena reads {ours}: "
                f"use the arena that wrote it{_writer(connection)}, or a newer one"
            )
        if version < migrations.FIRST:
            raise LedgerError(
                f"{file} has ledger version {version}, which was never released, this arena reads {ours}: "
                f"use the arena that wrote it{_writer(connection)}"
            )
        check_schema(connection, file)
        connection.execute("COMMIT")
        if version < ours:
            connection = _up_to_date(connection, folder, writing)
    except BaseException:
        connection.close()
        raise
    return connection


def _up_to_date(connection: sqlite3.Connection, folder: Path, writing: bool) -> sqlite3.Connection:
    """Migrate a ledger of an earlier release. For a reader who cannot write, migrate a copy in memory."""
    if writing:
        migrations.migrate(connection)
        return connection
    if not is_locked(folder):  # else an earlier arena is playing it
        try:
            with closing(_connect(folder, is_ours=False)) as writer:
                migrations.migrate(writer)
            connection.close()
            return _connect_to_read(folder)
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF not in _NOT_TO_WRITE:
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


def _connect(folder: Path, is_ours: bool = True) -> sqlite3.Connection:
    return _read_once(sqlite3.connect(folder / FILE, timeout=_PATIENCE), folder, is_ours)


def _connect_to_read(folder: Path) -> sqlite3.Connection:
    """Connect so that no statement can write. SQLite itself may: who reads last merges the log of a run that ended."""
    try:
        connection = _connect(folder, is_ours=False)
    except sqlite3.OperationalError:
        if os.access(folder, os.W_OK):
            raise
        connection = _connect_unchanging(folder)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connect_unchanging(folder: Path) -> sqlite3.Connection:
    """Open a ledger on a read-only disk as immutable. Raises `LedgerError` if it has a log, which could not be read."""
    file = folder / FILE
    log = file.with_name(f"{FILE}-wal")
    if is_locked(folder) or (log.exists() and log.stat().st_size):
        raise LedgerError(
            f"{file}: its last games stand in {log.name} beside it. Copy the folder to where you can write"
        )
    return _read_once(sqlite3.connect(f"{file.absolute().as_uri()}?immutable=1", uri=True), folder)


def _read_once(connection: sqlite3.Connection, folder: Path, is_ours: bool = False) -> sqlite3.Connection:
    """Read the file once, which fails if it is no database."""
    try:
        distrust(connection, folder / FILE, is_ours)
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


def _writer(connection: sqlite3.Connection) -> str:
    """Return the versions of the arena that wrote a ledger of another version, as far as it says so."""
    try:
        [(machines,)] = connection.execute("SELECT value FROM meta WHERE key = 'machines'")
        found = dict.fromkeys(str(machine["arena"]) for machine in json.loads(machines))
    except (sqlite3.Error, ValueError, TypeError, KeyError):
        return ""
    return f" ({shorten(printable(', '.join(found)), _LONGEST_VERSION)})" if found else ""

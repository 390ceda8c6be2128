"""Open and close the SQLite file of a ledger, and explain why a file cannot be used as one.

While a ledger is written, SQLite keeps new data in a log beside it, so that others can read meanwhile. The writer
merges the log at the end. So a ledger at rest is one plain file, which can be read where nothing can be written.

A file may come from anybody: it holds the tables of a ledger and nothing else, and reading it ends. SQLite lets a file
define views, triggers and computed columns, whose SQL runs when the file is read, and its pages can be linked in
circles. So the schema is compared with the one that we write, and the work that reading may take is limited by the
file's size.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from arena.common.printable import printable, shorten
from arena.ledger.errors import DamagedLedger, LedgerError
from arena.ledger.lock import is_locked

FILE: Final = "ledger.sqlite"
VERSION: Final = 9
"""The version of the tables, as `PRAGMA user_version` says it. Add one when you change them."""
_MAGIC: Final = b"SQLite format 3\0"
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
_LONGEST: Final = 64 << 20
"""The most bytes of a cell, and of a statement."""
_CHUNK: Final = 100_000
"""Instructions of SQLite's machine between two looks at how many there were."""
_INSTRUCTIONS: Final = 100_000_000
_INSTRUCTIONS_PER_BYTE: Final = 100
"""So many may run in a connection, and in addition for each byte of the file. The longest command runs about one."""


def create(folder: Path) -> sqlite3.Connection:
    """Create a file with empty tables, and return a connection that may write."""
    with ledger_errors(folder):
        connection = _connect(folder)
        _keep_log(connection)
        _create_tables(connection)
    return connection


def open_to_write(folder: Path) -> sqlite3.Connection:
    """Open the ledger of a folder to write. Raises `LedgerError` if it cannot be used."""
    _look(folder)
    with ledger_errors(folder):
        connection = _checked(_connect(folder), folder)
        _keep_log(connection)
    return connection


def open_to_read(folder: Path) -> sqlite3.Connection:
    """Open the ledger of a folder to read, also on a read-only disk. Raises `LedgerError` if it cannot be used."""
    _look(folder)
    with ledger_errors(folder):
        return _checked(_connect_to_read(folder), folder)


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


@contextmanager
def ledger_errors(folder: Path, name: str = FILE) -> Iterator[None]:
    """Turn errors of SQLite (no ledger, a full disk, no permission) into a `LedgerError`. `name`: of the file."""
    try:
        yield
    except sqlite3.Error as error:
        # An error of Python's own module, such as a text that is none, has no code of SQLite's.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            raise DamagedLedger(
                f"{folder / name}: to read it takes longer than any ledger of its size: it is damaged or was forged"
            ) from error
        why = f"{folder / name} cannot be used: {error}"
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


def _create_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a ledger in an empty file, all of them or none."""
    schema = (files("arena.ledger") / "schema.sql").read_text("utf-8")
    connection.executescript(f"BEGIN IMMEDIATE;\n{schema}\nPRAGMA user_version = {VERSION};\nCOMMIT;")


def _checked(connection: sqlite3.Connection, folder: Path) -> sqlite3.Connection:
    """Return the connection. If the ledger cannot be used, close it and raise `LedgerError`."""
    file = folder / FILE
    try:
        if not {"meta", "games"} <= _tables(connection):
            raise LedgerError(f"{file} is no ledger but a database of something else: name the folder of a tournament")
        [version] = connection.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            raise LedgerError(
                f"{file} has ledger version {version}, this arena reads {VERSION}: "
                f"use the arena that wrote it{_writer(connection)}{', or a newer one' if version > VERSION else ''}"
            )
        _check_schema(connection, file)
    except BaseException:
        connection.close()
        raise
    return connection


def _check_schema(connection: sqlite3.Connection, file: Path) -> None:
    """Raise `LedgerError` if the file does not have the tables and indexes of a ledger, or has anything else."""
    expected = _schema()
    found = set(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))
    tables = {name for kind, name, _, _ in found if kind == "table"}
    if missing := sorted(name for kind, name, _, _ in expected if kind == "table" and name not in tables):
        raise DamagedLedger(f"{file} is damaged, it has no table {', '.join(missing)}")
    if strange := sorted(f"{kind} {name}" for kind, name, _, _ in expected ^ found):
        raise DamagedLedger(
            f"{file} is none that an arena has written, or was altered: {strange[0]!r} is not the one of a ledger"
        )


@cache
def _schema() -> frozenset[tuple[str, str, str, str | None]]:
    """Return what an empty ledger defines."""
    with closing(sqlite3.connect(":memory:")) as empty:
        _create_tables(empty)
        return frozenset(empty.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


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

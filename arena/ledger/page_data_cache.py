"""The cached page data of a tournament's games: `page_data.sqlite` beside its ledger.

Nothing depends on this file: what is not in it is built again from the records. So it may be removed at any time, or
left behind when a ledger is copied, and whatever goes wrong with it is no error. Page data take four fifths of the room
of a tournament, which a ledger alone is spared. Only the process that writes the ledger writes it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

import msgspec

from arena.ledger.database import distrust
from arena.ledger.records import PageDataRecord

CACHE: Final = "page_data.sqlite"
_TABLE: Final = "CREATE TABLE page_data (game TEXT PRIMARY KEY, key TEXT NOT NULL, data BLOB NOT NULL)"
_SCHEMA: Final = {("table", "page_data", _TABLE), ("index", "sqlite_autoindex_page_data_1", None)}
_PATIENCE: Final = 1.0
"""Seconds to wait for another process that uses the file, before a game's page data is not cached."""
_TOGETHER: Final = 64
"""Games whose page data are written at once. If the process is killed, those of so many have to be built again."""


class PageDataCache:
    """The cached page data of an open ledger."""

    def __init__(self, folder: Path, writing: bool, name: str = CACHE) -> None:
        """Take the ledger's folder. Nothing is opened before it is needed. `writing`: whether this process writes it.

        What a crash of the system loses of it is built again, so that no write waits for the disk.
        """
        self._file = folder / name
        self._writing = writing
        self._db: sqlite3.Connection | None = None
        self._is_closed = False
        self._unwritten = 0

    def put(self, game_id: str, page_data: PageDataRecord, at_once: bool = False) -> None:
        """Keep the page data of a game, if that is possible. After a failure no more are kept.

        `at_once`: write them now, not together with those of other games.
        """
        try:
            if (db := self._opened_to_write()) is None:
                return
            db.execute("INSERT OR REPLACE INTO page_data VALUES (?, ?, ?)", (game_id, page_data.key, page_data.data))
            self._unwritten += 1
            if at_once or self._unwritten >= _TOGETHER:
                self._unwritten = 0
                db.commit()
        except sqlite3.Error:  # the disk is full, or another process holds the file
            self.close()

    def get(self, game_id: str) -> PageDataRecord | None:
        """Return the page data of a game. Return None if there are none that can be read."""
        with suppress(sqlite3.Error, msgspec.ValidationError):
            if (db := self._opened()) is not None:
                for row in db.execute("SELECT key, data FROM page_data WHERE game = ?", (game_id,)).fetchall():
                    found = dict(zip(PageDataRecord.__struct_fields__, row, strict=True))
                    return msgspec.convert(found, PageDataRecord)
        return None

    def close(self) -> None:
        """Write what is unwritten, and close the file."""
        self._is_closed = True
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.commit()
            self._db.close()
            self._db = None

    def _opened(self) -> sqlite3.Connection | None:
        """Return the connection. Return None if there is no such file, or none that can be used."""
        if self._db is None and not self._is_closed and self._file.is_file():
            try:
                self._db = _connected(self._file, self._writing)
            finally:
                self._is_closed = self._db is None and not self._writing
        return self._db

    def _opened_to_write(self) -> sqlite3.Connection | None:
        """Return the connection; if there is none, to a new file, also in the place of one that cannot be used."""
        if self._opened() is None and not self._is_closed:
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
                self._db = _created(self._file)
            self._is_closed = self._db is None
        return self._db


def _created(file: Path) -> sqlite3.Connection | None:
    with suppress(sqlite3.Error), closing(sqlite3.connect(file, timeout=_PATIENCE)) as db, db:
        db.execute(_TABLE)
    return _connected(file, writing=True)


def _connected(file: Path, writing: bool) -> sqlite3.Connection | None:
    """Open a file that may come from anybody. Return None if it is not one that a ledger writes."""
    for mode in ("rw",) if writing else ("rw", "ro"):  # who reads undoes what a process left that was killed
        db: sqlite3.Connection | None = None
        try:
            db = sqlite3.connect(f"{file.absolute().as_uri()}?mode={mode}", uri=True, timeout=_PATIENCE)
            distrust(db, file, is_ours=writing)
            if set(db.execute("SELECT type, name, sql FROM sqlite_master")) == _SCHEMA:
                db.execute("PRAGMA synchronous = OFF" if writing else "PRAGMA query_only = ON")
                return db
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY and db is not None:
                db.close()
                raise  # a good one, which another process uses
        if db is not None:
            db.close()
    return None

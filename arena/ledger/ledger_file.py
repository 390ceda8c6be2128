"""The connection to a ledger's file: its rows, transactions and chain, and the table `meta`.

The other tables are known to `arena.ledger.field_tables`, `arena.ledger.recorded_games` and
`arena.ledger.result_queries`.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from arena.common.decoding_words import in_words
from arena.ledger.chain import Chain, Entry
from arena.ledger.database import FILE, ledger_errors
from arena.ledger.errors import DamagedLedger
from arena.ledger.page_data_cache import PageDataCache
from arena.ledger.rows import Row, RowReader
from arena.ledger.settings import TournamentSettings


class LedgerFile:
    """An open ledger, whose tables others know."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, writing: bool) -> None:
        """Take the ledger's folder and an open connection to its file. `writing`: whether it is written."""
        self.folder = folder
        self._db = connection
        self._opened = (folder / FILE).stat() if writing else None
        self._reader = RowReader(folder / FILE)
        self.chain = Chain(folder, connection)
        self._page_data = PageDataCache(folder, writing)
        self._is_together = False
        """Whether what is written is part of a larger transaction."""

    @property
    def meta(self) -> dict[str, Any]:
        """Return the settings that were fixed when the tournament began, and its state."""
        rows = self._rows("SELECT key, value FROM meta ORDER BY key")
        return {key: self._reader.loaded(f"meta {key}", value) for key, value in rows}

    @property
    def settings(self) -> TournamentSettings:
        """Return what `meta` says of the tournament. Raises `LedgerError`: it says something else or not enough."""
        try:
            return msgspec.convert(self.meta, TournamentSettings)
        except msgspec.ValidationError as error:
            raise DamagedLedger(f"{self.folder / FILE}: meta does not fit: {in_words(error)}") from None

    def set_meta(self, key: str, value: Any, *entries: Entry) -> None:
        """Set one entry of `meta`. `entries`: what the chain keeps of that."""
        with self._transaction():
            self._put(key, value)
            for entry in entries:
                self.chain.append(entry)

    @property
    def is_in_place(self) -> bool:
        """Return whether its folder still has the file that was opened to write, and not another one or none."""
        with suppress(OSError):
            return self._opened is None or os.path.samestat(self._opened, (self.folder / FILE).stat())
        return False

    def copy_to(self, folder: Path) -> None:
        """Write all that is recorded to a new file in another folder, even if the open file has been deleted."""
        with ledger_errors(folder), closing(sqlite3.connect(folder / FILE)) as copy:
            self._db.backup(copy)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read from one snapshot inside the block, whatever is recorded meanwhile. Do not write in it."""
        with ledger_errors(self.folder):
            self._db.execute("BEGIN")
        try:
            yield
        finally:
            with ledger_errors(self.folder):
                self._db.rollback()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write all that the block records in one transaction, which takes less time than one for each game.

        If the block raises, what it had recorded whole by then is kept.
        """
        self._is_together = True
        try:
            with ledger_errors(self.folder):
                self._db.execute("BEGIN IMMEDIATE")
            yield
        finally:
            self._is_together = False
            with ledger_errors(self.folder):
                self._db.commit()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        with ledger_errors(self.folder):
            return self._db.execute(sql, values).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Write all that the block writes, or nothing if it raises."""
        with ledger_errors(self.folder), self._part() if self._is_together else self._db:
            yield self._db

    @contextmanager
    def _part(self) -> Iterator[None]:
        self._db.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            if self._db.in_transaction:  # SQLite gives up all of it where the disk is full
                self._db.execute("ROLLBACK TO part")
            raise
        self._db.execute("RELEASE part")

    def _put(self, key: str, value: Any) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

"""Rows of a ledger's tables, as they are written and read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from arena.common.authors import Author
from arena.common.decoding_words import in_words
from arena.ledger.errors import DamagedLedger
from arena.ledger.packing import (
    STEPS_RATIO,
    TIMES_RATIO,
    ColumnReader,
    PackedCellError,
    columns_of,
    pack_columns,
    unpack,
    unpack_times,
)
from arena.ledger.records import (
    EntrantRecord,
    GameRecord,
    Step,
)

Row = tuple[Any, ...]
Record = TypeVar("Record")
_STEPS = ColumnReader(Step)


class RowReader:
    """Convert what stands in a row. SQLite lets any value into any column, so every value is checked."""

    def __init__(self, file: Path) -> None:
        """Take the ledger's file, for errors."""
        self._file = file

    def loaded(self, what: str, text: str | bytes | None) -> Any:
        """Read a cell of JSON. `what` it belongs to is named in a `LedgerError`."""
        if text is None:
            return None
        try:
            with suppress(msgspec.DecodeError):
                return msgspec.json.decode(text)
            return json.loads(text)  # a bot's number may be NaN, which only this one knows
        except (ValueError, TypeError, RecursionError) as error:
            raise DamagedLedger(f"{self._file}: {what} cannot be read: {in_words(error)}") from None

    def times(self, what: str, players: int, cell: Any) -> list[list[int]]:
        """Return the times of so many players from their packed cell. Raises as `loaded`."""
        if type(players) is not int:  # what SQLite keeps in a column may be of any type
            raise DamagedLedger(f"{self._file}: {what} is for {players} players")
        try:
            return unpack_times(cell, players)
        except PackedCellError as error:
            raise DamagedLedger(f"{self._file}: {what} cannot be read: {in_words(error)}") from None

    def steps(self, what: str, cell: Any) -> list[Step]:
        """Return the steps of a game from their packed cell. Raises as `loaded`."""
        try:
            return _STEPS.rows(unpack(cell, STEPS_RATIO))
        except PackedCellError as error:
            raise DamagedLedger(f"{self._file}: {what} cannot be read: {in_words(error)}") from None

    def by_seat(self, what: str, seats: Sequence[Row]) -> dict[str, Any]:
        """Return the fields of a record that hold a list by seat, but the times, from rows of bot, rank and scores."""
        return {
            "bots": [seat[0] for seat in seats],
            "ranks": [seat[1] for seat in seats],
            "scores": [self.loaded(what, seat[2]) for seat in seats],
        }

    def typed(self, what: str, data: dict[str, Any], kind: type[Record]) -> Record:
        """Convert to `kind`. Raises `LedgerError` for a wrong type, because SQLite lets any value into any column."""
        try:
            return msgspec.convert(data, kind)
        except msgspec.ValidationError as error:
            raise DamagedLedger(f"{self._file}: {what} cannot be read: {in_words(error)}") from None

    def entrant(self, row: Row) -> EntrantRecord:
        """Return a version of a bot."""
        name, path, fingerprint, language, declared, deterministic, parallel, left_out, builds, author = row
        what = f"what is said of {name}"
        made, who = self.loaded(what, builds), self.loaded(what, author)
        by = None if who is None else self.typed(what, who, Author)
        said = (name, path, fingerprint, language, declared, bool(deterministic), parallel, left_out)
        return EntrantRecord(*said, made, by)

    def complete(self, what: str, players: int, seats: Sequence[Row]) -> None:
        """Raise `LedgerError` if a game has more or fewer seats than players."""
        if len(seats) != players:
            raise DamagedLedger(f"{self._file}: {what} is for {players} players and has {len(seats)} seats")


def storable(row: Row) -> Row:
    """Return a row with bytes that are no text escaped. Paths, and errors that name them, may hold some."""
    return tuple(cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) else cell for cell in row)


class PackedGame(NamedTuple):
    """What of a game takes time to make before it is written: cells, and the hash for the chain."""

    times: bytes
    steps: bytes
    hash: str
    """See `record_hash`."""


def pack_game(game: GameRecord) -> PackedGame:
    """Pack a game, in whatever process has time for that. Raises `PackedCellError`: it is too long."""
    return PackedGame(pack_columns(game.times, TIMES_RATIO), packed_steps(game), record_hash(game))


def record_hash(record: GameRecord) -> str:
    """Hash all that is recorded of a game: seed, seats, steps, notes, results, faults and times."""
    return sha256(msgspec.json.encode(record, order="deterministic")).hexdigest()


def packed_steps(game: GameRecord) -> bytes:
    """Return the packed cell of a game's steps. Raises `PackedCellError`: they are too long."""
    has_floats = any(step.metrics for step in game.steps)  # in what a bot says of its decisions, and nowhere else
    return pack_columns(columns_of(game.steps, Step.__struct_fields__), STEPS_RATIO, has_floats)


def entrant_row(entrant: EntrantRecord) -> Row:
    """Return the row of a version of a bot."""
    author = None if entrant.author is None else json.dumps(msgspec.to_builtins(entrant.author))
    return storable((*msgspec.structs.astuple(entrant)[:-2], json.dumps(entrant.builds), author))

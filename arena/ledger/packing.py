"""Pack the course of a game into two cells, and unpack cells that may come from anybody.

A cell is compressed JSON. A game's steps are written as columns: all kinds, then all seats, and so on, because equal
values beside each other compress well. That takes a fifteenth of the room of a row a step.

What a forged cell can cost: its text has at most so many times its own bytes as its ratio says, and never more than
`_LONGEST`. Read into objects it takes up to 15 times the text for times and 50 times for steps, since a map with one
entry has 8 characters and some 250 bytes. So the times of a game take up to 120 bytes for each byte in the file, the
steps up to 1,600, and neither ever more than 1.6 GB. Nothing reads the steps of more than one game at a time. A table
reads the times of all games, as 64-bit numbers, and sorts those of a bot: up to 150 bytes for each byte of the file.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from contextlib import suppress
from types import GenericAlias
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec

_LONGEST: Final = 32 << 20
"""The most bytes of text in a cell. A step with the longest note and metrics that a bot may send has some 13,000."""
TIMES_RATIO: Final = 8
"""A cell of times may unpack to so many times its bytes. Tables hold those of all games; real ones reach 2."""
STEPS_RATIO: Final = 32
"""The same for steps. Real ones reach 12 without notes."""
_TIMES: Final = msgspec.json.Decoder(list[list[Annotated[int, msgspec.Meta(ge=-(1 << 62), le=1 << 62)]]])
RowType = TypeVar("RowType", bound=msgspec.Struct)


class PackedCellError(ValueError):
    """A packed cell that cannot be made or read. The text says what is wrong with it."""


def pack(value: Any, ratio: int) -> bytes:
    """Pack a value of JSON so that `unpack` accepts it with this ratio, which is 8 at least.

    Raises `PackedCellError`: its text is too long.
    """
    return _packed(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(), ratio)


def pack_columns(columns: Sequence[list[Any]], ratio: int, has_floats: bool = False) -> bytes:
    """Pack columns as `pack` does, but have the text made by compiled code, so that compressing takes most of the time.

    `has_floats`: whether there may be a NaN or an infinity, which that code writes as null. Then the text is made again
    unless it is plain that every null is None. Raises as `pack`.
    """
    with suppress(OverflowError):  # a number of more than 64 bits
        text = msgspec.json.encode(columns)
        if not has_floats or text.count(b"null") == sum(column.count(None) for column in columns):
            return _packed(text, ratio)
    return pack(columns, ratio)


def _packed(text: bytes, ratio: int) -> bytes:
    if len(text) > _LONGEST:
        raise PackedCellError(f"it takes {len(text)} bytes as text, and a cell may have {_LONGEST}")
    packed = zlib.compress(text)
    if len(text) <= ratio * len(packed):
        return packed
    codes_only = zlib.compressobj(strategy=zlib.Z_HUFFMAN_ONLY)  # at least a bit a byte
    return codes_only.compress(text) + codes_only.flush()


def unpack(cell: Any, ratio: int) -> bytes:
    """Return the JSON text of a cell. Raises `PackedCellError`."""
    if not isinstance(cell, bytes):
        raise PackedCellError("a packed cell holds no bytes")
    inflater = zlib.decompressobj()
    most = min(ratio * len(cell), _LONGEST)
    try:
        text = inflater.decompress(cell, most + 1)
    except zlib.error as error:
        raise PackedCellError(f"a packed cell is damaged: {error}") from None
    if len(text) > most:
        raise PackedCellError(f"a packed cell unpacks to more than {most} bytes")
    if not inflater.eof:
        raise PackedCellError("a packed cell is cut off")
    if inflater.unused_data:
        raise PackedCellError("a packed cell goes on behind its end")
    return text


def columns_of(rows: Sequence[msgspec.Struct], fields: Sequence[str]) -> list[list[Any]]:
    """Return the columns of rows, whose type has these fields."""
    return [list(column) for column in zip(*map(msgspec.structs.astuple, rows), strict=True)] or [[] for _ in fields]


class ColumnReader(Generic[RowType]):
    """Reads rows of one type from the text of their columns."""

    def __init__(self, row: type[RowType]) -> None:
        """Take the type, whose fields are the columns."""
        self._row = row
        # A tuple, so that decoding ends at the first column too many, and each column with the type of its field.
        columns = tuple(GenericAlias(list, field.type) for field in msgspec.structs.fields(row))
        self._columns: Any = GenericAlias(tuple, columns)
        self._decoder = msgspec.json.Decoder(self._columns)

    def rows(self, text: bytes) -> list[RowType]:
        """Return the rows. Raises `PackedCellError`."""
        try:
            columns = self._decoded(text)
        except (ValueError, RecursionError) as error:
            raise PackedCellError(f"its steps are none: {error}") from None
        if len({len(column) for column in columns}) != 1:
            raise PackedCellError("its steps are none: their columns differ in length")
        return list(map(self._row, *columns))

    def _decoded(self, text: bytes) -> Any:
        try:
            return self._decoder.decode(text)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            return msgspec.convert(json.loads(text), self._columns)  # a number may be NaN, which only this one knows


def unpack_times(cell: Any, players: int) -> list[list[int]]:
    """Return the times of each seat's decisions. Raises `PackedCellError`: also if there are not so many seats."""
    text = unpack(cell, TIMES_RATIO)
    lists = text.count(b"[") - 1
    if lists > players:  # before they are made
        raise PackedCellError(f"its times are those of {lists} seats, and it has {players}")
    try:
        found = _TIMES.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PackedCellError(f"its times are none: {error}") from None
    if len(found) != players:
        raise PackedCellError(f"its times are those of {len(found)} seats, and it has {players}")
    return found

"""Pack the course of a game into a few cells, and unpack cells that may come from anybody.

A cell is compressed JSON. A game's steps are written as columns: all kinds, then all seats, and so on, because equal
values beside each other compress well. That takes a fifteenth of the room of a row a step.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec

_FREE: Final = 1 << 20
"""Bytes that a cell may unpack to, however short it is."""
_RATIO: Final = 100
"""A longer cell may unpack to so many times its length: what reading takes is bounded by the size of the file."""
_TIMES: Final = msgspec.json.Decoder(list[list[Annotated[int, msgspec.Meta(ge=-(1 << 62), le=1 << 62)]]])


class PackedCellError(ValueError):
    """A packed cell that cannot be read. The text says what is wrong with it."""


def pack(value: Any) -> bytes:
    """Pack a value of JSON. What compresses better than may be unpacked is stored uncompressed."""
    text = json.dumps(value, separators=(",", ":")).encode()  # a bot's number may be NaN, which only this one knows
    packed = zlib.compress(text)
    return packed if len(text) <= _most(packed) else zlib.compress(text, 0)


def unpack(cell: Any) -> bytes:
    """Return the JSON text of a cell. Raises `PackedCellError`, which says what is wrong with it."""
    if not isinstance(cell, bytes):
        raise PackedCellError("a packed cell holds no bytes")
    inflater = zlib.decompressobj()
    most = _most(cell)
    try:
        text = inflater.decompress(cell, most)
    except zlib.error as error:
        raise PackedCellError(f"a packed cell is damaged: {error}") from None
    if not inflater.eof:
        why = f"unpacks to more than {most} bytes" if len(text) == most else "is cut off"
        raise PackedCellError(f"a packed cell {why}")
    if inflater.unused_data:
        raise PackedCellError("a packed cell goes on behind its end")
    return text


def columns_of(rows: Sequence[object], fields: Sequence[str]) -> list[list[Any]]:
    """Return the columns of rows with these fields."""
    return [[getattr(row, field) for row in rows] for field in fields]


def rows_of(columns: Any, fields: Sequence[str]) -> list[dict[str, Any]]:
    """Return rows, not yet checked for their types, from their columns. Raises `PackedCellError`: these do not fit."""
    if not isinstance(columns, list) or not all(isinstance(column, list) for column in columns):
        raise PackedCellError("its steps are no columns")
    if len(columns) != len(fields) or len({len(column) for column in columns}) != 1:
        raise PackedCellError("its steps have columns that are missing, too many or of different lengths")
    return [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]


def unpack_times(cell: Any) -> list[list[int]]:
    """Return the times of each seat's decisions. Raises `PackedCellError`."""
    try:
        return _TIMES.decode(unpack(cell))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PackedCellError(f"its times are none: {error}") from None


def _most(packed: bytes) -> int:
    """Return to how many bytes a cell may unpack."""
    return max(_FREE, _RATIO * len(packed))

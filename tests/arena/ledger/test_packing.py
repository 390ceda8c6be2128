"""Packed cells: they come back as they were, and those of somebody else cost no more than the file that holds them."""

from __future__ import annotations

import zlib
from typing import Any

import pytest

from arena.ledger.packing import PackedCellError, pack, rows_of, unpack, unpack_times

WHOLE = pack([[0, 1, 2], ["a"] * 300])


@pytest.mark.parametrize("value", [[], [[1, "x", None]], "\u2028 ü \x00", [0] * 3_000_000], ids=["0", "1", "2", "3"])
def test_what_was_packed_is_unpacked(value: Any) -> None:
    assert zlib.decompress(pack(value)) == unpack(pack(value))


def test_a_number_that_is_none_is_kept() -> None:
    assert unpack(pack([float("nan")])) == b"[NaN]"


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (None, "holds no bytes"),
        ("[]", "holds no bytes"),
        (b"", "is cut off"),
        (WHOLE[:-1], "is cut off"),
        (WHOLE[:2], "is cut off"),
        (b"[]", "is damaged"),
        (WHOLE[:-1] + b"!", "is damaged"),
        (WHOLE + b"!", "goes on behind its end"),
        (zlib.compress(b" " * 5_000_000), "unpacks to more than 1048576 bytes"),
    ],
)
def test_a_cell_that_cannot_be_read_says_why(cell: Any, why: str) -> None:
    with pytest.raises(PackedCellError, match=why):
        unpack(cell)


@pytest.mark.parametrize("columns", [None, {}, [], [[]] * 6, [[]] * 8, [[1], *[[]] * 6], [7] * 7, ["abc"] * 7])
def test_columns_that_are_no_steps_are_refused(columns: Any) -> None:
    with pytest.raises(PackedCellError, match="its steps"):
        rows_of(columns, list("abcdefg"))


@pytest.mark.parametrize("times", [None, [1], [["a"]], [[1 << 63]], [[0.5]], [[None]], {}])
def test_times_that_are_none_are_refused(times: Any) -> None:
    with pytest.raises(PackedCellError, match="its times"):
        unpack_times(pack(times))

"""Packed cells: they come back as they were, and those of somebody else cost no more than is said of them."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.ledger import Ledger, LedgerError, Step
from arena.ledger.packing import (
    STEPS_RATIO,
    TIMES_RATIO,
    ColumnReader,
    PackedCellError,
    columns_of,
    pack,
    unpack,
    unpack_times,
)
from arena.protocol.codec import decode
from arena.protocol.messages import Act
from tests.arena.forging import packed_to

MANY = 30_000
WHOLE = pack([[0, 1, 2], ["a"] * 300], STEPS_RATIO)
STEPS = ColumnReader(Step)


@pytest.mark.parametrize("ratio", [TIMES_RATIO, STEPS_RATIO])
@pytest.mark.parametrize("value", [[], [[1, "x", None]], "\u2028 ü \x00", [0] * 300_000], ids=["0", "1", "2", "3"])
def test_what_was_packed_is_unpacked(value: Any, ratio: int) -> None:
    assert json.loads(unpack(pack(value, ratio), ratio)) == value


def test_a_number_that_is_none_is_kept() -> None:
    step = Step("play", 0, "bot", 0, {"to": float("nan")})
    [read] = STEPS.rows(unpack(pack(columns_of([step], Step.__struct_fields__), STEPS_RATIO), STEPS_RATIO))
    assert str(read) == str(step)


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
        (zlib.compress(b" " * 1_000_000), "unpacks to more than [0-9]+ bytes"),
        (zlib.compress(b" " * (33 << 20), 0), "unpacks to more than 33554432 bytes"),
    ],
)
def test_a_cell_that_cannot_be_read_says_why(cell: Any, why: str) -> None:
    with pytest.raises(PackedCellError, match=why):
        unpack(cell, STEPS_RATIO)


FEW = ["play"], [0], ["bot"], [None], [None], [None], [None]


@pytest.mark.parametrize(
    "columns",
    [
        *(None, {}, [], [[]] * 6, [[]] * 8, [[1], *[[]] * 6], [7] * 7, ["abc"] * 7),
        *([*FEW, []], [["play"] * 2, *FEW[1:]], [["win"], *FEW[1:]], [*FEW[:6], [{"a": "b"}]], [[[0]], *FEW[1:]]),
    ],
)
def test_columns_that_are_no_steps_are_refused(columns: Any) -> None:
    with pytest.raises(PackedCellError, match="its steps"):
        STEPS.rows(json.dumps(columns).encode())


@pytest.mark.parametrize("times", [None, [1], [["a"]], [[1 << 63]], [[0.5]], [[None]], {}, [], [[], []], [[[1]]], "[]"])
def test_times_that_are_none_are_refused(times: Any) -> None:
    with pytest.raises(PackedCellError, match="its times"):
        unpack_times(pack(times, TIMES_RATIO), 1)


def steps_of(actions: bytes) -> bytes:
    return b"[[],[],[],[],[" + actions + b"],[],[]]"


def steps_in(cell: bytes) -> list[Step]:
    return STEPS.rows(unpack(cell, STEPS_RATIO))


BOMBS: dict[str, tuple[bytes, int, Callable[[bytes], object], int]] = {
    "many seats": (b"[" + b"[]," * MANY + b"[]]", TIMES_RATIO, partial(unpack_times, players=2), 4),
    "short times": (b"[[" + b"0," * MANY + b"0]]", TIMES_RATIO, partial(unpack_times, players=1), 15),
    "longer times": (b"[[" + b"257," * MANY + b"257]]", TIMES_RATIO, partial(unpack_times, players=1), 15),
    "many columns": (b"[" + b"[]," * MANY + b"[]]", STEPS_RATIO, steps_in, 4),
    "a number that is none": (steps_of(b"{}," * MANY + b'{"a":NaN}'), STEPS_RATIO, steps_in, 50),
    **{
        f"actions such as {each.decode()}": (steps_of(each * MANY + b"null"), STEPS_RATIO, steps_in, 50)
        for each in (b"{},", b'{"":0},', b'{"":{}},', b'{"a":[[]]},')
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_reading_a_forged_cell_takes_no_more_memory_than_is_said(name: str) -> None:
    text, ratio, read, most = BOMBS[name]
    cell = packed_to(text, ratio)
    tracemalloc.start()
    try:
        with suppress(PackedCellError):
            read(cell)
        assert tracemalloc.get_traced_memory()[1] < most * len(text)
    finally:
        tracemalloc.stop()
    assert unpack(cell, ratio) == text


TALKATIVE = Act("", 0, 0, "\x00" * 500, {f"{at:02}" + "\U0001f600" * 62: -1.7976931348623157e308 for at in range(32)})


@pytest.mark.slow
def test_two_thousand_steps_are_recorded_whatever_bots_say_in_them(tmp_path: Path, a_game: Callable[..., Any]) -> None:
    said = decode(msgspec.msgpack.encode(TALKATIVE))
    assert isinstance(said, Act)
    step = Step("play", 0, "bot", 0, {"to": "x" * 500}, said.note, said.metrics)
    game = a_game(0, steps=[step] * 2400)
    with Ledger.create(tmp_path, {}) as ledger:
        ledger.record(game)
        assert ledger.game(game.id) == game
        with pytest.raises(LedgerError, match=r"game 2-0-1 is too long to be recorded: it takes [0-9]+ bytes"):
            ledger.record(a_game(1, steps=[step] * 3000))
        assert ledger.ids() == [game.id]

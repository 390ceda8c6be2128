"""`protocol.md` says what the code does: messages, limits, faults, and the bot printed in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgpack
import msgspec
import pytest

from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.faults import FAULTS, FLOOD_FRAMES, FaultCost
from arena.game.spec import GameSpec
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT
from arena.protocol.messages import PROTOCOL, FromBot, FromReferee
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from engine import catalog
from generators.protocol_document import TEXT, Row, prose, section, tables

# Messages

SECTIONS = {"hello": "3.1", "act": "3.2", "welcome": "4.1", "start": "4.2", "decide": "4.3", "fault": "4.4"} | {
    "end": "4.5",
    "bye": "4.6",
}


def fields_of(info: msgspec.inspect.StructType, prefix: str = "") -> Iterator[str]:
    for field in info.fields:
        yield prefix + field.encode_name
        parts = field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else [field.type]
        for part in parts:
            if isinstance(part, msgspec.inspect.StructType):
                yield from fields_of(part, f"{prefix}{field.encode_name}.")


@pytest.mark.parametrize("struct", get_args(FromBot | FromReferee))
def test_every_field_of_a_message_is_described_and_no_other(struct: type) -> None:
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    [described] = tables(SECTIONS[str(info.tag)])
    assert list(described) == ["type", *fields_of(info)]


@pytest.mark.parametrize("struct", get_args(FromBot))
def test_defaults_are_as_described(struct: Any) -> None:
    [described] = tables(SECTIONS[struct.__struct_config__.tag])
    for field in msgspec.structs.fields(struct):
        said = described[field.encode_name][2].strip("`")
        if field.required:
            assert said == ""
        else:
            default = field.default if field.default is not msgspec.NODEFAULT else []
            assert json.loads(said) == default


def test_version_and_limits_are_as_described() -> None:
    assert TEXT.startswith(f"# The arena protocol, version {PROTOCOL[0]}.{PROTOCOL[1]}\n")
    limits = {row[0]: int(re.sub(r"\D", "", row[1].split("(")[0].split("bytes")[0])) for row in rows_of("8")}
    assert limits["a frame of the bot"] == FRAME_LIMIT
    assert limits["a frame of the referee"] == DECIDE_LIMIT
    assert limits["frames between two decisions"] == FLOOD_FRAMES
    assert f"more than {FLOOD_FRAMES} frames" in prose("6.1")
    time = TimeControl()
    assert f"{time.start:g} seconds" in prose("5.1")
    assert f"by default {time.move * 1000:g}" in prose("5.2")
    assert f"by default {time.bank * 1000:g}" in prose("5.2")
    assert f"has {time.strikes} strikes" in prose("6.2")


def rows_of(number: str) -> list[Row]:
    lines = [line for line in section(number).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[1:]]


def test_the_faults_and_their_prices_are_as_described() -> None:
    [described] = tables("6.1")
    begins = {
        FaultCost.STRIKE: "a strike",
        FaultCost.RETIRE: "the seat retires",
        FaultCost.FREE: "nothing",
    }
    assert list(described) == list(FAULTS)
    for name, price in FAULTS.items():
        assert described[name][2].startswith(begins[price])


def test_every_section_that_is_named_exists() -> None:
    without_session = TEXT.split("<!-- session: begin")[0]
    listed = re.findall(r"\((\d+(?:\.\d+)?(?:, \d+\.\d+)*)(?:[;,)])", without_session)
    named = {number for numbers in listed for number in numbers.split(", ")}
    named |= set(re.findall(r"\b[Ss]ections? (\d+)\b", without_session))
    headings = set(re.findall(r"^#+ (\d+(?:\.\d+)?) ", TEXT, re.MULTILINE))
    assert named <= headings
    tops = [int(heading) for heading in re.findall(r"^## (\d+) ", TEXT, re.MULTILINE)]
    assert tops == list(range(1, len(tops) + 1))


# The worked session


def test_the_hex_of_the_session_means_the_json_below_it() -> None:
    frames = re.findall(r"(\d+) bytes: [^\n]+\n\n```hex\n(.*?)```\n\n```json\n(.*?)```", TEXT, re.DOTALL)
    assert len(frames) == TEXT.count("```hex") == TEXT.count("**Frame ")
    types = []
    for size, dump, meaning in frames:
        frame = bytes.fromhex(dump)
        assert len(frame) == int(size)
        assert msgpack.unpackb(frame) == json.loads(meaning)
        types.append(json.loads(meaning)["type"])
    assert set(types) == set(SECTIONS)
    assert (types[0], types[-1]) == ("hello", "bye")


# The bots that are printed


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize(
    ("number", "transport", "needs"),
    [
        ("2.3", "ipc", "import os, msgpack, zmq"),
        *(("13", each, "import os, socket, msgpack") for each in ("ipc", "tcp")),
    ],
)
def test_a_bot_printed_in_the_document_plays_a_whole_game_without_a_fault(
    tmp_path: Path, number: str, transport: str, needs: str
) -> None:
    [source] = re.findall(r"```python\n(.*?)```", section(number), re.DOTALL)
    assert re.findall("^import .*", source, re.MULTILINE) == [needs]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(source)
        (tmp_path / name / "bot.toml").write_text(f"command = ['{{python}}', 'bot.py']\ntransport = '{transport}'\n")
    built = {
        each.name: build(each, tmp_path / "cache") for each in expand([tmp_path / "first", tmp_path / "second"]).found
    }
    config = RefereeConfig(
        "kosmos", catalog.rules("kosmos").edition("standard"), TimeControl(start=120, move=60, bank=60), built
    )
    specs = [GameSpec(f"g{n}", n, 2, 0, n, f"{n:032x}", ["first", "second"]) for n in range(2)]
    with Referee(config, pin=False) as referee:
        records = referee.play(specs)
    assert [record.ending for record in records] == ["finished", "finished"]
    assert [record.faults for record in records] == [[], []]

"""The schemas by which editors check `bot.toml` and plans, and other programs the messages of the protocol."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgpack
import pytest
from jsonschema import Draft202012Validator

from arena.entrants import expand
from arena.entrants.manifest import BotManifest, ResourceLimits  # type: ignore[attr-defined]
from arena.starters import make, starter, starters
from arena.tournament.plan import Plan
from generators.schemas import FOLDER, schemas

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "docs" / "vectors"
UNSAYABLE = {
    "key-no-string",
    "act-index-float",
    "act-turn-float",
    "act-metric-nan",
    "act-metric-infinite",
    "hello-name-escape",
}
"""Malformed frames that JSON Schema cannot tell: it has one kind of number, and knows no control characters."""
FILES = sorted([*ROOT.glob("bots/*/bot.toml"), *ROOT.glob("tournaments/*.toml")])


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text("utf-8"))


def named_in(file: Path) -> Path:
    """The schema that a file names, as an editor finds it: from the first line, relative to the file."""
    [path] = re.findall(r"\A#:schema (\S+)\n", file.read_text("utf-8"))
    return (file.parent / path).resolve()


@pytest.mark.parametrize("file", schemas(), ids=lambda file: file.name)
def test_they_are_what_the_types_say(file: Path) -> None:
    again = "run: python -m generators.schemas"
    assert file.read_text("utf-8") == schemas()[file], f"{file} is not what is read any more; {again}"


def test_they_know_every_key_and_no_other_and_say_what_each_is_for() -> None:
    bot, plan = read("bot.json"), read("plan.json")
    for part, kind in ((bot, BotManifest), (bot["$defs"]["ResourceLimits"], ResourceLimits), (plan, Plan)):
        assert list(part["properties"]) == list(kind.__struct_fields__)
        assert part["additionalProperties"] is False
        assert all(len(each["description"]) > 5 for each in part["properties"].values())
    assert bot["required"] == ["command"]
    assert "null" not in (FOLDER / "bot.json").read_text("utf-8") + (FOLDER / "plan.json").read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_what_comes_with_the_arena_names_its_schema(file: Path) -> None:
    wanted = FOLDER / ("bot.json" if file.name == "bot.toml" else "plan.json")
    assert named_in(file) == wanted
    assert tomllib.loads(file.read_text("utf-8")).keys() <= read(wanted.name)["properties"].keys()


@pytest.mark.parametrize("language", starters())
def test_a_new_bot_has_its_schema_beside_it_and_is_the_same_bot_with_a_later_one(tmp_path: Path, language: str) -> None:
    folder = tmp_path / "fogg"
    assert Path(".bot.schema.json") in make(starter(language), folder)
    assert named_in(folder / "bot.toml").parent == folder
    assert named_in(folder / "bot.toml").read_bytes() == (FOLDER / "bot.json").read_bytes()
    [before] = expand([folder]).found
    named_in(folder / "bot.toml").write_text("{}")
    assert expand([folder]).found == [before]


def message_validator(sender: str) -> Draft202012Validator:
    return Draft202012Validator({**read("messages.json"), "oneOf": [{"$ref": f"#/$defs/from_{sender}"}]})


def test_every_message_of_the_vectors_is_one_by_the_schema() -> None:
    for vector in json.loads((VECTORS / "messages.json").read_text("utf-8")):
        message_validator(vector["from"]).validate(vector["json"])


def test_what_is_malformed_is_no_message_by_the_schema() -> None:
    accepted = set()
    for vector in json.loads((VECTORS / "malformed.json").read_text("utf-8")):
        try:
            message = msgpack.unpackb(bytes.fromhex(vector["hex"]), strict_map_key=False)
        except (ValueError, msgpack.UnpackException):
            continue  # it is no msgpack: nothing that a schema could judge
        if message_validator("bot").is_valid(message):
            accepted.add(vector["name"])
    assert accepted == UNSAYABLE

"""The schemas of what our games put into messages: all that is sent is valid, and nothing that has more or less.

Outside of these tests the schemas allow more fields, as a later minor version may send some. Here they are closed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from generators.protocol_document import SECTIONS, tables
from generators.schemas import FOLDER
from tests.arena.protocol.played import games, vectors
from tests.marking import mostly_slow

GAME = pytest.mark.parametrize("game", SECTIONS)
PARTS = {"Edition": "edition-", "View": "view-", "Action": "action-", "Event": "event-"}
"""The parts of a schema, and how the names of their golden vectors begin."""
MAPS = {"red", "blue", "pools"}
"""Fields with keys of any name. Another, if it is a map and no list, is `events` in an edition."""


@cache
def schema(game: str) -> Any:
    return json.loads((FOLDER / f"{game}.json").read_text("utf-8"))


def close(part: Any) -> Any:
    """Allow the fields that are named, and no more."""
    if isinstance(part, list):
        return [close(each) for each in part]
    if not isinstance(part, dict):
        return part
    closed = {key: close(each) for key, each in part.items()}
    return (
        {**closed, "additionalProperties": False} if part.get("type") == "object" and "properties" in part else closed
    )


@cache
def validator(game: str, part: str, *, closed: bool = True) -> Draft202012Validator:
    whole = close(schema(game)) if closed else schema(game)
    return Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": whole["$defs"]})


def maps_in(data: Any, name: str = "") -> Iterator[dict[str, Any]]:
    """Yield the maps at any depth whose fields are named."""
    if isinstance(data, list):
        for each in data:
            yield from maps_in(each)
    elif isinstance(data, dict) and name not in MAPS and not (name == "events" and isinstance(data, dict)):
        yield data
        for key, each in data.items():
            yield from maps_in(each, key)


def spoiled(data: Mapping[str, Any], optional: set[str]) -> Iterator[tuple[str, Any]]:
    """Yield the data with a field too much, and with each of its fields missing or of another type, at any depth."""
    for number, fields in enumerate(maps_in(data)):
        for key in [*fields, "planted"]:
            for change in ("missing", "of another type") if key in fields else ("too much",):
                if change == "missing" and key in optional:
                    continue
                changed = deepcopy(data)
                place = list(maps_in(changed))[number]
                if change == "missing":
                    del place[key]
                else:
                    place[key] = 1.5
                yield f"{key} is {change}", changed


@GAME
@pytest.mark.parametrize("part", mostly_slow(PARTS))
def test_the_golden_vectors_are_valid(game: str, part: str) -> None:
    Draft202012Validator.check_schema(schema(game))
    for data in vectors(game, PARTS[part]):
        validator(game, part).validate(data)
        Draft202012Validator(schema(game)).validate(data)


@pytest.mark.slow
@GAME
def test_all_that_is_sent_in_random_games_is_valid(game: str) -> None:
    """Of every edition and number of players, a sample, with one of each kind."""
    kinds = {"View": "phase", "Action": "do", "Event": "event"}
    sent: dict[str, set[str]] = {part: set() for part in kinds}
    of_kind: dict[tuple[str, str], Any] = {}
    for played in games(game):
        for part, data in {"View": played.views, "Action": played.actions, "Event": played.events}.items():
            sent[part] |= {json.dumps(each) for each in data[::10]}
            of_kind |= {(part, each[kinds[part]]): each for each in data}
    for (part, _), each in of_kind.items():
        validator(game, part).validate(each)
    for part, texts in sent.items():
        for text in sorted(texts)[:: len(texts) // 100 + 1]:
            validator(game, part).validate(json.loads(text))


@pytest.mark.slow
@GAME
@pytest.mark.parametrize("part", PARTS)
def test_a_field_too_much_or_missing_or_of_another_type_is_found_at_any_depth(game: str, part: str) -> None:
    optional = {"Action": {"card", "to", "victim"}, "Event": {"to", "victim", "red", "blue"}}.get(part, set())
    found = 0
    for data in vectors(game, PARTS[part]):
        for change, changed in spoiled(data, optional):
            assert not validator(game, part).is_valid(changed), (change, changed)
            found += 1
    assert found > 70


@GAME
def test_a_client_may_be_sent_more_by_a_later_minor_version(game: str) -> None:
    """protocol.md 9."""
    assert "pass over" in schema(game)["description"]
    for part, begins in PARTS.items():
        data = {**vectors(game, begins)[0], "planted": 1}
        validator(game, part, closed=False).validate(data)
        assert not validator(game, part).is_valid(data)


@GAME
def test_every_field_says_what_it_is(game: str) -> None:
    defs = schema(game)["$defs"]
    for name, part in defs.items():
        for field, about in part.get("properties", {}).items():
            said = about.get("description", "")
            of_a_kind = "do" in part["properties"] or "event" in part["required"]
            assert of_a_kind or len(said) > 5 or defs[about["$ref"].rpartition("/")[2]]["description"], (name, field)
        assert "properties" not in part or len(part["description"]) > 5, name


def words(part: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    """Return a type as protocol.md writes it."""
    if "$ref" in part:
        return words(defs[part["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in part:
        return " | ".join(words(each, defs) for each in part["anyOf"])
    if "enum" in part:
        return "text"
    if part["type"] == "array":
        items = part.get("prefixItems") or [part["items"]]
        return f"[{', '.join(words(each, defs) for each in items)}]"
    if part["type"] == "object":
        return "map" if "properties" in part else f"{{text: {words(part['additionalProperties'], defs)}}}"
    return {"string": "text", "integer": "int", "boolean": "bool", "null": "null"}[part["type"]]


def field_types(name: str, defs: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the fields of a part, at any depth, with their types."""
    for field, part in defs[name]["properties"].items():
        yield f"{path}{field}", words(part, defs)
        for inner in re.findall(r"#/\$defs/(\w+)", json.dumps(part)):
            if "properties" in defs[inner] and inner != "Hidden":
                yield from field_types(inner, defs, f"{path}{field}.")


@GAME
def test_protocol_md_gives_every_field_the_same_type(game: str) -> None:
    defs = schema(game)["$defs"]
    for name, section in {"Edition": f"{SECTIONS[game]}.3", "View": f"{SECTIONS[game]}.7", "Hidden": "4.7"}.items():
        types = dict(field_types(name, defs))
        for field, row in tables(section)[0].items():
            written = row[1].split(", ")[0] if ", " in row[1] and "[" not in row[1] else row[1]
            of_schema = types[field]
            if written == "list":
                assert of_schema.startswith("["), field
            else:
                assert of_schema == written.replace("\\|", "|"), field

"""Write settings as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.serve import LeagueError


def toml_text(data: Mapping[str, Any]) -> str:
    """Return settings as the text of a TOML file. They are texts, numbers, truth values, lists and tables of these."""
    return "".join(f"{json.dumps(key)} = {_value(value)}\n" for key, value in data.items())


def _value(value: Any) -> str:
    if isinstance(value, msgspec.Struct):
        value = {key: each for key, each in msgspec.to_builtins(value).items() if each is not None}
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, str):
        # A basic string of TOML has the escapes of JSON, but for one.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(_value, value)) + "]"
    raise LeagueError(f"[plan]: {value!r} has no place in a plan")

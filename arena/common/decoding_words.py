"""Say in plain words what a decoder has found wrong with data."""

from __future__ import annotations

import re
from typing import Final

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "object": "a map from names to values",
    "array": "a list",
    "null": "null",
    "None": "null",
    "bytes": "bytes",
    "ext": "an extension of msgpack",
}
_OF_TYPE: Final = re.compile(r"Expected `(?P<wanted>[^`]+)`(?:, got `(?P<found>[^`]+)`)?")
_FRACTION: Final = "Expected `int`, got `float`"
_BOUND: Final = re.compile(
    r"Expected `(?P<wanted>[^`]+)`(?P<length> of length)? (?P<sign>>=|<=|>|<)? ?(?P<bound>-?[\d.]+)"
    r"(, got (?P<found>\d+))?"
)
_FIELD: Final = re.compile(r"Object (missing required|contains unknown) field `(?P<name>[^`]+)`")
_VALUE: Final = re.compile(r"Invalid (?:enum )?value (?P<value>.+)")
_MALFORMED: Final = re.compile(
    r"(?P<format>MessagePack|JSON) (?:data )?is malformed: (?P<what>.*?) \(byte (?P<byte>\d+)\)"
)
_PLACE: Final = re.compile(r"^(?P<what>.*) - at (?P<key>`key` in )?`\$\.?(?P<place>.*)`$", re.DOTALL)
_SIGNS: Final = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", None: "exactly"}
_UNITS: Final = {"str": "character", "array": "entry", "object": "entry"}


def in_words(error: Exception) -> str:
    """Return an error of msgspec in words of ours, beginning with the field in backticks; others as they are."""
    text = str(error)
    if text == "Input data was truncated":
        return "it ends before it is complete"
    if malformed := _MALFORMED.fullmatch(text):
        name = "msgpack" if malformed["format"] == "MessagePack" else "JSON"
        if malformed["what"] == "trailing characters":
            return f"something follows its end, from byte {malformed['byte']} on"
        return f"it is no {name} from byte {malformed['byte']} on"
    place = ""
    if at := _PLACE.match(text):
        text, place = at["what"], at["place"]
        if at["key"]:
            place = f"{place} has a key that" if place else " has a key that"
    name, _, of_key = place.partition(" ")
    subject = f"`{name}`" if name else "it"
    return _sentence(text, f"{subject} {of_key}" if of_key else subject, name) or str(error)


def _sentence(text: str, subject: str, place: str) -> str:
    if found := _OF_TYPE.fullmatch(text):
        kind = "a float" if text == _FRACTION else _kinds(found["found"] or "")
        return f"{subject} must be {_kinds(found['wanted'])}" + (f", not {kind}" if kind else "")
    if found := _BOUND.fullmatch(text):
        return f"{subject} must {_bound(found)}"
    if found := _FIELD.fullmatch(text):
        field = f"{place}.{found['name']}" if place else found["name"]
        return f"`{field}` is {'missing' if 'missing' in text else 'not known'}"
    if found := _VALUE.fullmatch(text):
        return f"{subject} cannot be {found['value']}"
    return ""


def _bound(found: re.Match[str]) -> str:
    wanted, bound = found["wanted"], found["bound"].removesuffix(".0")
    limit = f"{_SIGNS[found['sign']]} {bound}"
    if not found["length"]:
        return f"be {_kinds(wanted)} of {limit}"
    unit = _UNITS.get(wanted, "entry")
    units = unit if bound == "1" else {"entry": "entries"}.get(unit, f"{unit}s")
    return f"have {limit} {units}" + (f", not {found['found']}" if found["found"] else "")


def _kinds(words: str) -> str:
    return " or ".join(_KINDS.get(each, each) for each in words.split(" | "))

"""Make plain data and lines of text of what other libraries give."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

_VERBS: Final = {"played": ": ", "chose": " chooses ", "sees": " sees "}
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")


def plain(value: Any) -> Any:
    """Return a value as plain data: a number with a fraction becomes text, as views and editions have none."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, str):
        return text(value)
    if value is None or isinstance(value, bool | int):
        return value
    found = number(float(value))
    return found if isinstance(found, int) else repr(found)


def number(value: float) -> int | float:
    """Return a number without what arithmetic left in its last places, as a whole one if it is."""
    found = round(value, 9)
    return int(found) if found.is_integer() else found


def text(shown: str) -> str:
    """Return a text without colours and trailing blanks."""
    return "\n".join(line.rstrip() for line in _COLOUR.sub("", shown).split("\n")).strip("\n")


def words(what: Mapping[str, Any]) -> str:
    """Describe an event of a bridged game or an action in one line."""
    if "do" in what:
        return line(what["do"])
    if what["event"] == "ended":
        return "the end: " + ", ".join(f"seat {seat} {won}" for seat, won in enumerate(what["returns"]))
    who, rest = what.get("seat"), line(what["text"] if "text" in what else what["action"])
    return f"chance: {rest}" if who is None else f"seat {who}{_VERBS[what['event']]}{rest}"


def ranks(won: Sequence[float]) -> list[int]:
    """Return the rank of each seat by what it won."""
    return [1 + sum(other > own for other in won) for own in won]


def line(shown: str) -> str:
    """Return a text as one printable line."""
    words = " ".join(text(shown).split())
    return "".join(letter if letter.isprintable() else "?" for letter in words) or "nothing"

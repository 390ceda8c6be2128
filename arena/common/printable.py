"""Make text that others wrote (names, notes, errors, output of bots) safe to print and short enough to show."""

from __future__ import annotations

from typing import Final

_LINES: Final = "\n\t"


def printable(text: str, keep: str = "") -> str:
    """Return `text` with a question mark for every character that is not printable, except those in `keep`.

    What remains can neither move a terminal's cursor nor, without line breaks, pass for several lines.
    """
    return "".join(char if char.isprintable() or char in keep else "?" for char in text)


def printable_lines(text: str) -> str:
    """Return `text` made printable, with its line breaks and tabs."""
    return printable(text, _LINES)


def shorten(text: str, limit: int) -> str:
    """Return `text` if it has at most `limit` characters, else its beginning and an ellipsis, `limit` in all."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"

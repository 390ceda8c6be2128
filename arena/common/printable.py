"""Make text that others wrote (names, notes, errors, output of bots) safe to print and short, and count in words."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_LINES: Final = "\n\t"
_HALF: Final = 0.5 + 1e-9
"""A share such as 0.575 is a little less in binary."""


def printable(text: str, keep: str = "") -> str:
    """Return `text` with a question mark for every character that is not printable, except those in `keep`.

    What remains can neither move a terminal's cursor nor, without line breaks, pass for several lines.
    """
    return "".join(char if char.isprintable() or char in keep else "?" for char in text)


def printable_lines(text: str) -> str:
    """Return `text` made printable, with its line breaks and tabs."""
    return printable(text, _LINES)


def as_typed(*words: object) -> str:
    """Return a command as it is typed in a shell, in one line whatever is in its words.

    A path that begins with a dash, which a program would take for an option, is told from the folder that it is in.
    """
    safe = (f"./{word}" if isinstance(word, Path) and str(word).startswith("-") else str(word) for word in words)
    return " ".join(map(_quoted, safe))


def _quoted(word: str) -> str:
    if word.isprintable():
        return shlex.quote(word)
    escaped = (
        char if char.isprintable() and char not in "\\'" else "".join(f"\\x{byte:02x}" for byte in os.fsencode(char))
        for char in word
    )
    return f"$'{''.join(escaped)}'"


def shorten(text: str, limit: int) -> str:
    """Return `text` if it has at most `limit` characters, else its beginning and an ellipsis, `limit` in all."""
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def percent(share: float | None) -> str:
    """Return a share in percent, a half upwards as the pages' scripts do; a dash if it is not known."""
    return "-" if share is None else f"{int(100 * share + _HALF)} %"


def counted(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun, as `1 game` or `2 games`."""
    shown = f"{number:,}" if isinstance(number, int) else f"{number:g}"
    return f"{shown} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[object], most: int = 5) -> str:
    """Return names as `a, b and c`; of many only the first ones, and how many more."""
    few = [*map(str, names)] if len(names) <= most else [*map(str, names[: most - 1]), f"{len(names) - most + 1} more"]
    return few[0] if len(few) == 1 else f"{', '.join(few[:-1])} and {few[-1]}" if few else ""

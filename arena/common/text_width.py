"""Measure, fill up and wrap text by the columns of a terminal, of which a Chinese or Japanese character takes two."""

from __future__ import annotations

import textwrap
from typing import Any, Final
from unicodedata import category, east_asian_width

_WIDE: Final = "WF"
_NO_WIDTH: Final = ("Mn", "Me", "Cf")
"""Categories of characters that stand over or within the one before them."""
_FILLER: Final = "\ue000"
"""Stands for the second column of a wide character while text is wrapped. It has no meaning of its own."""


def text_width(text: str) -> int:
    """Return how many columns a line of text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if east_asian_width(char) in _WIDE:
        return 2
    return 0 if category(char) in _NO_WIDTH else 1


def filled(text: str, width: int, to_the_right: bool = False) -> str:
    """Fill up a line with blanks to that many columns, behind it or to move it to the right."""
    blanks = " " * (width - text_width(text))
    return blanks + text if to_the_right else text + blanks


def wrapped(text: str, width: int, **options: Any) -> list[str]:
    """Wrap a text into lines of at most `width` columns. `options`: as of `textwrap.wrap`."""
    if text.isascii() or all(_columns(char) == 1 for char in text):
        return textwrap.wrap(text, width, **options)
    spread = "".join(char + _FILLER * (_columns(char) - 1) for char in text.replace(_FILLER, "?"))
    # A line may begin with the filler of the character at the end of the line before, which thus needs a column more.
    return [line.replace(_FILLER, "") for line in textwrap.wrap(spread, max(1, width - 1), **options)]

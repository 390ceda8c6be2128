"""Handle closed and full standard streams: failing to print a result is an error, failing to print a message is not."""

from __future__ import annotations

import codecs
import os
import sys
from typing import Final, TextIO

ERRORS: Final = "arena"
"""How a terminal that cannot show a letter shows it: our own signs by others, and all else by its number."""
_SIGNS: Final = {"±": "+-", "–": "-", "…": "...", "×": "x", "µ": "u"}


def _shown_otherwise(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = _SIGNS.get(error.object[error.start])
    return codecs.backslashreplace_errors(error) if sign is None else (sign, error.start + 1)


codecs.register_error(ERRORS, _shown_otherwise)


def open_closed() -> None:
    """Open /dev/null for the standard streams that this process was started without.

    Else the next files that it opens would get their numbers. Printing a result to a closed stdout still fails.
    Messages
    to a closed stderr are lost, but the command runs and its exit code says how it ended.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(_null(os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(_null(os.O_RDONLY), "w", encoding="utf-8")  # which cannot be written
    if sys.stderr is None:
        sys.stderr = os.fdopen(_null(os.O_WRONLY), "w", encoding="utf-8")


def discard(stream: TextIO) -> None:
    """Drop what the stream still buffers, which would fail once more when Python ends."""
    os.dup2(_null(os.O_WRONLY), stream.fileno())


def _null(flags: int) -> int:
    number = os.open(os.devnull, flags)
    if number <= 2:
        os.set_inheritable(number, True)  # as standard streams are
    return number

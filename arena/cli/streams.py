"""Standard streams that are closed or full: a result that cannot be printed is an error, a message beside it is not."""

from __future__ import annotations

import os
import sys
from typing import TextIO


def open_closed() -> None:
    """Open the streams that this process was started without, or what it opens next would get their numbers.

    What is printed to a closed stdout fails as it would without this; what is said to a closed stderr is heard by
    nobody, but the command is done and its exit code says how it ended.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(_null(os.O_RDONLY), encoding="utf-8")
    if sys.stdout is None:
        sys.stdout = os.fdopen(_null(os.O_RDONLY), "w", encoding="utf-8")  # which cannot be written
    if sys.stderr is None:
        sys.stderr = os.fdopen(_null(os.O_WRONLY), "w", encoding="utf-8")


def discard(stream: TextIO) -> None:
    """Let what this stream still holds go nowhere: it would fail once more when Python ends."""
    os.dup2(_null(os.O_WRONLY), stream.fileno())


def _null(flags: int) -> int:
    number = os.open(os.devnull, flags)
    if number <= 2:
        os.set_inheritable(number, True)  # as standard streams are
    return number

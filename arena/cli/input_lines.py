"""Read lines of the standard input without blocking, so that nothing hangs and nothing is held when a command ends."""

from __future__ import annotations

import os
import select
from typing import Final, NamedTuple

_CHUNK: Final = 4096
_LONGEST: Final = 65536
"""Bytes of a line; what is longer is cut into several."""


class InputLine(NamedTuple):
    """A line that was read."""

    text: str
    is_end: bool = False
    """Whether there will be no more."""


class LineReader:
    """Reads lines of a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        """Take the descriptor."""
        self._descriptor = descriptor
        self._buffer = b""
        self._is_at_end = False

    def line(self, seconds: float) -> InputLine | None:
        """Return the next line without blanks around it. None: there is none within so many seconds."""
        while b"\n" not in self._buffer and len(self._buffer) < _LONGEST:
            if self._is_at_end:
                rest, self._buffer = self._buffer, b""
                return InputLine(_decoded(rest)) if rest.strip() else InputLine("", is_end=True)
            if not self._read(seconds):
                return None
        line, _, self._buffer = self._buffer.partition(b"\n")
        return InputLine(_decoded(line))

    def _read(self, seconds: float) -> bool:
        try:
            if not select.select([self._descriptor], [], [], seconds)[0]:
                return False
            data = os.read(self._descriptor, _CHUNK)
        except (OSError, ValueError):  # closed, or another process's terminal
            data = b""
        self._buffer += data
        self._is_at_end = not data
        return True


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()

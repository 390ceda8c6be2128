"""Keep the newest output of a bot in files of a fixed size."""

from __future__ import annotations

import contextlib
import os


class CappedLog:
    """The newest output of a bot, in two files. When the newer is full, the older is deleted."""

    def __init__(self, path: str, cap: int) -> None:
        """Open the log. Each of its files holds at most `cap` bytes. Raises `OSError`."""
        self._path, self._cap, self._size = path, cap, 0
        self._file = self._open()

    def _open(self) -> int:
        # A bot can put something else at this path: that must neither block nor be followed.
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOFOLLOW, 0o600)

    def write(self, data: bytes) -> None:
        """Write data. What cannot be written, as on a full disk, is dropped."""
        if self._size + len(data) > self._cap:
            self._size = 0
            if self._file >= 0:
                os.close(self._file)
                self._file = -1
            with contextlib.suppress(OSError):
                os.replace(self._path, self._path + ".1")  # noqa: PTH105 - pathlib is slow to import
            with contextlib.suppress(OSError):
                self._file = self._open()
        self._size += len(data)
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.write(self._file, data)

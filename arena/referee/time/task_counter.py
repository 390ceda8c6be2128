"""Tell whether anybody on this machine has started a process or a thread meanwhile.

Linux numbers tasks one after another, also those of boxes, and says in `/proc/loadavg` which number was the last. If it
is the same as before, no task was started in between: a bot whose processes were all known then has no hidden ones now.
Numbers begin anew some time, so that a bot could start as many as there are; `/proc/stat` counts them without end.
"""

from __future__ import annotations

import functools
import os
import threading
from typing import Final, NamedTuple

_LAST: Final = "/proc/loadavg"
_ALL: Final = "/proc/stat"
_MOST: Final = "/proc/sys/kernel/pid_max"
_TRIALS: Final = 3


class TaskCount(NamedTuple):
    """What was read at some moment."""

    last: bytes
    """The number of the last task that was started."""
    made: int
    """How many tasks were ever started."""


class TaskCounter:
    """Reads these numbers. The first one is asked for often, so that its file is kept open."""

    def __init__(self) -> None:
        """Open the file. Without it, nothing is ever known."""
        self._file = -1
        if _counts():
            self._file = os.open(_LAST, os.O_RDONLY | os.O_CLOEXEC)

    def last(self) -> bytes | None:
        """Return the number of the last task that was started. None: it is not known."""
        return _last(self._file) if self._file >= 0 else None

    def count(self) -> TaskCount | None:
        """Return both numbers. None: they are not known."""
        made, last = _made(), self.last()
        return None if last is None or made is None else TaskCount(last, made)

    def is_still(self, since: TaskCount) -> bool:
        """Return whether no task has been started since then."""
        if self.last() != since.last:
            return False
        made = _made()
        return made is not None and made - since.made < _lap()


def _last(file: int) -> bytes:
    return os.pread(file, 256, 0).split()[-1]


def _made() -> int | None:
    """Return how many tasks were started since the machine was. None: it does not say."""
    try:
        with open(_ALL, "rb", buffering=0) as file:  # noqa: PTH123 - pathlib is slower
            text = file.readall()
    except OSError:
        return None
    _, _, rest = text.partition(b"\nprocesses ")
    return int(rest.split(maxsplit=1)[0]) if rest else None


@functools.cache
def _lap() -> int:
    """Return a number of tasks after which the last one cannot have the same number again."""
    with open(_MOST, "rb") as file:  # noqa: PTH123
        return int(file.read()) // 2


@functools.cache
def _counts() -> bool:
    """Return whether the number changes with each thread that is started; some containers show one of their own."""
    try:
        file = os.open(_LAST, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _lap()
            for _ in range(_TRIALS):
                before = _last(file)
                thread = threading.Thread(target=_last, args=(file,))
                thread.start()
                thread.join()
                if _last(file) == before:
                    return False
        finally:
            os.close(file)
    except (OSError, ValueError, IndexError, RuntimeError):
        return False
    return _made() is not None

"""The core on which a referee and its bots run.

In a turn-based game only one process has work at a time, and a message to a process on the same core is two to three
times faster than one to another core. So a worker takes one core for itself and its bots. Workers of different runs
coordinate by lock files. Without a free core, or where cores cannot be chosen (macOS), nothing is pinned.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path
from typing import IO


class Placement:
    """The core of one worker, until it is released."""

    def __init__(self, pin: bool = True) -> None:
        """Take a free core if `pin` is true and there is one."""
        self.core: int | None = None
        self._lock: IO[str] | None = None
        self._before: set[int] = set()
        if not pin or not hasattr(os, "sched_getaffinity"):
            return
        self._before = os.sched_getaffinity(0)
        for core in sorted(self._before):
            lock = _try_lock(core)
            if lock is not None:
                self.core, self._lock = core, lock
                os.sched_setaffinity(0, {core})
                return

    def cores(self) -> list[int] | None:
        """Return the cores for this worker's bots. None: the system chooses."""
        return None if self.core is None else [self.core]

    def release(self) -> None:
        """Give the core back."""
        if self._lock is not None:
            os.sched_setaffinity(0, self._before)
            self._lock.close()
            self._lock = None
            self.core = None


def _try_lock(core: int) -> IO[str] | None:
    """Lock a core until the returned file is closed. None: another worker holds it."""
    folder = Path(tempfile.gettempdir()) / f"arena-cores-{os.getuid()}"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        lock = (folder / str(core)).open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
        else:
            return lock
    return None

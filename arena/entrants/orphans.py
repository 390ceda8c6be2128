"""Find and end what bots leave behind when their supervisors were killed.

Linux gives such processes to the nearest process above that adopts orphans (`arena.common.protection.adopt_orphans`):
workers and the commands that play do. They are told from our own processes by their session, because nobody can enter
a session that exists.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any, Final

import psutil

from arena.common.protection import adopts_orphans

_own: Final[set[subprocess.Popen[bytes]]] = set()
"""Processes that this process has started in sessions of their own."""
_looking: Final = threading.Lock()
"""Held while one is started and noted, and while orphans are looked for: between the two it would be taken for one."""


def start_own(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own that is no orphan. `end_own` must follow. Raises `OSError`.

    The options are those of `subprocess.Popen`.
    """
    with _looking:
        process = subprocess.Popen(command, start_new_session=True, **options)
        _own.add(process)
    return process


def end_own(process: subprocess.Popen[bytes]) -> None:
    """Note that such a process has ended."""
    with _looking:
        _own.discard(process)


def orphans() -> list[psutil.Process]:
    """Return the processes that this one has adopted and that have not ended."""
    if not adopts_orphans():
        return []
    found = []
    with _looking:
        own = {process.pid for process in _own}
        for child in psutil.Process().children():
            with contextlib.suppress(psutil.Error, OSError):
                ended = child.status() == psutil.STATUS_ZOMBIE
                if child.pid not in own and not ended and os.getsid(child.pid) != os.getsid(0):
                    found.append(child)
    return found


def end_orphans(grace: float, seconds: float) -> None:
    """Wait up to `grace` seconds for orphans to end by themselves, and then up to `seconds` while they are killed."""
    psutil.wait_procs(orphans(), timeout=grace)
    limit = time.monotonic() + seconds
    while (left := orphans()) and time.monotonic() < limit:
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=0.1)

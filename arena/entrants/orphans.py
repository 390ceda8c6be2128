"""Find and end what bots leave behind when their supervisors were killed.

Linux gives such processes to the nearest process above that adopts orphans (`arena.common.protection.adopt_orphans`):
workers and the commands that play do. They are told from our own processes by their session, because nobody can enter
a session that exists.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Final

import psutil

from arena.common.protection import adopts_orphans

_own: Final[set[int]] = set()
"""Processes that this process has started in sessions of their own."""


def begin_own(pid: int) -> None:
    """Note that this process has started another one in a session of its own."""
    _own.add(pid)


def end_own(pid: int) -> None:
    """Note that such a process has ended."""
    _own.discard(pid)


def orphans() -> list[psutil.Process]:
    """Return the processes that this one has adopted and that have not ended."""
    if not adopts_orphans():
        return []
    found = []
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error, OSError):
            ended = child.status() == psutil.STATUS_ZOMBIE
            if child.pid not in _own and not ended and os.getsid(child.pid) != os.getsid(0):
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

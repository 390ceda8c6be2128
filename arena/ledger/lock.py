"""Keep two runs of one tournament apart."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from arena.common.regular_files import why_unread
from arena.ledger.errors import LedgerError

FILE: Final = "lock"
_ATTEMPTS: Final = 20
"""How often another process may move the folder aside in the moment in which it is locked."""


class LedgerBusy(LedgerError):
    """Another process is playing this tournament."""


def is_locked(folder: Path) -> bool:
    """Return whether a process is playing this tournament now."""
    try:
        # Without O_NONBLOCK a named pipe would wait for a writer.
        lock = os.open(folder / FILE, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        finally:
            os.close(lock)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the tournament's lock, at most until the process ends. Raises `LedgerBusy` if another process holds it."""
    for _ in range(_ATTEMPTS):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = (folder / FILE).open("a+")
        except FileNotFoundError:
            continue  # moved aside since the line before
        with lock:
            _take(folder, lock)
            if not _is_in_place(folder, lock):
                continue  # who had it before moved the folder aside, and another lies there now
            lock.seek(0)
            lock.truncate()
            lock.write(str(os.getpid()))
            lock.flush()
            yield
            return
    raise LedgerBusy(f"{folder} is moved aside again and again: choose another --out")


def _take(folder: Path, lock: TextIO) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip()
        who = f"process {holder}" if holder else "another process"
        raise LedgerBusy(f"{folder} is being played by {who}: wait for it, or choose another --out") from None
    except OSError as error:
        raise LedgerError(f"{folder} cannot be locked, choose another --out: {why_unread(error)}") from None


def _is_in_place(folder: Path, lock: TextIO) -> bool:
    """Return whether the folder still holds this file, and not another one of its name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(lock.fileno()), (folder / FILE).stat())
    return False

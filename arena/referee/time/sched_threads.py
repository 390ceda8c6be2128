"""Read from `/proc` how long processes and threads ran, how long they stood ready, and how they are scheduled.

Read also whether anybody on this machine has started a process or a thread meanwhile. Linux numbers tasks one after
another, also those of boxes, and says in `/proc/loadavg` which number was the last. If it is the same as before, no
task was started in between: a bot whose processes were all known then has no hidden ones now. Numbers begin anew some
time, so that a bot could start as many as there are; `/proc/stat` counts them without end.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

PROC: Final = "/proc"
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_NICE, _POLICY = 16, 38
"""Places in `/proc/<pid>/stat`, counted from the state, which follows the name in brackets (proc(5))."""
_LAST: Final = "/proc/loadavg"
_ALL: Final = "/proc/stat"
_MOST: Final = "/proc/sys/kernel/pid_max"
_TRIALS: Final = 3


class Priority(NamedTuple):
    """How a thread is scheduled."""

    nice: int
    policy: int


class SchedThread:
    """A thread in `/proc`, identified by its folder there. Its file is kept open, which makes reading twice as fast."""

    def __init__(self, folder: str) -> None:
        """Open nothing yet."""
        self._folder = folder
        self._file = -1
        self._is_kept = True

    def read(self) -> bytes:
        """Return nanoseconds run and nanoseconds ready without running, as text; empty when the thread has ended."""
        if not self._is_kept:
            return _text(f"{self._folder}/schedstat")
        try:
            if self._file < 0:
                self._file = os.open(f"{self._folder}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            return os.pread(self._file, 64, 0)
        except OSError:
            return b""

    def is_ready(self) -> bool:
        """Return whether the thread runs or is ready to run."""
        return self._stat()[:1] == [b"R"]

    def priority(self) -> Priority | None:
        """Return how the thread is scheduled. None: it has ended."""
        stat = self._stat()
        return Priority(int(stat[_NICE]), int(stat[_POLICY])) if len(stat) > _POLICY else None

    def _stat(self) -> list[bytes]:
        return _text(f"{self._folder}/stat").rpartition(b")")[2].split()

    def close(self) -> None:
        """Close the file; `read` opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def drop(self) -> None:
        """Keep no file open from now on, as only readings that were begun before ask for this thread."""
        self.close()
        self._is_kept = False


def read_all(threads: Sequence[SchedThread]) -> list[bytes]:
    """Return what each of them reads."""
    return [thread.read() for thread in threads]


def stood_between(before: list[bytes], after: list[bytes]) -> float:
    """Return the seconds in run queues between two readings; threads that have ended in between do not count."""
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old and new]
    return sum(int(new.split()[1]) - int(old.split()[1]) for old, new in pairs) / 1e9


def ran(pid: int) -> int:
    """Return the nanoseconds of processor time of a process with all its threads; 0 when it is gone."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)  # the clock that `clock_getcpuclockid` names
    except OSError:
        return 0


def walk(supervisor: int, most: int) -> tuple[dict[int, int], int, list[tuple[int, str]]]:
    """Find the processes below a supervisor, but stop when there are more than `most`.

    Returns:
        The nanoseconds of each process, those of ended ones, and those of each thread with its folder.
    """
    busy: list[tuple[int, str]] = []
    found: dict[int, int] = {}
    reaped, left = _reaped(supervisor), _children(_folders(supervisor))
    while left and len(found) <= most:
        pid = left.pop()
        if pid in found:
            continue
        found[pid] = ran(pid)
        reaped += _reaped(pid)
        folders = _folders(pid)
        left += _children(folders)
        for folder in folders:
            figures = _text(f"{folder}/schedstat").split()
            busy.append((int(figures[0]) if figures else 0, folder))
    return found, reaped, busy


def _reaped(pid: int) -> int:
    """Return the nanoseconds of processor time of ended processes for which this process has waited."""
    figures = _text(f"{PROC}/{pid}/stat").rpartition(b")")[2].split()
    return (int(figures[13]) + int(figures[14])) * (1_000_000_000 // _TICKS) if figures else 0


def _children(folders: list[str]) -> list[int]:
    """List the children of the threads of a process, which have these folders."""
    return [int(child) for folder in folders for child in _text(f"{folder}/children").split()]


def _folders(pid: int) -> list[str]:
    folder = f"{PROC}/{pid}/task"
    try:
        return [f"{folder}/{thread}" for thread in os.listdir(folder)]  # noqa: PTH208
    except OSError:
        return []


def _text(path: str) -> bytes:
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(file, 4096)
    except OSError:
        return b""
    finally:
        os.close(file)


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

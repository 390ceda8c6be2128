"""How long a bot waited for a core that other processes used. Linux reports it; elsewhere no bot is credited anything.

`schedstat` reports, in nanoseconds, how long each thread ran and how long it stood ready in a run queue. A bot is
credited the time that its threads, and the referee's own, stood in a queue while it was asked. It is never credited
more than the time in which none of its processes computed, so a bot whose own threads or helpers compete with each
other gains no computing time.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

UNCREDITED_SECONDS: Final = 0.001
"""Seconds: shorter decisions are charged as measured."""
_QUICK: Final = 100
"""After this many short decisions in a row nothing is read before the next ones."""
_SCANNED: Final = 16
"""After so many decisions that took longer, a bot's threads are looked for again, as new ones may compute by now."""
_THREADS: Final = 4
"""How many threads of a bot are read, those that used the processor most; this also bounds the credit."""
_PROCESSES: Final = 16
"""A bot with more processes is credited nothing."""
_MOST: Final = 60.0
"""The most seconds that are credited for a decision, so that every wait has an end."""
_PROC: Final = "/proc"
_IS_REPORTED: Final = sys.platform == "linux" and os.access(f"{_PROC}/self/schedstat", os.R_OK)
_TICKS: Final = os.sysconf("SC_CLK_TCK")


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
        return _text(f"{self._folder}/stat").rpartition(b")")[2].split()[:1] == [b"R"]

    def close(self) -> None:
        """Close the file; `read` opens it again."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def drop(self) -> None:
        """Keep no file open from now on, as only readings that were begun before ask for this thread."""
        self.close()
        self._is_kept = False


class RunQueueReading(NamedTuple):
    """What a bot had used and waited for at some moment."""

    at: float
    """On the referee's clock."""
    threads: Sequence[SchedThread]
    stood: list[bytes]
    """By thread: what `SchedThread.read` returned."""
    ran: dict[int, int]
    """Nanoseconds by process."""
    reaped: int
    """Nanoseconds that ended processes of the bot had run."""


class RunQueue:
    """How long one bot's processes wait for a core."""

    def __init__(self, supervisor: int, own: Sequence[SchedThread]) -> None:
        """Find the bot's processes.

        Args:
            supervisor: The id of the process above all of the bot's.
            own: The threads of this process through which the answers pass.
        """
        self._supervisor = supervisor
        self._own = own
        self._quick = 0
        self._unscanned = 0
        """How many decisions ago its processes and threads were last looked for."""
        self._threads: dict[str, SchedThread] = {}
        self._hot: list[SchedThread] = []
        self._ran: dict[int, int] = {}
        self._reaped = 0
        if _IS_REPORTED:
            self._scan()

    def ask(self, now: float) -> RunQueueReading | None:
        """Take a reading before the bot is asked. None: it has been answering fast, or this system reports nothing."""
        return self.look(now) if self._quick < _QUICK else None

    def look(self, now: float) -> RunQueueReading | None:
        """Take a reading at `now`, on the referee's clock. None: this system reports nothing."""
        if not self._ran:
            return None
        threads = (*self._hot, *self._own)
        return RunQueueReading(now, threads, _read(threads), {pid: _ran(pid) for pid in self._ran}, self._reaped)

    def credit(self, asked_at: float, since: RunQueueReading | None, now: float) -> float:
        """Return the seconds of a decision that are not charged to the bot.

        Args:
            asked_at: When it was asked.
            since: A reading taken then or soon after.
            now: The time, on the referee's clock.
        """
        if now - asked_at < UNCREDITED_SECONDS:
            self._quick += 1
            return 0.0
        self._quick = 0
        if since is None:
            return 0.0
        stood = _stood(since.stood, _read(since.threads))
        credit = min(stood, now - since.at - self._computed(since), _MOST)
        self._unscanned += 1
        # What stood has mostly waited for the bot itself, which then computed all the time. If not, others of its
        # processes may have.
        if stood > UNCREDITED_SECONDS and (credit > UNCREDITED_SECONDS or self._unscanned > _SCANNED):
            self._scan()
            credit = min(stood, now - since.at - self._computed(since), _MOST)
        return max(0.0, credit)

    def may_wait(self, since: RunQueueReading | None, now: float, allowed: float) -> bool:
        """Return whether the bot may be in a run queue just now; the system reports that only when it gets a core."""
        if since is None or now - since.at > allowed + _MOST or self._computed(since) >= allowed:
            return False
        return any(thread.is_ready() for thread in self._hot)

    def close(self) -> None:
        """Close the files, as the bot will not be asked for some time."""
        for thread in self._threads.values():
            thread.close()

    def _computed(self, since: RunQueueReading) -> float:
        """Return the seconds that the bot's processes have computed since a reading; infinite if that is unknown."""
        if not since.ran.keys() <= self._ran.keys() or len(self._ran) > _PROCESSES:
            return float("inf")
        computed = sum(_ran(pid) - since.ran.get(pid, 0) for pid in self._ran)
        return (computed + self._reaped - since.reaped) / 1e9

    def _scan(self) -> None:
        """Find the bot's processes, and their threads that used the processor most."""
        self._unscanned = 0
        busy: list[tuple[int, str]] = []
        found: dict[int, int] = {}
        reaped, left = _reaped(self._supervisor), _children(_folders(self._supervisor))
        while left and len(found) <= _PROCESSES:
            pid = left.pop()
            if pid in found:
                continue
            found[pid] = _ran(pid)
            reaped += _reaped(pid)
            folders = _folders(pid)
            left += _children(folders)
            for folder in folders:
                figures = _text(f"{folder}/schedstat").split()
                busy.append((int(figures[0]) if figures else 0, folder))
        self._ran, self._reaped = found, reaped
        hottest = [folder for _, folder in sorted(busy, reverse=True)[:_THREADS]]
        for folder in set(self._threads).difference(hottest):
            self._threads.pop(folder).drop()
        for folder in hottest:
            self._threads.setdefault(folder, SchedThread(folder))
        self._hot = [self._threads[folder] for folder in hottest]


def credits_waiting() -> bool:
    """Return whether this system reports how long a bot waits for a core."""
    return _IS_REPORTED


def own_threads() -> list[SchedThread]:
    """List the threads of this process through which bots' answers pass: this one."""
    if not _IS_REPORTED:
        return []
    return [SchedThread(f"{_PROC}/{os.getpid()}/task/{threading.get_native_id()}")]


def _read(threads: Sequence[SchedThread]) -> list[bytes]:
    return [thread.read() for thread in threads]


def _stood(before: list[bytes], after: list[bytes]) -> float:
    """Return the seconds in run queues between two readings; threads that have ended in between do not count."""
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old and new]
    return sum(int(new.split()[1]) - int(old.split()[1]) for old, new in pairs) / 1e9


def _ran(pid: int) -> int:
    """Return the nanoseconds of processor time of a process with all its threads; 0 when it is gone."""
    try:
        return time.clock_gettime_ns((~pid << 3) | 2)  # the clock that `clock_getcpuclockid` names
    except OSError:
        return 0


def _reaped(pid: int) -> int:
    """Return the nanoseconds of processor time of ended processes for which this process has waited."""
    figures = _text(f"{_PROC}/{pid}/stat").rpartition(b")")[2].split()
    return (int(figures[13]) + int(figures[14])) * (1_000_000_000 // _TICKS) if figures else 0


def _children(folders: list[str]) -> list[int]:
    """List the children of the threads of a process, which have these folders."""
    return [int(child) for folder in folders for child in _text(f"{folder}/children").split()]


def _folders(pid: int) -> list[str]:
    folder = f"{_PROC}/{pid}/task"
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

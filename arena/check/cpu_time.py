"""How long a bot took by itself, without the time that other processes took of the machine.

A bot that computes is charged its processor time, and one that does not is charged the time that passes. So a bot on a
machine that is busy with something else is given as much longer as it needs.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Final

import psutil

from arena.referee.source import RunningBot

SLICE: Final = 0.5
"""Seconds after which a wait is measured again: long enough for even a starved process to get some time."""
_BUSY: Final = 0.04
"""A bot that used more than this share of a slice was computing, or wanted to."""
_TICK: Final = 0.01
"""Seconds: the accuracy of processor times."""
_NOTICEABLE: Final = 0.02
"""Seconds: shorter waits are not corrected."""


class CpuMeter:
    """The processor time of a bot's processes."""

    def __init__(self) -> None:
        """Begin without a process."""
        self._process: RunningBot | None = None
        self._watched: list[psutil.Process] = []
        self._last = 0.0

    def watch(self, process: RunningBot | None) -> None:
        """Measure these processes from now on; None: the bot has none."""
        self._process = process
        self._last = 0.0
        self.refresh()

    def refresh(self) -> None:
        """Look up the bot's processes again, as it may have started more."""
        self._watched = [] if self._process is None else self._process.processes()

    def cpu(self) -> float:
        """Return the seconds of processor time so far; this never falls, not even when one of the processes ends."""
        if not self._watched:
            self.refresh()
        total = 0.0
        for process in self._watched:
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                total += times.user + times.system
        self._last = max(self._last, total)
        return self._last

    def memory(self) -> int:
        """Return the bytes of resident memory that all its processes use now."""
        self.refresh()
        total = 0
        for process in self._watched:
            with contextlib.suppress(psutil.Error):
                total += process.memory_info().rss
        return total


class WaitMeter:
    """One wait for a bot."""

    def __init__(self, meter: CpuMeter, delay: Callable[[], float]) -> None:
        """Begin to measure. `delay`: measures how long an answer takes on this machine now, in seconds."""
        self._meter, self._delay = meter, delay
        self._began = self._looked = time.perf_counter()
        self._cpu = meter.cpu()
        self._own = 0.0

    @property
    def wall(self) -> float:
        """Seconds since it began."""
        return time.perf_counter() - self._began

    def take_reading(self) -> float:
        """Return the seconds that the bot has had up to now. Call it at least once every `SLICE`."""
        now, cpu = time.perf_counter(), self._meter.cpu()
        passed, used = now - self._looked, cpu - self._cpu
        if passed > SLICE / 2:
            self._meter.refresh()
        self._looked, self._cpu = now, cpu
        self._own += min(passed, used + _TICK) if used > _BUSY * passed else passed
        return self._own

    def stop(self) -> float:
        """Return the seconds that the bot has had when its answer arrives."""
        still = self._own
        self.take_reading()
        last = self._own - still
        if last > _NOTICEABLE:
            self._own = still + max(0.0, last - self._delay())
        return self._own


def is_machine_busy() -> bool:
    """Return whether more processes want to run here than there are cores for."""
    return os.getloadavg()[0] > 0.7 * (os.cpu_count() or 1)

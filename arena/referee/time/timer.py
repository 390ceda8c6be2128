"""The transport's time: what it is, and waiting for sockets until some moment. Tests make up a time of their own.

Timers of the system are waited for as descriptors beside sockets: exact ones, and one that is hardly ever set. A
timeout that is given to `poll` or `select` comes up to 50 µs late, and costs time each time: if it is the next one due
on the core, it is set and cleared in the hardware, for which a virtual machine has to be left twice. That is half of
what a wait of at most a millisecond for a fast bot costs.
"""

from __future__ import annotations

import ctypes
import os
import select
import sys
import time
from collections.abc import Callable
from enum import Enum
from selectors import BaseSelector, SelectorKey
from typing import Any, Final, Protocol, cast

AT_ONCE: Final = 0.001
"""Seconds in which most bots answer. For one that does, waiting for its connection alone is faster than for all."""
BUSY_WAIT_SECONDS: Final = 0.00015
"""The longest busy wait. Sleeping for so long costs as much: the core rests, and a virtual machine loses it to somebody
else meanwhile, so that the next work finds little of its own in the caches."""

_LOST: Final = 1.0
"""Seconds after which no timer is waited for that ought to have run out."""
_NONBLOCK_CLOEXEC: Final = os.O_NONBLOCK | os.O_CLOEXEC
_CLOCK_MONOTONIC: Final = 1
_SOONEST: Final = 1e-6
"""Seconds: a timer that is set to nothing would not run."""


class _Setting(ctypes.Structure):
    """The `struct itimerspec` of Linux."""

    _fields_ = (
        ("every_seconds", ctypes.c_long),
        ("every_nanoseconds", ctypes.c_long),
        ("seconds", ctypes.c_long),
        ("nanoseconds", ctypes.c_long),
    )


class SystemTimer:
    """A timer of Linux."""

    def __init__(self) -> None:
        """Make a timer. Raises `OSError`."""
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = libc.timerfd_create(_CLOCK_MONOTONIC, _NONBLOCK_CLOEXEC)
        """Readable from when the timer has run out until it is set again."""
        if self.fd < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        self._settime = libc.timerfd_settime
        self._setting = _Setting()
        self._pointer = ctypes.byref(self._setting)
        self._seconds = 0.0
        """What `_setting` says."""

    def set(self, seconds: float) -> None:
        """Let the timer run out in that many seconds; 0 or less: not at all. Raises `OSError`."""
        if seconds != self._seconds:
            whole, part = divmod(max(seconds, _SOONEST) if seconds > 0 else 0.0, 1.0)
            self._setting.seconds, self._setting.nanoseconds = int(whole), int(part * 1e9)
            self._seconds = seconds
        if self._settime(self.fd, 0, self._pointer, None) < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.fd)


class ShortTimeout:
    """The timeout of waits of one length, one after the other.

    The timer runs on when a wait ends before it. A wait sets it anew if it would run out before the next wait, should
    that begin as soon as this one began after the last: at most half the length from now. So while waits are short, it
    is set about once in its length, however many waits there are in that time, and never runs out, which would cost
    more: in a virtual machine both take the processor from whatever runs. When it runs out during a wait that began
    later than it was set, it is set to what is left of that one.
    """

    def __init__(self, timer: SystemTimer, seconds: float) -> None:
        """Make a timeout from a timer that nothing else uses. `seconds`: the length of a wait."""
        self._timer = timer
        self._seconds = seconds
        self._half = seconds / 2
        self._began = 0.0
        self._ends = 0.0
        """When the timer runs out."""
        self.fd: Final[int] = timer.fd
        """Readable when `is_over` is to be asked."""

    def begin(self) -> None:
        """Begin a wait."""
        now = time.perf_counter()
        since, self._began = now - self._began, now
        if (left := self._ends - now) < self._half and left < since:
            self._timer.set(self._seconds)
            self._ends = now + self._seconds

    def is_over(self) -> bool:
        """Return whether the wait has lasted its time; if not, `fd` becomes readable again when it has."""
        ends = self._began + self._seconds
        left = ends - time.perf_counter()
        self._timer.set(left)
        self._ends = ends if left > 0 else 0.0
        return left <= 0


class Exactness(Enum):
    """How exactly a wait ends."""

    COARSE = "up to a millisecond or so late"
    TIMER = "as late as timers of the system are"
    BUSY = "on time if it is short, by a busy wait, as nobody else needs the core; else as late as timers are"


class Awaited(Protocol):
    """A connection of a bot that is asked."""

    def wait(self, seconds: float, timeout: ShortTimeout | None) -> bool:
        """Wait for something to read, and return whether there is. `timeout`: one of that many seconds."""


class Timer:
    """Time as it is."""

    def __init__(self) -> None:
        """Make a timer. Raises `OSError`."""
        self._timers = [SystemTimer() for _ in range(2)] if sys.platform == "linux" else []
        self._timer = self._timers[0] if self._timers else None
        """For exact waits."""
        self._timeout = ShortTimeout(self._timers[1], AT_ONCE) if self._timers else None
        self._poll: select.poll | None = None
        """For exact waits, all of which are for the sockets of one selector."""

    now: Callable[[], float] = staticmethod(time.perf_counter)
    """Return the time in seconds."""

    def select(
        self, selector: BaseSelector, seconds: float | None, exactness: Exactness = Exactness.COARSE
    ) -> list[tuple[SelectorKey, int]]:
        """Wait for sockets for at most `seconds` (None: no limit), and return those that are ready."""
        if exactness is Exactness.COARSE or not seconds:
            return selector.select(seconds)
        if exactness is Exactness.BUSY and seconds <= BUSY_WAIT_SECONDS:
            ends = self.now() + seconds
            while not (found := selector.select(0)) and self.now() < ends:
                pass
            return found
        if self._timer is None:
            return selector.select(seconds)
        self._sleep(self._timer, selector, seconds)
        return selector.select(0)

    def _sleep(self, timer: SystemTimer, selector: BaseSelector, seconds: float) -> None:
        """Wait for sockets, or until a timer has run out."""
        timer.set(seconds)
        if self._poll is None:
            self._poll = select.poll()
            self._poll.register(cast(Any, selector), select.POLLIN)
            self._poll.register(timer.fd, select.POLLIN)
        self._poll.poll((seconds + _LOST) * 1000)

    def wait(self, connection: Awaited) -> bool:
        """Wait for a connection for at most `AT_ONCE`, and return whether there is something to read."""
        return connection.wait(AT_ONCE, self._timeout)

    def close(self) -> None:
        """Close what it uses."""
        for timer in self._timers:
            timer.close()

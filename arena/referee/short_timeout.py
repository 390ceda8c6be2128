"""The timeout of short waits, which is hardly ever set.

A timeout of a millisecond given to `poll` is set and cleared in the hardware for every decision, as it is the next one
that is due on the core. In a virtual machine that costs more than the rest of the wait. This one is a descriptor
to wait for beside the socket. It runs on when an answer came before it, and what it says is ignored until the wait that
finds it has lasted long enough; so it is set about once for each period, however many waits there are in one.
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from typing import Final

_NONBLOCK_CLOEXEC: Final = os.O_NONBLOCK | os.O_CLOEXEC
_CLOCK_MONOTONIC: Final = 1
_SOONEST: Final = 1e-6
"""Seconds: a timeout that is set to nothing would not run."""


class _Setting(ctypes.Structure):
    """The `struct itimerspec` of Linux."""

    _fields_ = (
        ("every_seconds", ctypes.c_long),
        ("every_nanoseconds", ctypes.c_long),
        ("seconds", ctypes.c_long),
        ("nanoseconds", ctypes.c_long),
    )


class ShortTimeout:
    """Tells waits of a fixed length, one after the other, when they are over."""

    def __init__(self, period: float) -> None:
        """Make the timeout. Raises `OSError`. `period`: the length of a wait, less than a second."""
        self._period = period
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._began = 0.0
        self._is_set = False
        self.fd = self._libc.timerfd_create(_CLOCK_MONOTONIC, _NONBLOCK_CLOEXEC)
        """Readable when `is_over` is to be asked."""
        if self.fd < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    def begin(self) -> None:
        """Begin a wait."""
        if not self._is_set:
            self._set(self._period)
        self._began = time.perf_counter()

    def is_over(self) -> bool:
        """Return whether the wait has lasted its time; if not, `fd` becomes readable again when it has."""
        left = self._began + self._period - time.perf_counter()
        self._set(left)
        return left <= 0

    def _set(self, seconds: float) -> None:
        """Set the timeout, or clear it if no time is left; it is not readable then."""
        self._is_set = seconds > 0
        nanoseconds = int(max(seconds, _SOONEST) * 1e9) if self._is_set else 0
        self._libc.timerfd_settime(self.fd, 0, ctypes.byref(_Setting(0, 0, 0, nanoseconds)), None)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.fd)


def short_timeout(period: float) -> ShortTimeout | None:
    """Make a timeout. None: this system has none. Raises `OSError`."""
    return ShortTimeout(period) if sys.platform == "linux" else None

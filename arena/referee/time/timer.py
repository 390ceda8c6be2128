"""The transport's time: what it is, and waiting for sockets until some moment. Tests make up a time of their own."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from enum import Enum
from selectors import BaseSelector, SelectorKey
from typing import Any, Final, Protocol, cast

from arena.referee.time.system_timer import ShortTimeout, SystemTimer, system_timers

AT_ONCE: Final = 0.001
"""Seconds in which most bots answer. For one that does, waiting for its connection alone is faster than for all."""
BUSY_WAIT_SECONDS: Final = 0.00015
"""The longest busy wait. Sleeping for so long costs as much: the core rests, and a virtual machine loses it to somebody
else meanwhile, so that the next work finds little of its own in the caches."""

_LOST: Final = 1.0
"""Seconds after which no timer is waited for that ought to have run out."""


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
        self._timers = system_timers(2)
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

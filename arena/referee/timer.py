"""The transport's time: what it is, and waiting for sockets until some moment. Tests make up a time of their own."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from selectors import BaseSelector, SelectorKey
from typing import Any, Final, cast

from arena.referee.connection import BotConnection
from arena.referee.system_timer import ShortTimeout, system_timers

AT_ONCE: Final = 0.001
"""Seconds in which most bots answer. For one that does, waiting for its connection alone is faster than for all."""

_WAKING: Final = 0.00003
"""Seconds after which we run again when a timer runs out; an exact wait passes the last of them awake."""
_COARSE: Final = 0.002
"""Seconds by which a selector may do so, as it counts in milliseconds."""

_LOST: Final = 1.0
"""Seconds after which no timer is waited for that ought to have run out."""


class Timer:
    """Time as it is."""

    def __init__(self) -> None:
        """Make it. Raises `OSError`."""
        self._timers = system_timers(2)
        self._timer = self._timers[0] if self._timers else None
        """For exact waits."""
        self._timeout = ShortTimeout(self._timers[1], AT_ONCE) if self._timers else None

    now: Callable[[], float] = staticmethod(time.perf_counter)
    """Return the time in seconds."""

    def select(self, selector: BaseSelector, seconds: float | None, exact: bool) -> list[tuple[SelectorKey, int]]:
        """Wait for sockets for at most `seconds` (None: no limit), and return those that are ready.

        `exact`: never wait longer; the wait may end early without any.
        """
        if not exact or not seconds:
            return selector.select(seconds)
        asleep = seconds - _WAKING
        if self._timer is None:
            return selector.select(max(0.0, seconds - _COARSE))
        if asleep > 0:
            self._timer.set(asleep)
            self._sleep(selector, asleep)
        return selector.select(0)

    def _sleep(self, selector: BaseSelector, seconds: float) -> None:
        """Wait for sockets, or for the timer, which was set to so many seconds."""
        assert self._timer is not None
        poll = select.poll()
        poll.register(cast(Any, selector), select.POLLIN)
        poll.register(self._timer.fd, select.POLLIN)
        poll.poll((seconds + _LOST) * 1000)

    def wait(self, connection: BotConnection) -> bool:
        """Wait for a connection for at most `AT_ONCE`, and return whether there is something to read."""
        return connection.wait(AT_ONCE, self._timeout)

    def close(self) -> None:
        """Close what it uses."""
        for timer in self._timers:
            timer.close()

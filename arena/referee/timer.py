"""The transport's time: what it is, and waiting for sockets until some moment. Tests make up a time of their own."""

from __future__ import annotations

import select
import time
from selectors import BaseSelector, SelectorKey
from typing import Any, Final, cast

from arena.referee.connection import BotConnection
from arena.referee.short_timeout import short_timeout

AT_ONCE: Final = 0.001
"""Seconds in which most bots answer. For one that does, waiting for its connection alone is faster than for all."""

_WAKING: Final = 0.0001
"""Seconds by which the system may let us sleep longer than asked for; an exact wait passes the last of them awake."""
_COARSE: Final = 0.002
"""Seconds by which a selector may do so, as it counts in milliseconds."""


class Timer:
    """Time as it is."""

    def __init__(self) -> None:
        """Make it. Raises `OSError`."""
        self._timeout = short_timeout(AT_ONCE)

    def now(self) -> float:
        """Return the time in seconds."""
        return time.perf_counter()

    def select(self, selector: BaseSelector, seconds: float | None, exact: bool) -> list[tuple[SelectorKey, int]]:
        """Wait for sockets for at most `seconds` (None: no limit), and return those that are ready.

        `exact`: never wait longer; the wait may end early without any.
        """
        if not exact or not seconds:
            return selector.select(seconds)
        try:
            select.select((cast(Any, selector),), (), (), max(0.0, seconds - _WAKING))
        except (TypeError, ValueError):  # no descriptor, or one that `select` cannot handle
            return selector.select(max(0.0, seconds - _COARSE))
        return selector.select(0)

    def wait(self, connection: BotConnection) -> bool:
        """Wait for a connection for at most `AT_ONCE`, and return whether there is something to read."""
        return connection.wait(AT_ONCE, self._timeout)

    def close(self) -> None:
        """Close what it uses."""
        if self._timeout is not None:
            self._timeout.close()

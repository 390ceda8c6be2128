"""Hand the latest news from the thread that follows a tournament to any number of readers in an event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any


class Feed:
    """Holds the latest news and wakes the readers that wait for them."""

    def __init__(self) -> None:
        """Begin without news."""
        self._guard = threading.Lock()
        self._wakes: set[Callable[[], object]] = set()
        self._number = 0
        self._text = ""
        self._closed = False

    def update(self, news: Mapping[str, Any]) -> None:
        """Replace the news. May be called from any thread."""
        with self._guard:
            self._number += 1
            self._text = json.dumps({**news, "number": self._number})
            self._wake()

    def close(self) -> None:
        """Say that there will be no more news. May be called from any thread."""
        with self._guard:
            self._closed = True
            self._wake()

    @property
    def is_closed(self) -> bool:
        """Return whether there will be no more news."""
        return self._closed

    def newer_than(self, number: int) -> tuple[int, str] | None:
        """Return news later than `number`, with their number. Return None if there are none or the feed is closed."""
        with self._guard:
            return None if self._closed or self._number <= number else (self._number, self._text)

    async def after(self, number: int, seconds: float) -> tuple[int, str] | None:
        """Wait for news later than `number`. Return None if `seconds` have passed or the feed is closed."""
        changed = asyncio.Event()
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, changed.set)
        with self._guard:
            if self._closed or self._number > number:
                changed.set()
            self._wakes.add(wake)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await changed.wait()
        finally:
            with self._guard:
                self._wakes.discard(wake)
        return self.newer_than(number)

    def _wake(self) -> None:
        for wake in self._wakes:
            with suppress(RuntimeError):  # its loop has ended
                wake()

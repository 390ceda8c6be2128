"""The latest news of a tournament, from the thread that follows it to any number of readers in an event loop."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any


class Feed:
    """Holds the latest news and wakes those who wait for them."""

    def __init__(self) -> None:
        """There are no news yet."""
        self._guard = threading.Lock()
        self._wakes: set[Callable[[], object]] = set()
        self._number = 0
        self._text = ""
        self._closed = False

    def tell(self, news: Mapping[str, Any]) -> None:
        """Replace the news, from any thread."""
        with self._guard:
            self._number += 1
            self._text = json.dumps({**news, "number": self._number})
            self._wake()

    def close(self) -> None:
        """Say that there will be no more, from any thread."""
        with self._guard:
            self._closed = True
            self._wake()

    @property
    def is_closed(self) -> bool:
        """Whether there will be no more."""
        return self._closed

    def newer_than(self, number: int) -> tuple[int, str] | None:
        """Return the news behind that number; None: there are none, or the feed is closed."""
        with self._guard:
            return None if self._closed or self._number <= number else (self._number, self._text)

    async def after(self, number: int, seconds: float) -> tuple[int, str] | None:
        """Wait for news behind that number; None: `seconds` are over, or the feed is closed."""
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

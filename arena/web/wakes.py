"""Wake those in event loops who wait for something that threads do."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial


class Wakes:
    """Who waits."""

    def __init__(self, guard: threading.Lock | threading.Condition) -> None:
        """Take the lock of what is waited for."""
        self._guard = guard
        self._wakes: set[Callable[[], object]] = set()

    async def wait(self, is_due: Callable[[], bool], seconds: float) -> None:
        """Wait until `wake` is called or `seconds` have passed; not at all if `is_due`, asked under the lock."""
        changed = asyncio.Event()
        wake = partial(asyncio.get_running_loop().call_soon_threadsafe, changed.set)
        with self._guard:
            if is_due():
                return
            self._wakes.add(wake)
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await changed.wait()
        finally:
            with self._guard:
                self._wakes.discard(wake)

    def wake(self) -> None:
        """Wake all who wait. Call this from any thread that holds the lock."""
        for wake in self._wakes:
            with suppress(RuntimeError):  # its loop has ended
                wake()

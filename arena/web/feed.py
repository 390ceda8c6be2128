"""Hand what is new from the threads that follow a tournament to any number of readers in an event loop.

What there is to know is kept by key, and every change has a number. A reader is sent the keys that changed since the
last number that it knows, each with its latest value: one that comes late, was away or reads slowly skips what was
between, and nothing waits for it.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, NamedTuple

Wants = Callable[[str], bool]
"""Whether a reader wants a key."""
_GONE: Final = 1000
"""Of the keys that were removed so many are remembered. Who knows less is sent all that there is."""


class Wakes:
    """Those in event loops who wait for something that threads do."""

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


class News(NamedTuple):
    """What a reader is sent."""

    number: int
    whole: bool
    """Whether it is all that there is: what the reader knew before is to be forgotten."""
    text: str
    """The values by key as a JSON object, null for one that was removed; empty if nothing changed that is wanted."""


class Feed:
    """Holds the latest values and wakes the readers that wait for them."""

    def __init__(self) -> None:
        """Begin without values."""
        self._guard = threading.Lock()
        self._wakes = Wakes(self._guard)
        self._number = 0
        self._values: dict[str, tuple[int, str]] = {}
        self._gone: deque[tuple[int, str]] = deque()
        self._forgotten = 0
        """The number of the latest removal that is not remembered."""
        self.is_closed = False
        """Whether there will be no more news."""
        self.watching = 0
        """How many readers watch what is played now."""

    def update(self, values: Mapping[str, object]) -> None:
        """Set values by key, and remove those that are None. May be called from any thread."""
        texts = {key: None if value is None else json.dumps(value) for key, value in values.items()}
        with self._guard:
            changed = {key: text for key, text in texts.items() if self._text(key) != text}
            if not changed:
                return
            self._number += 1
            for key, text in changed.items():
                if text is not None:
                    self._values[key] = self._number, text
                else:
                    del self._values[key]
                    self._gone.append((self._number, key))
            while len(self._gone) > _GONE:
                self._forgotten = self._gone.popleft()[0]
            self._wakes.wake()

    def close(self) -> None:
        """Say that there will be no more news. May be called from any thread."""
        with self._guard:
            self.is_closed = True
            self._wakes.wake()

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Count a reader who watches what is played now."""
        with self._guard:
            self.watching += 1
        try:
            yield
        finally:
            with self._guard:
                self.watching -= 1

    def newer_than(self, number: int, wants: Wants = lambda _: True) -> News | None:
        """Return what changed after `number`. Return None if nothing did or the feed is closed."""
        with self._guard:
            if self.is_closed or self._number <= number:
                return None
            whole = number == 0 or number < self._forgotten
            found = {key: text for key, (at, text) in self._values.items() if (whole or at > number) and wants(key)}
            if not whole:
                gone = [key for at, key in self._gone if at > number and key not in self._values and wants(key)]
                found |= dict.fromkeys(gone, "null")
            text = ",".join(f"{json.dumps(key)}:{text}" for key, text in found.items())
            return News(self._number, whole, f"{{{text}}}" if text or whole else "")

    async def after(self, number: int, seconds: float, wants: Wants = lambda _: True) -> News | None:
        """Wait for changes after `number`. Return None if `seconds` have passed or the feed is closed."""
        await self._wakes.wait(lambda: self.is_closed or self._number > number, seconds)
        return self.newer_than(number, wants)

    def _text(self, key: str) -> str | None:
        found = self._values.get(key)
        return None if found is None else found[1]

"""Keep what the page of a person has to know at this moment, and wake those who send it.

Of each kind only the latest message counts. So a page that connects late, or again, is sent everything that holds, and
nothing grows while nobody reads.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.web.feed import Wakes

ORDER: Final = ("table", "lobby", "curtain", "turn", "over", "void", "thinking", "fault", "hint", "mistakes", "gone")
"""The kinds of messages, in the order in which a page is sent those that hold."""


class BulletinMessage(NamedTuple):
    """A message to a page."""

    number: int
    """Counts what was put up on this bulletin."""
    event: str
    data: bytes
    """JSON in ASCII."""
    due: float | None
    """When the person's time is up, by `time.monotonic`; None: never."""

    def text(self) -> str:
        """Return the data with what is left of the person's time, in milliseconds."""
        text = self.data.decode("ascii")
        if self.due is None:
            return text
        left = max(0, round(1000 * (self.due - time.monotonic())))
        return f'{text[:-1]},"deadline":{left}}}'


class Bulletin:
    """What holds now for one visitor. It may be used by several threads."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._guard = threading.Condition()
        self._wakes = Wakes(self._guard)
        self._messages: dict[str, BulletinMessage] = {}
        self._number = 0
        self._closed = False

    @property
    def is_closed(self) -> bool:
        """Whether nothing more will be put up."""
        return self._closed

    def put(
        self, event: str, data: bytes, *, key: str = "", due: float | None = None, drop: Sequence[str] = ()
    ) -> None:
        """Put up a message in place of the one of this event and key.

        Args:
            event: One of `ORDER`.
            data: A JSON object in ASCII.
            key: Tells several messages of one event apart.
            due: When the person's time is up.
            drop: Events whose messages hold no longer.
        """
        with self._guard:
            self._drop(drop)
            self._number += 1
            self._messages[f"{event} {key}"] = BulletinMessage(self._number, event, data, due)
            self._wake()

    def drop(self, *events: str) -> None:
        """Take down the messages of these events."""
        with self._guard:
            self._drop(events)

    def close(self) -> None:
        """Say that nothing more will be put up."""
        with self._guard:
            self._closed = True
            self._wake()

    def newer_than(self, number: int) -> list[BulletinMessage]:
        """Return what was put up after message `number` and still holds, in the order of `ORDER`."""
        with self._guard:
            found = [each for each in self._messages.values() if each.number > number]
        return sorted(found, key=lambda each: (ORDER.index(each.event), each.number))

    def wait(self, number: int, seconds: float) -> list[BulletinMessage]:
        """Wait in a thread for messages after `number`; empty if `seconds` have passed or nothing more will come."""
        with self._guard:
            self._guard.wait_for(lambda: self._closed or self._number > number, seconds)
        return self.newer_than(number)

    async def after(self, number: int, seconds: float) -> list[BulletinMessage]:
        """Wait in an event loop for messages after `number`, likewise."""
        await self._wakes.wait(
            lambda: self._closed or any(each.number > number for each in self._messages.values()), seconds
        )
        return self.newer_than(number)

    def _drop(self, events: Sequence[str]) -> None:
        for key in [key for key, each in self._messages.items() if each.event in events]:
            del self._messages[key]

    def _wake(self) -> None:
        self._guard.notify_all()
        self._wakes.wake()

"""The persons' browsers: who was invited, by an address that works once, and who has come, by a cookie.

What the page of a person has to know at this moment is kept on a bulletin, which wakes those who send it. Of each kind
only the latest message counts. So a page that connects late, or again, is sent everything that holds, and nothing grows
while nobody reads.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, Protocol

from arena.common.errors import ArenaError
from arena.web.feed import Wakes

_BYTES: Final = 32
"""Random bytes of a token, and of what cookies are made with."""
ORDER: Final = (
    "table",
    "lobby",
    "curtain",
    "turn",
    "live",
    "over",
    "void",
    "thinking",
    "fault",
    "hint",
    "mistakes",
    "gone",
)
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
        self.is_closed = False
        """Whether nothing more will be put up."""

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
            self.is_closed = True
            self._wake()

    def newer_than(self, number: int) -> list[BulletinMessage]:
        """Return what was put up after message `number` and still holds, in the order of `ORDER`."""
        with self._guard:
            found = [each for each in self._messages.values() if each.number > number]
        return sorted(found, key=lambda each: (ORDER.index(each.event), each.number))

    def wait(self, number: int, seconds: float) -> list[BulletinMessage]:
        """Wait in a thread for messages after `number`; empty if `seconds` have passed or nothing more will come."""
        with self._guard:
            self._guard.wait_for(lambda: self.is_closed or self._number > number, seconds)
        return self.newer_than(number)

    async def after(self, number: int, seconds: float) -> list[BulletinMessage]:
        """Wait in an event loop for messages after `number`, likewise."""
        await self._wakes.wait(
            lambda: self.is_closed or any(each.number > number for each in self._messages.values()), seconds
        )
        return self.newer_than(number)

    def _drop(self, events: Sequence[str]) -> None:
        for key in [key for key, each in self._messages.items() if each.event in events]:
            del self._messages[key]

    def _wake(self) -> None:
        self._guard.notify_all()
        self._wakes.wake()


class NotNowError(ArenaError):
    """What a person asked for is not possible now. The text says why."""


class Visitor:
    """One browser: a person, or several who share it. Messages to it stand on its bulletin."""

    def __init__(self, name: str) -> None:
        """Begin without visits. `name`: for people."""
        self.name: Final = name
        self.bulletin: Final = Bulletin()
        self.streams = 0
        """How many pages of it are connected."""


class PersonRequests(Protocol):
    """What a page may ask for. Every method raises `NotNowError` if that is not possible now."""

    def begin(self, visitor: Visitor) -> None:
        """Note that this visitor is ready to begin."""

    def choose(self, visitor: Visitor, decision: int, index: int) -> None:
        """Play an action."""

    def hint(self, visitor: Visitor, decision: int) -> None:
        """Ask a bot what it would do; the answer is put up on the bulletin."""

    def show(self, visitor: Visitor, decision: int) -> None:
        """Raise the curtain: the person whose turn it is sits at the page."""

    def want_rematch(self, visitor: Visitor) -> None:
        """Note that this visitor wants another game."""


class Visitors:
    """Finds the visitor of a request. A cookie follows from a secret key, so that it holds as long as that is kept."""

    def __init__(self, visitors: Iterable[Visitor], key: bytes | None = None) -> None:
        """Take all who may come, and the key that their cookies were made with before; None: a new one."""
        self.all: Final = tuple(visitors)
        self.key: Final = key or secrets.token_bytes(_BYTES)
        self._guard = threading.Lock()
        self._invited: dict[str, Visitor] = {}
        self._cookies = {self._cookie(each): each for each in self.all}
        self._on_entered: dict[str, Callable[[], object]] = {}

    def _cookie(self, visitor: Visitor) -> str:
        return hmac.new(self.key, visitor.name.encode(), "sha256").hexdigest()

    def invite(self, visitor: Visitor) -> str:
        """Return a new token for a visitor, which can be used once. An older one that was not used works no longer."""
        token = secrets.token_urlsafe(_BYTES)
        with self._guard:
            self._invited = {key: each for key, each in self._invited.items() if each is not visitor} | {token: visitor}
        return token

    def when_entered(self, token: str, do: Callable[[], object]) -> None:
        """Have something done once a token was used: now, if it can be used no longer."""
        with self._guard:
            may_enter = token in self._invited
            if may_enter:
                self._on_entered[token] = do
        if not may_enter:
            do()

    def enter(self, token: str) -> tuple[Visitor, str] | None:
        """Return the visitor that was invited by this token, and its cookie. None: it was used, or never was.

        The token cannot be used again.
        """
        with self._guard:
            visitor = self._invited.pop(token, None)
            entered = None if visitor is None else self._on_entered.pop(token, None)
        if entered is not None:
            entered()
        return None if visitor is None else (visitor, self._cookie(visitor))

    def of(self, cookie: str | None) -> Visitor | None:
        """Return the visitor with this cookie."""
        return None if cookie is None else self._cookies.get(cookie)

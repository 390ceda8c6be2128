"""The persons' browsers: who was invited, by an address that works once, and who has come, by a cookie."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from arena.common.errors import ArenaError
from arena.web.bulletin import Bulletin

_BYTES: Final = 32
"""Random bytes of a token or a cookie."""
_MOST: Final = 64
"""Cookies of one visitor; older ones are forgotten."""


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

    def again(self, visitor: Visitor) -> None:
        """Note that this visitor wants another game."""


class Visitors:
    """Finds the visitor of a request. Tokens and cookies are compared by their hashes as keys of a dictionary."""

    def __init__(self, visitors: Iterable[Visitor]) -> None:
        """Take all who may come."""
        self.all: Final = tuple(visitors)
        self._guard = threading.Lock()
        self._invited: dict[str, Visitor] = {}
        self._cookies: dict[str, Visitor] = {}
        self._on_entered: dict[str, Callable[[], object]] = {}

    def invite(self, visitor: Visitor) -> str:
        """Return a new token for a visitor, which can be used once. An older one that was not used works no longer."""
        return self._add(self._invited, visitor, 1)

    def when_entered(self, token: str, do: Callable[[], object]) -> None:
        """Have something done once a token was used: now, if it can be used no longer."""
        with self._guard:
            may_enter = token in self._invited
            if may_enter:
                self._on_entered[token] = do
        if not may_enter:
            do()

    def enter(self, token: str) -> tuple[Visitor, str] | None:
        """Return the visitor that was invited by this token, and a new cookie for it. None: it was used, or never was.

        The token cannot be used again.
        """
        with self._guard:
            visitor = self._invited.pop(token, None)
            entered = None if visitor is None else self._on_entered.pop(token, None)
        if entered is not None:
            entered()
        return None if visitor is None else (visitor, self._add(self._cookies, visitor, _MOST))

    def of(self, cookie: str | None) -> Visitor | None:
        """Return the visitor with this cookie."""
        with self._guard:
            return None if cookie is None else self._cookies.get(cookie)

    def _add(self, known: dict[str, Visitor], visitor: Visitor, most: int) -> str:
        made = secrets.token_urlsafe(_BYTES)
        with self._guard:
            own = [key for key, each in known.items() if each is visitor]
            for key in own[: max(0, len(own) + 1 - most)]:
                del known[key]
            known[made] = visitor
        return made

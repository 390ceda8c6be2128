"""Whose routing id is whose: the door of the referee, through which nobody comes under another bot's name."""

from __future__ import annotations

from typing import Final

from arena.referee.link import Link, Stage
from arena.referee.peer import is_from
from arena.referee.wire import Received

_REFUSED: Final = 1000
"""So many refused routing ids are remembered; finding out about one again is only slow."""


class Addresses:
    """The routing ids in use. One is a bot's when it begins with the bot's token and the bot's own process uses it."""

    def __init__(self) -> None:
        """Nobody has connected."""
        self.known: dict[bytes, Link] = {}
        self._tokens: dict[bytes, Link | None] = {}
        """None: of a process that was ended."""
        self._refused: set[bytes] = set()

    def expect(self, link: Link) -> None:
        """A bot was given a new token."""
        self._tokens[link.token.encode()] = link

    def admit(self, received: Received) -> Link | None:
        """Whose this routing id is, which is not known yet; None: not that of a bot."""
        address = received.address
        if address in self._refused:
            return None
        link = self._tokens.get(_token(address))
        if link is None or link.stage is Stage.DOWN or not _may_speak(received, link):
            if len(self._refused) >= _REFUSED:
                self._refused.clear()
            self._refused.add(address)
            return None
        self.known[address] = link
        return link

    def is_leftover(self, address: bytes) -> bool:
        """Whether it was that of a process which has been ended since."""
        return self._tokens.get(_token(address), self) is None

    def move(self, link: Link, address: bytes) -> None:
        """The bot said hello from there: its older connections count no more, whoever may use their ids."""
        if link.address != address:
            self._drop(link)
            self.known[address] = link
            link.address = address

    def forget(self, link: Link) -> None:
        """The bot's process is ended: what still comes from it is thrown away."""
        self._drop(link)
        self._tokens[link.token.encode()] = None

    def _drop(self, link: Link) -> None:
        self.known = {address: each for address, each in self.known.items() if each is not link}


def _token(address: bytes) -> bytes:
    return address.split(b"/", 1)[0]


def _may_speak(received: Received, link: Link) -> bool:
    """A bot that was started by hand may be anybody who knows the token."""
    return link.process is None or (received.source is not None and is_from(received.source, link.process))

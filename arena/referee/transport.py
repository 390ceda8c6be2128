"""What a referee needs of its transport: messages of bots, news of their processes, and the clock that it charges by.

`RouterTransport` is the one of today; tests put a scripted one with a made-up clock in its place.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from arena.referee.peer import Peer
from arena.referee.source import RunningBot


class FrameOrigin(Protocol):
    """The connection that a message came by."""

    def peer(self) -> Peer | None:
        """Find out who is at the other end. None: it is closed, and nothing was noted of it."""

    def shut_down(self) -> None:
        """Close it."""


class ReceivedMessage(NamedTuple):
    """One message: the routing id it came from and its one frame (None: there were several)."""

    address: bytes
    frame: bytes | None
    frames: int
    """How many there were."""
    origin: FrameOrigin | None
    """Of a routing id that was not known: the connection that it came by."""
    since: float
    """When its taking began, in seconds of the transport's own."""


class Ready(NamedTuple):
    """What there is to deal with."""

    message: bool
    report: bool
    """Of a bot's process: its number, or its end."""
    connection: bool
    """One that was accepted."""


class RefereeTransport(Protocol):
    """Carries messages between a referee and bots, each of which has a routing id."""

    tcp: bool
    """Whether bots may come by a port."""
    folder: Path
    """A private folder in which bots' processes may leave files; removed with the transport."""
    waited: float
    """Seconds spent waiting for bots so far: the clock by which bots are charged."""

    def endpoint(self, transport: str) -> str:
        """Name what a bot connects to. `transport`: `ipc` or `tcp`."""

    def attend(self, process: RunningBot) -> None:
        """Let `wait_until` end when that process has something to report."""

    def forget(self, process: RunningBot) -> None:
        """Listen to that process no more: it is about to end."""

    def wait_until(self, due: float) -> Ready:
        """Wait for something to deal with until `waited` reaches `due` (infinite: for ever)."""

    def receive(self, known: Container[bytes]) -> ReceivedMessage | None:
        """Take the next message, if there is one. `known`: routing ids whose connection nobody asks for."""

    def send(self, address: bytes, frame: bytes) -> bool:
        """Send a message. False: nobody is connected under that routing id, or it does not read."""

    def accepted(self) -> Iterator[Peer]:
        """Yield who made each connection that was accepted since the last call, unless it is closed by now."""

    def pass_over(self, received: ReceivedMessage) -> bool:
        """Count the time spent on a stranger's message as nobody's, up to a limit.

        False: the limit is reached, and the time counts as waited.
        """

    def forget_strangers(self) -> None:
        """Allow strangers some time again: a decision is asked for."""

    def close(self) -> None:
        """Stop listening and leave no file behind."""

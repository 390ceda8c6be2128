"""What a referee needs from its transport: bots' messages, reports about their processes, and the clock to charge by.

`RouterTransport` implements it. Tests use a scripted transport with an artificial clock.
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
        """Find the peer of the connection. None: it is closed, and libzmq recorded no address."""

    def shut_down(self) -> None:
        """Close the connection."""


class ReceivedMessage(NamedTuple):
    """One message: the routing id that it came from and its one frame (None: there were several)."""

    address: bytes
    frame: bytes | None
    frames: int
    """How many frames there were."""
    origin: FrameOrigin | None
    """The connection that it came by; None if the routing id was known."""
    since: float
    """When the transport began to receive it, in seconds of its own clock."""


class Ready(NamedTuple):
    """What there is to handle."""

    message: bool
    report: bool
    """A report about a bot's process: its process id, or its end."""
    connection: bool
    """A connection that was accepted."""


class RefereeTransport(Protocol):
    """Carries messages between a referee and bots, each of which has a routing id."""

    tcp: bool
    """Whether bots may connect over TCP."""
    folder: Path
    """A private folder in which bots' processes may leave files; removed with the transport."""
    waited: float
    """Seconds spent waiting for bots so far: the clock by which bots are charged."""

    def endpoint(self, transport: str) -> str:
        """Return the address to which a bot connects. `transport`: `ipc` or `tcp`."""

    def attend(self, process: RunningBot) -> None:
        """Let `wait_until` return when this process has something to report."""

    def forget(self, process: RunningBot) -> None:
        """Ignore this process from now on: it is about to end."""

    def wait_until(self, due: float) -> Ready:
        """Wait for something to handle until `waited` reaches `due` (infinite: no limit)."""

    def receive(self, known: Container[bytes]) -> ReceivedMessage | None:
        """Take the next message, if there is one. `known`: routing ids whose connection is not needed."""

    def send(self, address: bytes, frame: bytes) -> bool:
        """Send a message, and return whether it was accepted.

        It is not if no bot is connected under the routing id, or if the bot does not read.
        """

    def accepted(self) -> Iterator[Peer]:
        """Generate the peer of each connection accepted since the last call, except those closed by now."""

    def pass_over(self, received: ReceivedMessage) -> bool:
        """Charge the time spent on an unknown sender's message to nobody, up to a limit.

        Returns:
            Whether it was; beyond the limit the time counts as waited.
        """

    def forget_unknown_senders(self) -> None:
        """Reset the limit of `pass_over`, as a decision is asked for."""

    def close(self) -> None:
        """Stop listening and remove all files."""

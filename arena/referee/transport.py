"""What a referee needs from its transport: endpoints for bots, their messages, reports about their processes, and time.

`arena.referee.zmtp_transport.ZmtpTransport` implements it. Tests use a scripted transport with an artificial clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from arena.referee.peer import Peer
from arena.referee.source import RunningBot
from arena.referee.time.timer import Exactness


class Address(NamedTuple):
    """Where a message comes from or goes to."""

    endpoint: str
    """That of one start of one bot."""
    routing_id: bytes | None
    """None: the connection failed before it had one."""


class Refusal(NamedTuple):
    """Why what came is no frame."""

    code: str
    """A fault as in `arena.game.faults`."""
    text: str


class ReceivedMessage(NamedTuple):
    """One message, or what came in place of one."""

    address: Address
    frame: bytes | None
    """None: it was refused."""
    frames: int = 1
    """How many frames there were."""
    refusal: Refusal | None = None


class NewConnection(Protocol):
    """A connection that somebody has made to an endpoint, and of which nothing has been read."""

    @property
    def endpoint(self) -> str:
        """The endpoint to which it was made."""

    @property
    def peer(self) -> Peer | None:
        """Who made it. None: it is closed."""

    def has_hung_up(self) -> bool:
        """Return whether the other end has closed it."""


class Ready(NamedTuple):
    """What there is to handle."""

    message: bool
    report: bool
    """A report about a bot's process: its process id, or its end."""
    connection: bool
    """Somebody connects to an endpoint."""
    desertion: bool = False
    """The last connection at an endpoint has closed."""


class RefereeTransport(Protocol):
    """Carries messages between a referee and bots. Each start of a bot has an endpoint of its own."""

    folder: Path
    """A private folder in which bots' processes may leave files; removed with the transport."""
    waited: float
    """Seconds on the waiting clock, which runs only while the referee waits for something: bots are charged by it."""

    @property
    def now(self) -> Callable[[], float]:
        """Return the seconds on the real clock, which never stands still: by it pauses are measured."""

    def listen(self, transport: str) -> str:
        """Open a new endpoint, and return the address to which a bot connects. Raises `OSError`.

        `transport`: `ipc` or `tcp`.
        """

    def close_endpoint(self, endpoint: str) -> None:
        """Close an endpoint and all its connections; what came over them and was not received is dropped."""

    def attend(self, process: RunningBot) -> None:
        """Let `wait_until` return when this process has something to report."""

    def forget(self, process: RunningBot) -> None:
        """Ignore this process from now on: it is about to end."""

    def wait_until(self, due: float, exactness: Exactness = Exactness.COARSE) -> Ready:
        """Wait for something to handle until `waited` reaches `due` (infinite: no limit)."""

    def deserted(self) -> list[str]:
        """List the endpoints whose last connection has closed since this was last asked, and that have none now."""

    def accepted(self) -> Iterator[NewConnection]:
        """Generate some of the connections that are waiting to be admitted or refused."""

    def admit(self, connection: NewConnection) -> int:
        """Read what comes over a connection, and return how many its endpoint has now."""

    def refuse(self, connection: NewConnection) -> None:
        """Close a connection without reading anything."""

    def receive(self) -> ReceivedMessage | None:
        """Take the next message, if there is one."""

    def send(self, address: Address, frame: bytes, is_question: bool = False) -> bool:
        """Send a message, and return whether it was accepted.

        It is not if no bot is connected under the routing id, or if the bot does not read. `is_question`: whether an
        answer is waited for from now on.
        """

    def close(self) -> None:
        """Stop listening and remove all files."""

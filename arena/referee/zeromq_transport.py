"""The transport over ZeroMQ: the socket to which bots connect, the origin of messages, and waiting for more."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import shutil
import tempfile
import time
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil
import zmq

from arena.entrants.shortage import need_descriptors
from arena.protocol.codec import MAX_FRAME
from arena.referee.connection_monitor import ConnectionMonitor
from arena.referee.peer import Peer, peer_of, shut_down
from arena.referee.source import RunningBot
from arena.referee.transport import Ready, ReceivedMessage

_RECEIVE_QUEUE: Final = 4
"""The most messages of one connection that wait here; more wait at the sender."""
_NOBLOCK_MORE: Final = zmq.NOBLOCK | zmq.SNDMORE
_TO_LISTEN: Final = 24
"""Descriptors that a context with a socket needs, and some spare ones."""
_AT_ONCE: Final = 0.001
"""Seconds that a wait spends in `recv` first: most answers come within them, and `recv` is faster than a poll."""
_IN_A_ROW: Final = 64
"""The most messages received in this way before reports are checked again."""
_UNKNOWN_SECONDS: Final = 1.0
"""Seconds between two decisions in which handling messages of unknown senders is charged to nobody.

Without a bound they could hold up a decision forever. No bot can reach it, because a bot is ended at its first such
message.
"""
_TRIES: Final = 20
_LONGEST_PATH: Final = 70
"""The longest path of the folder for temporary files: a socket's path must stay under 107 bytes."""


class RouterOrigin(NamedTuple):
    """The connection that a frame came by."""

    frame: zmq.Frame

    def peer(self) -> Peer | None:
        """Find the peer of the connection. None: it is closed, and libzmq recorded no address."""
        return peer_of(self.frame)

    def shut_down(self) -> None:
        """Close the connection."""
        shut_down(self.frame)


_MESSAGE: Final = Ready(True, False, False)


class RouterTransport:
    """A ROUTER socket on an ipc path, and on a loopback port if some bot needs one."""

    def __init__(self, tcp: bool) -> None:
        """Bind and listen. Raises `OSError` if the system lacks the resources."""
        need_descriptors(_TO_LISTEN)  # without them libzmq would end this process
        self.tcp = tcp
        self.folder = _private_folder()
        self._context: zmq.Context[Any] = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.RCVHWM, _RECEIVE_QUEUE)
        self._socket.setsockopt(zmq.RCVTIMEO, round(_AT_ONCE * 1000))
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_FRAME)
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        # A second connection must never take over a routing id: it would be sent that bot's view.
        self._socket.setsockopt(zmq.ROUTER_HANDOVER, 0)
        self._connections = ConnectionMonitor(self._context, self._socket)
        self._endpoints = {"ipc": f"ipc://{self.folder}/r"}
        self._socket.bind(self._endpoints["ipc"])
        # `Socket.send` without what it does for draft sockets.
        self._send = super(zmq.Socket, self._socket).send
        if tcp:
            port = self._socket.bind_to_random_port("tcp://127.0.0.1")
            self._endpoints["tcp"] = f"tcp://127.0.0.1:{port}"
        self._reports = selectors.DefaultSelector()
        # All reports of bots behind one descriptor: polling three descriptors is faster than polling many.
        reports = _descriptor(self._reports)
        self._polled = [(source, zmq.POLLIN) for source in (self._socket, reports, self._connections.events)]
        self._address: bytes | None = None
        """The first part of a message whose other parts are still to be received."""
        self._in_a_row = 0
        self._unknown_seconds = _UNKNOWN_SECONDS
        """Seconds left for messages of unknown senders."""
        self.waited = 0.0
        """Seconds spent waiting for bots so far: the clock by which bots are charged."""

    def endpoint(self, transport: str) -> str:
        """Return the address to which a bot connects. `transport`: `ipc` or `tcp`."""
        return self._endpoints[transport]

    def attend(self, process: RunningBot) -> None:
        """Let `wait_until` return when this process has something to report."""
        self._reports.register(process.report_fd, selectors.EVENT_READ)

    def forget(self, process: RunningBot) -> None:
        """Ignore this process from now on: it is about to end."""
        with contextlib.suppress(KeyError, ValueError):
            self._reports.unregister(process.report_fd)

    def wait_until(self, due: float) -> Ready:
        """Wait for something to handle until `waited` reaches `due` (infinite: no limit)."""
        began = time.perf_counter()
        if self._in_a_row < _IN_A_ROW and due - self.waited > _AT_ONCE / 2:
            self._in_a_row += 1
            try:
                self._address = self._socket.recv()
            except zmq.Again:
                pass
            else:
                self.waited += time.perf_counter() - began
                return _MESSAGE
        self._in_a_row = 0
        left = due - self.waited - (time.perf_counter() - began)
        ready = zmq.zmq_poll(self._polled, -1 if left == math.inf else max(0, math.ceil(left * 1000)))
        self.waited += time.perf_counter() - began
        sources = [source for source, _ in ready]
        return Ready(*(source in sources for source, _ in self._polled))

    def receive(self, known: Container[bytes]) -> ReceivedMessage | None:
        """Take the next message, if there is one."""
        socket = self._socket
        since = time.perf_counter()
        address, self._address = self._address, None
        if address is None:
            try:
                address = socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return None
        source = socket.recv(copy=False)
        frame: bytes | None = source.bytes
        frames = 1
        while source.more:
            source = socket.recv(copy=False)
            frame = None
            frames += 1
        return ReceivedMessage(address, frame, frames, None if address in known else RouterOrigin(source), since)

    def accepted(self) -> Iterator[Peer]:
        """Generate the peer of each connection accepted since the last call, except those closed by now."""
        return self._connections.accepted()

    def pass_over(self, received: ReceivedMessage) -> bool:
        """Charge the time spent on an unknown sender's message to nobody, up to a limit.

        Returns:
            Whether it was; beyond the limit the time counts as waited.
        """
        spent = time.perf_counter() - received.since
        self._unknown_seconds -= spent
        if self._unknown_seconds >= 0:
            return True
        self.waited += spent
        return False

    def forget_unknown_senders(self) -> None:
        """Reset the limit of `pass_over`, as a decision is asked for."""
        self._unknown_seconds = _UNKNOWN_SECONDS

    def send(self, address: bytes, frame: bytes) -> bool:
        """Send a message, and return whether it was accepted.

        It is not if no bot is connected under the routing id, or if the bot does not read.
        """
        try:
            self._send(address, _NOBLOCK_MORE)
            self._send(frame, zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        return True

    def close(self) -> None:
        """Stop listening and remove all files."""
        self._reports.close()
        self._connections.close()
        self._socket.close(0)
        self._context.term()
        shutil.rmtree(self.folder, ignore_errors=True)


def remove_folders() -> None:
    """Remove the folders of this process, which is about to end at once, including one that is being made."""
    for _ in range(_TRIES):  # something may be put there meanwhile
        found = list(_parent().glob(f"arena-{os.getpid()}-*"))
        if not found:
            return
        for folder in found:
            shutil.rmtree(folder, ignore_errors=True)


def _descriptor(selector: selectors.BaseSelector) -> int:
    """Return the single descriptor on which epoll and kqueue can be waited for."""
    descriptor: int = selector.fileno()  # type: ignore[attr-defined]
    return descriptor


def _private_folder() -> Path:
    """Make a folder that only this user can read, with a path short enough for a socket in it."""
    parent = _parent()
    _sweep(parent)
    return Path(tempfile.mkdtemp(prefix=f"arena-{os.getpid()}-", dir=parent))


def _parent() -> Path:
    parent = Path(tempfile.gettempdir())
    return parent if len(str(parent).encode()) <= _LONGEST_PATH else Path("/tmp")


def _sweep(parent: Path) -> None:
    """Remove the folders of workers that were killed together with the run that would have removed them."""
    for folder in parent.glob("arena-*-*"):
        owner = folder.name.split("-")[1]
        with contextlib.suppress(OSError):
            if owner.isdigit() and folder.stat().st_uid == os.getuid() and not psutil.pid_exists(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)

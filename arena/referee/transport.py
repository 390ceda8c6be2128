"""The socket of a referee: where bots connect, what came from whom, and waiting for more."""

from __future__ import annotations

import contextlib
import math
import os
import selectors
import shutil
import tempfile
import time
from collections.abc import Container
from pathlib import Path
from typing import Final, NamedTuple

import psutil
import zmq

from arena.entrants import BotProcess
from arena.entrants.shortage import need_descriptors
from arena.protocol.codec import MAX_FRAME
from arena.referee.connections import Connections

_RECEIVE_QUEUE: Final = 4
"""Messages that wait here of one connection; more wait at the sender's."""
_NOBLOCK_MORE: Final = zmq.NOBLOCK | zmq.SNDMORE
_TO_LISTEN: Final = 24
"""Descriptors that a context with a socket takes, and some more."""
_AT_ONCE: Final = 0.001
"""Seconds that a wait spends in `recv` first: most answers come by then, and that is quicker than a poll."""
_IN_A_ROW: Final = 64
"""So many messages may come that way before reports are looked for again."""
_STRANGERS: Final = 1.0
"""Seconds between two decisions that messages of strangers may take of nobody's time. A bound must be, or a decision
could be held up by them for ever; who can reach it is no bot, for a bot is ended at the first."""
_TRIES: Final = 20
_LONGEST_PATH: Final = 70
"""Of the folder for temporary files: a socket's path must stay under 107 bytes."""


class ReceivedMessage(NamedTuple):
    """One message: the routing id it came from and its one frame (None: there were several)."""

    address: bytes
    frame: bytes | None
    frames: int
    """How many there were."""
    source: zmq.Frame | None
    """Of a routing id that was not known: the frame as libzmq gave it, from which the peer can be found."""
    since: float
    """When its taking began."""


class Ready(NamedTuple):
    """What there is to deal with."""

    message: bool
    report: bool
    """Of a bot's process: its number, or its end."""
    connection: bool
    """One that was accepted."""


_MESSAGE: Final = Ready(True, False, False)


class RouterTransport:
    """A ROUTER on an ipc path, and on a loopback port if some bot needs one."""

    def __init__(self, tcp: bool) -> None:
        """Bind and listen. Raises `OSError` if the system has not what that takes."""
        need_descriptors(_TO_LISTEN)  # without them libzmq would end this process
        self.tcp = tcp
        self.folder = _private_folder()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.ROUTER)
        self._socket.setsockopt(zmq.LINGER, 0)
        self._socket.setsockopt(zmq.RCVHWM, _RECEIVE_QUEUE)
        self._socket.setsockopt(zmq.RCVTIMEO, round(_AT_ONCE * 1000))
        self._socket.setsockopt(zmq.MAXMSGSIZE, MAX_FRAME)
        self._socket.setsockopt(zmq.ROUTER_MANDATORY, 1)
        # A second connection must never take over a routing id: it would be sent that bot's view.
        self._socket.setsockopt(zmq.ROUTER_HANDOVER, 0)
        self.connections = Connections(self._context, self._socket)
        self._endpoints = {"ipc": f"ipc://{self.folder}/r"}
        self._socket.bind(self._endpoints["ipc"])
        # `Socket.send` without what it does for draft sockets.
        self._send = super(zmq.Socket, self._socket).send
        if tcp:
            port = self._socket.bind_to_random_port("tcp://127.0.0.1")
            self._endpoints["tcp"] = f"tcp://127.0.0.1:{port}"
        self._reports = selectors.DefaultSelector()
        # All reports of bots behind one descriptor: a poll of three is quicker than a poll of many.
        reports = _descriptor(self._reports)
        self._polled = [(source, zmq.POLLIN) for source in (self._socket, reports, self.connections.events)]
        self._address: bytes | None = None
        """The first part of a message of which the rest is still to be taken."""
        self._in_a_row = 0
        self._strangers = _STRANGERS
        """Seconds left for messages of strangers."""
        self.waited = 0.0
        """Seconds spent waiting for bots so far: the clock by which bots are charged."""

    def endpoint(self, transport: str) -> str:
        """Where a bot connects to."""
        return self._endpoints[transport]

    def attend(self, process: BotProcess) -> None:
        """Let `wait` end when the process has something to report."""
        self._reports.register(process.report_fd, selectors.EVENT_READ)

    def forget(self, process: BotProcess) -> None:
        """The process is about to end."""
        with contextlib.suppress(KeyError, ValueError):
            self._reports.unregister(process.report_fd)

    def wait_until(self, due: float) -> Ready:
        """Wait for something to deal with until `waited` says `due` (infinite: for ever), and return what there is."""
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
        """The next message, if there is one."""
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
        return ReceivedMessage(address, frame, frames, None if address in known else source, since)

    def pass_over(self, received: ReceivedMessage) -> bool:
        """A stranger's message has been dealt with. That is nobody's time, up to a limit: False when that is reached,
        and it passes for waiting."""
        spent = time.perf_counter() - received.since
        self._strangers -= spent
        if self._strangers >= 0:
            return True
        self.waited += spent
        return False

    def forget_strangers(self) -> None:
        """A decision is asked for: strangers may take some time again."""
        self._strangers = _STRANGERS

    def send(self, address: bytes, frame: bytes) -> bool:
        """Send a message. False: nobody is connected under that routing id, or it does not read."""
        try:
            self._send(address, _NOBLOCK_MORE)
            self._send(frame, zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        return True

    def close(self) -> None:
        """Stop listening and leave no file behind."""
        self._reports.close()
        self.connections.close()
        self._socket.close(0)
        self._context.term()
        shutil.rmtree(self.folder, ignore_errors=True)


def remove_folders() -> None:
    """Remove what this process would leave, which is about to end at once, also of a wire that is just being made."""
    for _ in range(_TRIES):  # something may be put there meanwhile
        found = list(_parent().glob(f"arena-{os.getpid()}-*"))
        if not found:
            return
        for folder in found:
            shutil.rmtree(folder, ignore_errors=True)


def _descriptor(selector: selectors.BaseSelector) -> int:
    """The one descriptor that epoll and kqueue wait behind."""
    descriptor: int = selector.fileno()  # type: ignore[attr-defined]
    return descriptor


def _private_folder() -> Path:
    """A folder of which only this user knows the content, with a path short enough for a socket in it."""
    parent = _parent()
    _sweep(parent)
    return Path(tempfile.mkdtemp(prefix=f"arena-{os.getpid()}-", dir=parent))


def _parent() -> Path:
    parent = Path(tempfile.gettempdir())
    return parent if len(str(parent).encode()) <= _LONGEST_PATH else Path("/tmp")


def _sweep(parent: Path) -> None:
    """Remove what workers left that were killed together with whoever would have tidied up after them."""
    for folder in parent.glob("arena-*-*"):
        owner = folder.name.split("-")[1]
        with contextlib.suppress(OSError):
            if owner.isdigit() and folder.stat().st_uid == os.getuid() and not psutil.pid_exists(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)

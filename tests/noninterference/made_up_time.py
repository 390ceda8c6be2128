"""A referee's time that is made up: nothing is waited for, and bots on real sockets act between two looks at these.

The referee, its transport and its sockets are the real ones. Where the transport would wait, the script's next event
happens and the time moves to it, so that a run takes no longer than its computing and is the same each time.
"""

from __future__ import annotations

import heapq
import math
import os
import socket
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from selectors import BaseSelector, SelectorKey
from typing import Any

import msgspec
import psutil

from arena.entrants import ProcessExit
from arena.protocol.codec import DECIDE_LIMIT
from arena.referee import zmtp
from arena.referee.connection import BotConnection
from arena.referee.time.timer import AT_ONCE, Exactness, Timer
from arena.referee.zmtp import ZmtpReceiver


class MadeUpTimer(Timer):
    """Time that stands still but where the referee waits."""

    def __init__(self) -> None:
        self.time = 0.0
        self.bots: list[SocketBot] = []
        self._events: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()

    def now(self) -> float:
        return self.time

    def after(self, seconds: float, happen: Callable[[], object]) -> None:
        """Let something happen so many seconds from now."""
        heapq.heappush(self._events, (self.time + seconds, next(self._numbers), happen))

    def select(
        self, selector: BaseSelector, seconds: float | None, exactness: Exactness = Exactness.COARSE
    ) -> list[tuple[SelectorKey, int]]:
        limit = math.inf if seconds is None else self.time + seconds
        return self._until(limit, lambda: selector.select(0)) or []

    def wait(self, connection: BotConnection) -> bool:  # type: ignore[override]
        return bool(self._until(self.time + AT_ONCE, lambda: connection.wait(0, None)))

    def close(self) -> None:
        """There is nothing to close."""

    def _until(self, limit: float, look: Callable[[], Any]) -> Any:
        """Move on until there is something to see, or to the limit."""
        while True:
            while self._events and self._events[0][0] <= self.time:
                heapq.heappop(self._events)[2]()
            for bot in self.bots:
                bot.read()
            found = look()
            if found or self.time >= limit:
                return found
            moment = min(limit, self._events[0][0] if self._events else math.inf)
            assert moment < math.inf, "the referee waits for ever"
            self.time = moment


class SocketBot:
    """A bot in this process: its source, its processes as far as the referee sees them, and its sockets.

    Everything that it can notice is kept: the bytes that its sockets receive, and when it is stopped and resumed.
    """

    transport = "ipc"
    is_output_cut = False

    def __init__(self, timer: MadeUpTimer, take: Callable[[SocketBot, dict[str, Any]], object], parallel: int) -> None:
        """Connect when it is started. `take` is called with every message."""
        self.noticed: list[tuple[float, int, bytes | str]] = []
        """When, over which connection, and what."""
        self.timer = timer
        self.report_fd, self._report = os.pipe()
        self.supervisor_pid = os.getppid()  # above the process that connects, which is this one
        self._exit: ProcessExit | None = None
        self._is_ended = False
        self._take = take
        self._hello = {"type": "hello", "protocol": [1, 0], "name": "scripted", "parallel": parallel}
        self._connections = 0
        self._endpoint, self._token = "", b""
        self._socket: socket.socket | None = None
        self._receiver = ZmtpReceiver(DECIDE_LIMIT, 1)
        timer.bots.append(self)

    # As a source

    def start(self, name: str, endpoint: str, token: str, folder: Path, cores: Sequence[int] | None) -> SocketBot:
        self._endpoint, self._token = endpoint.removeprefix("ipc://"), token.encode()
        self.connect()
        return self

    def hello_seconds(self, usual: float) -> float:
        return usual

    def leave(self, name: str, endpoint: str, token: str) -> float:
        raise AssertionError("it has processes")

    def explain(self, ended: object, stderr: str, has_connected: bool) -> str:
        return ""

    # Its program

    def connect(self) -> None:
        """Say hello over a new connection, in place of the one before."""
        self.read()
        if self._is_ended:
            return
        if self._socket is not None:
            self._socket.close()
        self._connections += 1
        self._receiver = ZmtpReceiver(DECIDE_LIMIT, 1)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(self._endpoint)
        self._socket.setblocking(False)
        identity = self._token + b"/%d" % self._connections
        self._socket.sendall(zmtp.GREETING + zmtp.ready(b"DEALER", identity))
        self.send(msgspec.msgpack.encode(self._hello))

    def send(self, frame: bytes) -> None:
        """Send a frame."""
        if self._socket is not None:
            self._socket.sendall(zmtp.message(frame))

    def read(self) -> None:
        """Take what has come."""
        while self._socket is not None:
            try:
                data = self._socket.recv(1 << 16)
            except BlockingIOError:
                return
            except ConnectionError:
                data = b""
            if not data:
                self._socket.close()
                self._socket = None
                return
            self._notice(self._connections, data)
            self._receiver.feed(data)
            while (event := self._receiver.next()) is not None:
                if isinstance(event, bytes):
                    self._take(self, msgspec.msgpack.decode(event))

    def _notice(self, connection: int, what: bytes | str) -> None:
        moment = round(self.timer.time, 9)
        if isinstance(what, bytes) and self.noticed and self.noticed[-1][:2] == (moment, connection):
            what = self.noticed.pop()[2] + what  # type: ignore[operator]
        self.noticed.append((moment, connection, what))

    def crash(self) -> None:
        """Let the process end."""
        self._exit = ProcessExit(1, None, "exit code 1")
        os.write(self._report, b"x")

    # As processes

    def poll(self) -> ProcessExit | None:
        return self._exit

    def wait(self, seconds: float) -> ProcessExit | None:
        return ProcessExit(0, None, "exit code 0")

    def stop(self) -> None:
        self._notice(0, "stop")

    def resume(self) -> None:
        self._notice(0, "resume")

    def group(self) -> None:
        pass

    def begin_game(self) -> None:
        pass

    def end(self, grace: float = 0.0) -> None:
        self._is_ended = True

    def processes(self) -> list[psutil.Process]:
        return []

    def stderr_tail(self, lines: int = 10) -> str:
        return ""

    def stdout_tail(self, lines: int = 10) -> str:
        return ""

    def close(self) -> None:
        """Close everything."""
        if self._socket is not None:
            self._socket.close()
        os.close(self.report_fd)
        os.close(self._report)

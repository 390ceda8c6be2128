"""The transport over sockets of our own that speak ZMTP, and waiting for what bots send, connect and report.

A turn of the loop does a bounded amount of work, whatever bots send: each connection is read once, at each endpoint a
few connections are accepted, and an endpoint at which one was refused rests for a moment. Time counts as waited only
while nothing is being done, so what somebody else makes the referee do is on no bot's clock.
"""

from __future__ import annotations

import contextlib
import math
import selectors
import shutil
import time
from collections import deque
from collections.abc import Iterator
from typing import Final

from arena.common.private_folders import private_folder
from arena.entrants.shortage import need_descriptors
from arena.referee.connection import BotConnection
from arena.referee.endpoint import Endpoint, ShortageError, SpareDescriptor
from arena.referee.source import RunningBot
from arena.referee.time.timer import AT_ONCE, Exactness, Timer
from arena.referee.transport import Address, NewConnection, Ready, ReceivedMessage

_TO_LISTEN: Final = 14
"""Descriptors that a referee needs for itself and its first endpoints."""
_IN_A_ROW: Final = 64
"""The most messages handled in this way before everything else is looked at."""
_ACCEPTS: Final = 8
"""The most connections accepted in a turn at each endpoint."""
_CLOSED: Final = 256
"""The most connections besides that are found closed already, which costs little."""
_REST_SECONDS: Final = 0.01
"""How long an endpoint rests after a connection was refused, so that refusing takes a small part of the time."""
_GREETING_SECONDS: Final = 10.0
"""From accepting a connection to the end of its handshake."""

_MESSAGE: Final = Ready(True, False, False)


class ZmtpTransport:
    """Sockets on ipc paths, and on loopback ports for bots that need one."""

    def __init__(self, timer: Timer | None = None) -> None:
        """Prepare to listen. Raises `OSError` if the system lacks the resources. `timer`: by default the real one."""
        need_descriptors(_TO_LISTEN)
        self._timer = timer or Timer()
        self._spare = SpareDescriptor()
        self.folder = private_folder()
        self._selector = selectors.DefaultSelector()
        """Its data are an endpoint, a connection, or None for a report about a process."""
        self._endpoints: dict[str, Endpoint] = {}
        self._opened = 0
        self._routes: dict[Address, BotConnection] = {}
        """By routing id, the newest connection that has it."""
        self._greeting: dict[BotConnection, float] = {}
        """Connections whose handshake is not done, with its time limit; the earliest come first."""
        self._resting: dict[Endpoint, float] = {}
        """Endpoints that accept nothing before a moment; the earliest come first."""
        self._called: dict[Endpoint, None] = {}
        """Endpoints at which somebody connects."""
        self._deserted: dict[str, None] = {}
        """Endpoints whose last connection has closed."""
        self._pending: deque[tuple[BotConnection, ReceivedMessage]] = deque()
        """The next message of each connection that has one; the connection is not read on before it is received."""
        self._asked: BotConnection | None = None
        """The connection over which a question was last sent, and nothing received since."""
        self._in_a_row = 0
        self.waited = 0.0
        """A clock that runs only while the referee waits for something, in seconds: by it bots are charged."""
        self.now = self._timer.now
        """Return the seconds on a clock that never stands still: by it pauses are measured."""

    # Endpoints

    def listen(self, transport: str) -> str:
        """Open a new endpoint, and return its address. Raises `OSError`. `transport`: `ipc` or `tcp`."""
        self._opened += 1
        endpoint = Endpoint(None if transport == "tcp" else self.folder / str(self._opened))
        self._endpoints[endpoint.address] = endpoint
        self._selector.register(endpoint.socket, selectors.EVENT_READ, endpoint)
        return endpoint.address

    def close_endpoint(self, endpoint: str) -> None:
        """Close an endpoint and all its connections; what came over them and was not received is dropped."""
        closing = self._endpoints.pop(endpoint, None)
        if closing is None:
            return
        for connection in list(closing.admitted):
            self._close(connection)
        self._pending = deque(each for each in self._pending if each[0].endpoint != endpoint)
        self._called.pop(closing, None)
        if self._resting.pop(closing, None) is None:
            self._selector.unregister(closing.socket)
        closing.close()

    # Processes

    def attend(self, process: RunningBot) -> None:
        """Let `wait_until` return when this process has something to report."""
        self._selector.register(process.report_fd, selectors.EVENT_READ)

    def forget(self, process: RunningBot) -> None:
        """Ignore this process from now on: it is about to end."""
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(process.report_fd)

    # Waiting

    def wait_until(self, due: float, exactness: Exactness = Exactness.COARSE) -> Ready:
        """Wait for something to handle until `waited` reaches `due` (infinite: no limit)."""
        now = self.now
        if self._in_a_row < _IN_A_ROW:
            self._in_a_row += 1
            if self._pending:
                return _MESSAGE
            asked = self._asked
            if asked is not None and asked.is_quick and asked.is_open and due - self.waited > AT_ONCE / 2:
                began = now()
                asked.is_quick = self._timer.wait(asked)
                self.waited += now() - began
                if asked.is_quick:
                    self._read(asked)
                    if self._pending:
                        return _MESSAGE
        self._in_a_row = 0
        while True:
            report = self._look(self._seconds_until(due), exactness)
            if self._pending or self._called or self._deserted or report or self.waited >= due:
                return Ready(bool(self._pending), report, bool(self._called), bool(self._deserted))

    def _seconds_until(self, due: float) -> float | None:
        """Return how long to wait at most. None: forever."""
        if self._pending or self._deserted:
            return 0.0
        seconds = due - self.waited
        for times in (self._greeting, self._resting):
            if times:
                seconds = min(seconds, next(iter(times.values())) - time.monotonic())
        return None if seconds == math.inf else max(0.0, seconds)

    def _look(self, seconds: float | None, exactness: Exactness = Exactness.COARSE) -> bool:
        """Wait, read what can be read, send what can be sent, and return whether a process has something to report."""
        began = self.now()
        found = self._timer.select(self._selector, seconds, exactness)
        self.waited += self.now() - began
        report = False
        for key, mask in found:
            each = key.data
            if each is None:
                report = True
            elif isinstance(each, Endpoint):
                self._called[each] = None
            else:
                if mask & selectors.EVENT_WRITE and each.is_open:
                    each.flush()
                    self._settle(each)
                if mask & selectors.EVENT_READ and each.is_open and not self._is_pending(each):
                    self._read(each)
        if self._greeting or self._resting:
            self._keep_times()
        return report

    def _keep_times(self) -> None:
        """Close the connections whose handshake takes too long, and let endpoints that have rested accept again."""
        now = time.monotonic()
        for connection in [each for each, limit in self._greeting.items() if limit <= now]:
            self._close(connection)
        for endpoint in [each for each, limit in self._resting.items() if limit <= now]:
            del self._resting[endpoint]
            self._selector.register(endpoint.socket, selectors.EVENT_READ, endpoint)

    # Connections

    def deserted(self) -> list[str]:
        """List the endpoints whose last connection has closed since this was last asked, and that have none now."""
        deserted, self._deserted = self._deserted, {}
        return [each for each in deserted if each in self._endpoints and not self._endpoints[each].admitted]

    def accepted(self) -> Iterator[BotConnection]:
        """Generate some of the connections that are waiting to be admitted or refused."""
        called, self._called = self._called, {}
        for endpoint in called:
            accepts, closed = _ACCEPTS, _CLOSED
            while accepts and closed:
                if self._endpoints.get(endpoint.address) is not endpoint or endpoint in self._resting:
                    break
                connection = self._accept(endpoint)
                if connection is None:
                    break
                if connection.peer is None:  # nobody knows whose it was
                    connection.close()
                    closed -= 1
                    continue
                if connection.has_hung_up():
                    closed -= 1
                else:
                    accepts -= 1
                yield connection
            if endpoint.has_refused and self._endpoints.get(endpoint.address) is endpoint:
                endpoint.has_refused = False
                self._rest(endpoint)

    def _accept(self, endpoint: Endpoint) -> BotConnection | None:
        try:
            return endpoint.accept()
        except ShortageError:
            self._rest(endpoint)
            return self._spare.accept(endpoint)

    def admit(self, connection: NewConnection) -> int:
        """Read what comes over a connection, and return how many its endpoint has now."""
        assert isinstance(connection, BotConnection)
        endpoint = self._endpoints[connection.endpoint]
        if connection.is_open:
            endpoint.admitted.add(connection)
            self._greeting[connection] = time.monotonic() + _GREETING_SECONDS
            self._selector.register(connection.socket, selectors.EVENT_READ, connection)
            connection.greet()
            self._settle(connection)
        return len(endpoint.admitted)

    def refuse(self, connection: NewConnection) -> None:
        """Close a connection without reading anything."""
        assert isinstance(connection, BotConnection)
        # One that is closed already costs little: the endpoint need not rest, which would make others wait.
        has_refused = not connection.has_hung_up()
        connection.close()
        endpoint = self._endpoints.get(connection.endpoint)
        if endpoint is not None and has_refused:
            endpoint.has_refused = True

    def _rest(self, endpoint: Endpoint) -> None:
        if endpoint not in self._resting:
            self._resting[endpoint] = time.monotonic() + _REST_SECONDS
            self._selector.unregister(endpoint.socket)

    def _read(self, connection: BotConnection) -> None:
        received = connection.read()
        if received is not None:
            self._pending.append((connection, received))
            connection.is_quick = self.waited - connection.asked_at < AT_ONCE
            if connection is self._asked:
                self._asked = None
        if connection.has_changed:
            self._settle(connection)

    def _is_pending(self, connection: BotConnection) -> bool:
        return any(each is connection for each, _ in self._pending)

    def _settle(self, connection: BotConnection) -> None:
        """Do what follows from a change of a connection."""
        connection.has_changed = False
        if not connection.is_open:
            self._close(connection)
            return
        if connection in self._greeting and connection.address.routing_id is not None:
            del self._greeting[connection]
            self._routes[connection.address] = connection
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if connection.unsent else 0)
        if self._selector.get_key(connection.socket).events != events:
            self._selector.modify(connection.socket, events, connection)

    def _close(self, connection: BotConnection) -> None:
        self._greeting.pop(connection, None)
        endpoint = self._endpoints.get(connection.endpoint)
        if endpoint is not None:
            endpoint.admitted.discard(connection)
            if not endpoint.admitted and connection.address.routing_id is not None:
                self._deserted[endpoint.address] = None
        if self._routes.get(connection.address) is connection:
            del self._routes[connection.address]
            for other in () if endpoint is None else endpoint.admitted:
                if other.address == connection.address:  # an earlier one with the same routing id takes its place
                    self._routes[other.address] = other
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(connection.socket)
        connection.close()

    # Messages

    def receive(self) -> ReceivedMessage | None:
        """Take the next message, if there is one."""
        if not self._pending:
            self._look(0.0)
            if not self._pending:
                return None
        connection, received = self._pending.popleft()
        if connection.has_more:
            following = connection.next_message()
            if following is not None:
                self._pending.append((connection, following))
            if connection.has_changed:
                self._settle(connection)
        return received

    def send(self, address: Address, frame: bytes, is_question: bool = False) -> bool:
        """Send a message, and return whether it was accepted.

        It is not if no bot is connected under the routing id, or if the bot does not read. `is_question`: whether an
        answer is waited for from now on: on nothing else does the referee wait alone, as that would be on the clock of
        the bot that is asked.
        """
        connection = self._routes.get(address)
        if connection is None:
            return False
        if is_question:
            self._asked = connection
            connection.asked_at = self.waited
        accepted = connection.send(frame)
        if connection.has_changed:
            self._settle(connection)
        return accepted

    def close(self) -> None:
        """Stop listening and remove all files."""
        for endpoint in list(self._endpoints):
            self.close_endpoint(endpoint)
        self._selector.close()
        self._spare.close()
        self._timer.close()
        shutil.rmtree(self.folder, ignore_errors=True)

"""Run the local server: take a port on loopback, answer in a thread, and shut down.

The number of connections is bounded, and the time each may take: uvicorn waits without limit for a request, and for a
client that does not read its answer. Here a connection is closed whatever its client does: after `HEAD` seconds without
a whole request, `ANSWER` seconds after that, or when its stream has had its time. If there are too many, those make
room that have been silent longest, then those whose answers take long. A connection carries one request.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from contextlib import AbstractContextManager
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Protocol, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.web import WebError, events
from arena.web.guard import HEADERS

HOST: Final = "127.0.0.1"
_BACKLOG: Final = 128
"""Of connections that were not accepted yet: a browser whose connection finds no room tries again after a second."""
_GREETING: Final = 2 * _BACKLOG
"""The most connections whose handshake is not done. asyncio accepts `_BACKLOG` at a time before it handles one."""
_SHUTDOWN: Final = 1
"""Seconds that shutting down waits for answers and streams under way."""
_END: Final = 2.0
"""The most seconds that shutting down may take. The process then ends anyway."""
CONNECTIONS: Final = 64
HEAD: Final = 10.0
"""Seconds from the start of a connection until its whole request must have arrived."""
ANSWER: Final = 30.0
"""Seconds from then until the last byte of the answer must have been sent."""
LONG: Final = 5.0
"""Seconds from then after which an answer that was begun, unless it is a stream, makes room if there is none."""


class Closing(Protocol):
    """What ends when the server does."""

    def close(self) -> None:
        """Say that nothing more will come."""


class Certificate(NamedTuple):
    """The files of a server that speaks TLS, in PEM."""

    file: Path
    key: Path


class Server(AbstractContextManager["Server"]):
    """Serves an application, on loopback unless another address is given. Use as a context manager around `start`."""

    def __init__(
        self,
        app: ASGIApp,
        feed: Closing,
        port: int = 0,
        host: str = HOST,
        certificate: Certificate | None = None,
        connections: int = CONNECTIONS,
    ) -> None:
        """Take the port, or any free one for 0.

        Args:
            app: What is served.
            feed: Is closed at the end.
            port: The port.
            host: The address of this machine to listen on.
            certificate: With one, the server speaks TLS.
            connections: The most at a time.

        Raises:
            OSError: The port is taken, or this is no address of this machine.
        """
        self.feed = feed
        self._host = host
        self._is_secure = certificate is not None
        self._socket = _Listener(socket.AF_INET6 if ":" in host else socket.AF_INET)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
            self._socket.listen(_BACKLOG)
        except BaseException:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self._uvicorn = uvicorn.Server(_config(app, certificate, connections, self._socket))
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._ended = threading.Event()
        self._error: BaseException | None = None

    @property
    def address(self) -> str:
        """Return the address of the first page."""
        name = f"[{self._host}]" if ":" in self._host else self._host
        return f"http{'s' if self._is_secure else ''}://{name}:{self.port}/"

    def start(self) -> None:
        """Answer requests in a thread until the context ends. Raises `WebError` if no thread can be started."""
        try:
            self._thread.start()
        except RuntimeError as error:  # no more threads
            raise WebError(f"the server cannot be started: {error}. Raise the limit of processes (ulimit -u)") from None

    def wait(self, seconds: float) -> None:
        """Wait up to `seconds` while the server runs. Raises `WebError` or `OSError` if it has ended by itself."""
        if not self._ended.wait(seconds):
            return
        if isinstance(self._error, OSError):
            raise self._error
        raise WebError(f"the server has ended: {self._error!r}. Type the same command again")

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Stop answering, and end all streams of news."""
        self.feed.close()
        if self._thread.ident is None:
            self._socket.close()
            return
        self._uvicorn.should_exit = True
        self._thread.join(_END)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # raised by `wait`, in the main thread
            self._error = error
        finally:
            self._socket.close()
            self._ended.set()

    async def _serve(self) -> None:
        await self._uvicorn.serve(sockets=[self._socket])  # hears no signals in a thread
        for connection in list(self._uvicorn.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # until they have heard it


class _Listener(socket.socket):
    """Accepts connections, and bounds those whose handshake is not done: until then no `Connection` knows of them."""

    def __init__(self, family: socket.AddressFamily) -> None:
        super().__init__(family)
        self._greeting: dict[int, socket.socket] = {}
        """By descriptor; the first has taken longest."""

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection. If there are too many, the one whose handshake has taken longest ends."""
        found, address = super().accept()
        self.greeted(found.fileno())  # another one had this descriptor
        self._greeting[found.fileno()] = found
        if len(self._greeting) > _GREETING:
            self._greeting = {number: each for number, each in self._greeting.items() if each.fileno() >= 0}
        if len(self._greeting) > _GREETING:
            with contextlib.suppress(OSError):  # its client has closed it
                self._greeting.pop(next(iter(self._greeting))).shutdown(socket.SHUT_RDWR)
        return found, address

    def greeted(self, descriptor: int) -> None:
        """Leave a connection to its protocol from now on."""
        self._greeting.pop(descriptor, None)


class Connection(H11Protocol):
    """A connection that carries one request."""

    most = CONNECTIONS
    listener: _Listener
    _deadline: asyncio.TimerHandle | None = None
    _since = 0.0
    """When it was made, or since when it is answered."""
    _is_stream = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection if there is room."""
        super().connection_made(cast("asyncio.Transport", transport))
        self.listener.greeted(transport.get_extra_info("socket").fileno())
        self._since = self.loop.time()
        self._end_within(HEAD)
        if len(self.connections) > self.most:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read a part of the request."""
        waited = self._is_waiting
        super().data_received(data)
        if waited and not self._is_waiting:  # its task runs after this
            self._since = self.loop.time()
            self._end_within(ANSWER)
            cast("dict[str, Any]", self.scope)["extensions"] = {events.EXTENSION: self._last_long}

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no valid request."""
        if self._is_waiting:
            self._refuse(HTTPStatus.BAD_REQUEST, msg)
        else:
            self.transport.abort()  # in the middle of an answer

    @property
    def _is_waiting(self) -> bool:
        """Return whether the whole request has not arrived yet."""
        return cast("object", self.cycle) is None

    @property
    def _is_read_slowly(self) -> bool:
        """Return whether its client makes it last: not an upload, a stream, or an answer that is being computed."""
        return not self._is_waiting and bool(self.cycle.response_started) and not self._is_stream

    def _end_within(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _last_long(self) -> None:
        self._is_stream = True
        self._end_within(events.SECONDS + ANSWER)

    def _make_room(self) -> None:
        """Close the connection that has been waited for longest, or whose answer takes too long, or else this one."""
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        # A browser asks as soon as it is connected: a silent one has least to lose.
        waiting = [each for each in others if each._is_waiting]
        unread = [each for each in others if each._since < self._since - LONG and each._is_read_slowly]
        oldest = min(waiting or unread, key=lambda each: each._since, default=self)
        self.connections.discard(oldest)
        if oldest is self:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are asked for at once", {"Retry-After": "1"})
        else:
            oldest.transport.abort()

    def _refuse(self, status: HTTPStatus, why: str, more: dict[str, str] | None = None) -> None:
        head = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": len(why), "Connection": "close"}
        lines = [f"HTTP/1.1 {status.value} {status.phrase}"]
        lines += [f"{name}: {value}" for name, value in {**head, **HEADERS, **(more or {})}.items()]
        self.transport.write("\r\n".join([*lines, "", why]).encode("ascii"))
        self.transport.close()


def _config(app: ASGIApp, certificate: Certificate | None, connections: int, listener: _Listener) -> uvicorn.Config:
    for logger in map(logging.getLogger, ("asyncio", "uvicorn")):
        if not logger.handlers:
            # The terminal belongs to the command. Without a handler, Python prints warnings there.
            logger.addHandler(logging.NullHandler())
    return uvicorn.Config(
        app,
        http=type("Connection", (Connection,), {"most": connections, "listener": listener}),
        ws="none",
        lifespan="off",
        interface="asgi3",
        workers=1,  # None: as an environment variable says
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        headers=[("Connection", "close")],
        timeout_graceful_shutdown=_SHUTDOWN,
        ssl_certfile=None if certificate is None else certificate.file,
        ssl_keyfile=None if certificate is None else certificate.key,
    )

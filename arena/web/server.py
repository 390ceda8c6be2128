"""The life of the local server: it takes a port of loopback, answers in a thread of its own, and ends."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from types import TracebackType
from typing import Final, Self

import uvicorn
from starlette.types import ASGIApp

from arena.web import WebError
from arena.web.connection import Connection
from arena.web.feed import Feed

HOST: Final = "127.0.0.1"
_BACKLOG: Final = 16
_FAREWELL: Final = 1
"""Seconds that the end waits for answers and streams that are under way."""
_END: Final = 2.0
"""Seconds that the end takes at most; the process ends all the same."""


class Server:
    """Serves an application on loopback. Use as a context manager around `start`."""

    def __init__(self, app: ASGIApp, feed: Feed, port: int = 0) -> None:
        """Take the port (0: any that is free); `feed` is closed at the end. Raises `OSError`."""
        self.feed = feed
        self._socket = socket.socket()
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((HOST, port))
            self._socket.listen(_BACKLOG)
        except BaseException:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self._uvicorn = uvicorn.Server(_config(app))
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._ended = threading.Event()
        self._error: BaseException | None = None

    @property
    def address(self) -> str:
        """Where its first page is."""
        return f"http://{HOST}:{self.port}/"

    @property
    def connections(self) -> int:
        """How many there are."""
        return len(self._uvicorn.server_state.connections)

    def start(self) -> None:
        """Answer, in a thread of its own, until the context ends. Raises `WebError`."""
        try:
            self._thread.start()
        except RuntimeError as error:  # no more threads
            raise WebError(f"the server cannot be started: {error}. Raise the limit of processes (ulimit -u)") from None

    def wait(self, seconds: float) -> None:
        """Wait while the server runs. Raises `WebError` or `OSError`, if it has ended by itself."""
        if not self._ended.wait(seconds):
            return
        if isinstance(self._error, OSError):
            raise self._error
        raise WebError(f"the server has ended: {self._error!r}. Type the same command again")

    def __enter__(self) -> Self:
        """Nothing is answered before `start`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop answering; whoever waits for news is told that there are none."""
        self.feed.close()
        if self._thread.ident is None:
            self._socket.close()
            return
        self._uvicorn.should_exit = True
        self._thread.join(_END)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # told by `wait`, in the main thread
            self._error = error
        finally:
            self._socket.close()
            self._ended.set()

    async def _serve(self) -> None:
        await self._uvicorn.serve(sockets=[self._socket])  # hears no signals in a thread
        for connection in list(self._uvicorn.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # until they have heard it


def _config(app: ASGIApp) -> uvicorn.Config:
    for logger in map(logging.getLogger, ("asyncio", "uvicorn")):
        if not logger.handlers:
            # The terminal belongs to the command. Without a handler, Python prints warnings there.
            logger.addHandler(logging.NullHandler())
    return uvicorn.Config(
        app,
        http=Connection,
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
        timeout_graceful_shutdown=_FAREWELL,
    )

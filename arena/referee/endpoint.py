"""The endpoint to which one start of one bot connects: a listening socket, and the connections that were made to it."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from pathlib import Path
from typing import Final

from arena.referee.connection import BotConnection
from arena.referee.peer import peer_at

_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class ShortageError(Exception):
    """The system lacks what a connection takes."""


class Endpoint:
    """A listening socket, on an ipc path or on a loopback port."""

    def __init__(self, path: Path | None) -> None:
        """Listen. Raises `OSError`. `path`: that of an ipc socket; None: tcp."""
        self._path = path
        self.admitted: set[BotConnection] = set()
        """Connections that were admitted and are open."""
        self.has_refused = False
        """Whether one was refused since it last rested."""
        self.socket = socket.socket(socket.AF_INET if path is None else socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.socket.bind(("127.0.0.1", 0) if path is None else str(path))
            self.socket.listen(socket.SOMAXCONN)  # a short queue could be kept full, and a bot be kept out
            self.socket.setblocking(False)
        except OSError:
            self.close()
            raise
        self.address = f"ipc://{path}" if path is not None else f"tcp://127.0.0.1:{self.socket.getsockname()[1]}"
        """As ZeroMQ libraries write it."""

    def accept(self) -> BotConnection | None:
        """Accept a connection, of which nothing is read yet. None: there is none now. Raises `ShortageError`."""
        try:
            accepted, _ = self.socket.accept()
        except OSError as error:
            if error.errno in _SHORTAGES:
                raise ShortageError from None
            return None  # none is there, or it is closed already
        if self._path is None:
            with contextlib.suppress(OSError):
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return BotConnection(accepted, self.address, peer_at(accepted))

    def close(self) -> None:
        """Close the socket and all connections."""
        for connection in self.admitted:
            connection.close()
        self.socket.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


class SpareDescriptor:
    """A descriptor kept back, so that a connection can be accepted and closed when no other descriptor is left.

    Without it the connection would stay in the queue, and the referee would wake up for it again and again.
    """

    def __init__(self) -> None:
        """Take the endpoint. Raises `OSError`."""
        self._descriptor: int | None = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)

    def accept(self, endpoint: Endpoint) -> BotConnection | None:
        """Accept a connection and close it: what is returned only says who made it. None: not even that is possible."""
        self.close()
        connection = None
        with contextlib.suppress(ShortageError):
            connection = endpoint.accept()
        if connection is not None:
            connection.close()
        with contextlib.suppress(OSError):
            self._descriptor = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
        return connection

    def close(self) -> None:
        """Give the endpoint back."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

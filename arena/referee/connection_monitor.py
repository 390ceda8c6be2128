"""Report the connections that a referee's socket accepts, with the processes that made them, so that they are counted.

Which bot a frame belongs to is decided in `arena.referee.senders`.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from typing import Any, Final

import zmq

from arena.referee.peer import Peer, peer_at

_ADDRESS: Final = "inproc://connections"
_EVENT: Final = "=HI"
"""The first part of a ZeroMQ event: its kind and, for an accepted connection, its descriptor."""


class ConnectionMonitor:
    """Reads the ZeroMQ events that report the connections accepted by a bound socket."""

    def __init__(self, context: zmq.Context[Any], bound: zmq.Socket[Any]) -> None:
        """Watch a socket from now on."""
        bound.monitor(_ADDRESS, zmq.EVENT_ACCEPTED)
        self.events: zmq.Socket[Any] = context.socket(zmq.PAIR)
        """Readable when a connection has been accepted."""
        self.events.setsockopt(zmq.LINGER, 0)
        self.events.setsockopt(
            zmq.RCVHWM, 0
        )  # at a limit ZeroMQ would wait for us to read, and hold up the bots' messages
        self.events.connect(_ADDRESS)
        self._bound = bound
        self._last: dict[int, int] = {}
        """By descriptor: the inode of the connection last found there."""

    def accepted(self) -> Iterator[Peer]:
        """Generate the peer of each connection accepted since the last call, except those closed by now."""
        while True:
            try:
                event = self.events.recv_multipart(zmq.NOBLOCK)[0]
            except zmq.Again:
                return
            peer = self._peer(struct.unpack(_EVENT, event)[1])
            if peer is not None:
                yield peer

    def close(self) -> None:
        """Stop watching."""
        self._bound.disable_monitor()
        self.events.close(0)

    def _peer(self, descriptor: int) -> Peer | None:
        """Find the peer of a connection. None: it is closed.

        The descriptor of a closed connection may belong to another one by now, which is counted only once, for itself.
        """
        try:
            with socket.socket(fileno=os.dup(descriptor)) as connection:
                inode = os.fstat(connection.fileno()).st_ino
                if self._last.get(descriptor) == inode:
                    return None
                self._last[descriptor] = inode
                return peer_at(connection)
        except OSError:
            return None

"""The process at the other end of a connection, which distinguishes a bot from a process that knows its token."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import psutil
import zmq

from arena.entrants import ancestors
from arena.referee.source import RunningBot

_LOCAL_PEERPID: Final = 2
_SOL_LOCAL: Final = 0
_CREDENTIALS: Final = 4
"""Fields of the address that libzmq records for an ipc connection if it can: a name, user, group and process."""


class Peer(NamedTuple):
    """The sender of a frame: a process (ipc), or a port of this machine (tcp)."""

    pid: int | None
    port: int | None


def peer_of(frame: zmq.Frame) -> Peer | None:
    """Find the sender of a frame. None: the connection is closed, and libzmq recorded no address."""
    fields = _noted_address(frame).split(":")
    if len(fields) == _CREDENTIALS and fields[-1].isdigit():
        return Peer(int(fields[-1]), None)
    with _connection(frame) as connection:
        return None if connection is None else peer_at(connection)


def peer_at(connection: socket.socket) -> Peer | None:
    """Find the peer of a connection. None: it is closed."""
    try:
        if connection.family == socket.AF_UNIX:
            return Peer(_peer_pid(connection), None)
        return Peer(None, connection.getpeername()[1])
    except OSError:
        return None


def owner_of(peer: Peer, processes: Iterable[RunningBot]) -> RunningBot | None:
    """Find the bot to which a process belongs. None: to none of these, or it has ended without a trace."""
    if peer.pid is None:
        return next((process for process in processes if peer.port in ports_of(process)), None)
    above = ancestors(peer.pid)
    return next((process for process in processes if process.supervisor_pid in above), None)


def ports_of(process: RunningBot) -> set[int]:
    """List the ports of this machine from which the bot's processes have connections."""
    found: set[int] = set()
    for each in process.processes():
        with contextlib.suppress(psutil.Error):
            found |= {made.laddr.port for made in each.net_connections("tcp") if made.laddr}
    return found


def shut_down(frame: zmq.Frame) -> None:
    """Close the connection that a frame came by, unless it is closed and another one has its descriptor by now."""
    peer = peer_of(frame)
    with _connection(frame) as connection:
        if connection is not None and peer_at(connection) == peer:
            connection.shutdown(socket.SHUT_RDWR)


def _noted_address(frame: zmq.Frame) -> str:
    try:
        return str(frame.get("Peer-Address"))
    except zmq.ZMQError:
        return ""


@contextlib.contextmanager
def _connection(frame: zmq.Frame) -> Iterator[socket.socket | None]:
    try:
        connection = socket.socket(fileno=os.dup(int(frame.get(zmq.SRCFD))))
    except (OSError, zmq.ZMQError, ValueError):
        yield None
        return
    with connection, contextlib.suppress(OSError):
        yield connection


def _peer_pid(connection: socket.socket) -> int:
    if sys.platform == "darwin":
        return int(struct.unpack("i", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4))[0])
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])

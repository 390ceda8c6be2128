"""Which process is at the other end of a connection: how a bot is told from somebody who knows its token."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys

import psutil
import zmq

from arena.entrants import BotProcess

_LOCAL_PEERPID = 2
_SOL_LOCAL = 0


def is_from(frame: zmq.Frame, process: BotProcess) -> bool:
    """Whether a frame came over a connection that the bot's own processes made."""
    try:
        descriptor = os.dup(int(frame.get(zmq.SRCFD)))
    except (OSError, zmq.ZMQError, ValueError):
        return False  # the connection is closed already
    with socket.socket(fileno=descriptor) as connection:
        try:
            if connection.family == socket.AF_UNIX:
                return process.owns(_peer_pid(connection))
            return _owns_port(process, connection.getpeername()[1])
        except OSError:
            return False


def _peer_pid(connection: socket.socket) -> int:
    if sys.platform == "darwin":
        return int(struct.unpack("i", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4))[0])
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])


def _owns_port(process: BotProcess, port: int) -> bool:
    """Whether one of the bot's processes has a connection from that port of this machine."""
    for each in process.processes():
        with contextlib.suppress(psutil.Error):
            if any(made.laddr.port == port for made in each.net_connections("tcp") if made.laddr):
                return True
    return False

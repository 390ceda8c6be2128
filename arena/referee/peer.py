"""The process at the other end of a connection: it tells a bot from others that know where the bot connects."""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
from collections.abc import Iterable
from typing import Final, NamedTuple

import psutil

from arena.entrants import ancestors
from arena.referee.source import RunningBot

_LOCAL_PEERPID: Final = 2
_SOL_LOCAL: Final = 0


Address = tuple[str, int]
"""An IPv4 address and a port."""


class Peer(NamedTuple):
    """Who made a connection: a process (ipc), or the two ends of a connection within this machine (tcp)."""

    pid: int | None
    ends: tuple[Address, Address] | None
    """The peer's end and ours. One port alone may belong to several sockets, with other addresses or other peers."""


def peer_at(connection: socket.socket) -> Peer | None:
    """Find the peer of a connection. None: it is closed."""
    try:
        if connection.family == socket.AF_UNIX:
            return Peer(_peer_pid(connection), None)
        return Peer(None, (connection.getpeername(), connection.getsockname()))
    except OSError:
        return None


def owner_of(peer: Peer, processes: Iterable[RunningBot]) -> RunningBot | None:
    """Find the bot to which a process belongs. None: to none of these, or it has ended without a trace."""
    if peer.pid is None:
        return next((process for process in processes if peer.ends in _connections_of(process)), None)
    above = ancestors(peer.pid)
    return next((process for process in processes if process.supervisor_pid in above), None)


def _connections_of(process: RunningBot) -> set[tuple[Address, Address]]:
    """List the connections that the bot's processes have, each as their end and the other one."""
    found: set[tuple[Address, Address]] = set()
    for each in process.processes():
        with contextlib.suppress(psutil.Error, OSError):  # it has ended, or there is no descriptor left
            made = [one for one in each.net_connections("tcp") if one.laddr and one.raddr]
            found |= {(_ipv4(one.laddr.ip, one.laddr.port), _ipv4(one.raddr.ip, one.raddr.port)) for one in made}
    return found


def _ipv4(ip: str, port: int) -> Address:
    """Return an address as IPv4, also where a program used an IPv6 socket for it, as the JVM does."""
    return ip.removeprefix("::ffff:"), port


def _peer_pid(connection: socket.socket) -> int:
    if sys.platform == "darwin":
        return int(struct.unpack("i", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4))[0])
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return int(struct.unpack("3i", credentials)[0])

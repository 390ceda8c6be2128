"""Which addresses of schedulers and workers are used: encrypted ones, and others on this machine alone.

Anybody who reaches a scheduler can run commands on all of its workers. Dask asks for no password: its certificates
keep others out, so beyond this machine there is no doing without them.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address

from arena.tournament.workforce import WorkforceError


def checked(address: str) -> str:
    """Return a scheduler's address as Dask takes it. Raises `WorkforceError` for one that is not to be used."""
    scheme, _, rest = address.rpartition("://")
    scheme = scheme or "tcp"
    machine, _, port = rest.rpartition(":")
    if scheme not in ("tcp", "tls") or not machine or not port.isdecimal():
        raise WorkforceError(
            f"{address} is no address of a scheduler: it must be like tls://scheduler:8786, or on this machine "
            "tcp://127.0.0.1:8786"
        )
    if scheme == "tcp" and not is_loopback(machine):
        raise WorkforceError(
            f"{address} is beyond this machine and not encrypted: anybody who reaches or overhears it can run commands "
            f"on all workers. Use tls://{machine}:{port} with certificates: `arena docs cluster` says how"
        )
    return f"{scheme}://{machine}:{port}"


def is_refused(worker: str) -> bool:
    """Return whether a worker's address is beyond this machine and not encrypted."""
    scheme, _, rest = worker.rpartition("://")
    return scheme != "tls" and not is_loopback(rest.rpartition(":")[0])


def is_loopback(name: str) -> bool:
    """Return whether a name or address is this machine's, by all addresses that the name has."""
    try:
        found = socket.getaddrinfo(name.strip("[]"), None, proto=socket.IPPROTO_TCP)
    except OSError:
        return False
    return bool(found) and all(ip_address(str(each[4][0]).partition("%")[0]).is_loopback for each in found)

"""Turn a command into what the supervisor starts at a level of isolation: `box`, `landlock` or `none`.

For a box that is a command of bubblewrap, which `arena.isolation.bubblewrap.boxed` makes. The supervisor
(`arena.supervisor.start`) starts it, and before that loads the module that hands over the filter of system calls
(`arena.isolation.box_start`), or for `landlock` the one by which the new process limits itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.isolation import box_start, landlock, relay, seccomp
from arena.isolation.bubblewrap import HOME, SOCKET, TEMPORARY, BoxContents, boxed, found
from arena.isolation.readable import package_folders, program_paths, system_paths
from arena.isolation.settings import Isolation, IsolationError

_IPC: Final = "ipc://"
_TCP: Final = "tcp://"
_PORT: Final = 5555
"""Of the relay. The box has all ports for itself."""
DEVICES: Final = ("/dev/null", "/dev/full")
"""That a bot may write to. Shared maps of `/dev/zero` would keep memory that no process shows to have."""
RESERVE_TASKS: Final = 256
"""Threads that a bot may have besides its processes."""
LOCAL_FAMILIES: Final = (1,)
"""Sockets within this machine: `AF_UNIX`."""
_TCP_FAMILIES: Final = (*LOCAL_FAMILIES, 2)


class Confined(NamedTuple):
    """What is started instead of a command."""

    command: list[str]
    environment: dict[str, str]
    confinement: dict[str, Any] | None
    """For the supervisor."""


def confine_bot(
    isolation: Isolation,
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    scratch: Path,
    processes: int,
    disk_mb: int,
    is_tcp: bool = False,
) -> Confined:
    """Confine a bot.

    Args:
        isolation: How.
        command: What starts it.
        folder: Its folder, where it runs.
        environment: Its variables; `ARENA_ENDPOINT` says where the referee listens.
        scratch: The folder of this start, with `home` and `tmp` in it.
        processes: How many it may have.
        disk_mb: How much it may write, in MiB. Only a box limits that.
        is_tcp: Whether it connects over TCP, so that a box needs a relay.
    """
    words, variables = list(command), dict(environment)
    if isolation.level == "none":
        return Confined(words, variables, None)
    endpoint = variables["ARENA_ENDPOINT"]
    if isolation.level == "landlock":
        return Confined(words, variables, _by_landlock(isolation, words, folder, variables, scratch))
    variables |= {"HOME": HOME, "TMPDIR": TEMPORARY, "ARENA_ENDPOINT": f"{_IPC}{SOCKET}"}
    readable = isolation.readable
    if is_tcp:
        readable = (*readable, *program_paths(words, folder))
        words = [sys.executable, "-I", "-S", relay.__file__, SOCKET, str(_PORT), *words]
        variables["ARENA_ENDPOINT"] = f"{_TCP}127.0.0.1:{_PORT}"
    box = BoxContents(folder, readable, socket=endpoint.removeprefix(_IPC), disk_mb=disk_mb)
    code, tasks = seccomp.program(machine()), processes + RESERVE_TASKS
    helpers = helper_processes(isolation, is_tcp)
    return Confined(boxed(bubblewrap(), words, box, variables), variables, _for_box(command[0], code, tasks, helpers))


def helper_processes(isolation: Isolation, is_tcp: bool) -> int:
    """Return how many processes keep one bot apart: bubblewrap's, and the relay of one that uses TCP."""
    return box_start.HELPERS + is_tcp if isolation.level == "box" else 0


def bubblewrap() -> str:
    """Return the path of bubblewrap. Raises `IsolationError`."""
    if (program := found()) is None:
        raise IsolationError("bubblewrap is not installed any more: apt install bubblewrap")
    return program


def _for_box(program: str, code: bytes, tasks: int, helpers: int) -> dict[str, Any]:
    return {
        "module": box_start.__file__,
        "program": program,
        "filter": code.hex(),
        "tasks": tasks,
        "helpers": helpers,
        "is_box": True,
    }


def _by_landlock(
    isolation: Isolation, command: Sequence[str], folder: Path, environment: Mapping[str, str], scratch: Path
) -> dict[str, Any]:
    endpoint = environment["ARENA_ENDPOINT"]
    read = [*system_paths(), *program_paths(command, folder)]
    read += [*isolation.readable, str(folder), "/proc", "/dev/random", "/dev/urandom"]
    port = int(endpoint.rpartition(":")[2]) if endpoint.startswith(_TCP) else None
    families = LOCAL_FAMILIES if port is None else _TCP_FAMILIES
    return {
        "module": landlock.__file__,
        "filter": seccomp.program(machine(), families, beside_landlock=True).hex(),
        "read": read,
        "list": package_folders(command),
        "write": [str(scratch / "home"), str(scratch / "tmp"), *DEVICES],
        "port": port,
        "network": False,
    }


def machine() -> str:
    """Return the processor."""
    return os.uname().machine

"""Find out whether the kernel can hold a bot's limits exactly, by control groups (cgroup v2), and ask for that.

Two ways need no rights: a group that was delegated to this user, below which each start gets a group of its own; and
a scope of the user's systemd for each start, in which the supervisor runs with the bot. The first is taken if both
work, because it costs no message to another process.
"""

from __future__ import annotations

import functools
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.isolation.confine import RESERVE_TASKS
from arena.isolation.settings import ControlGroups
from arena.supervisor.control_group import ControlGroup, own_group, write

SWITCH: Final = "ARENA_EXACT_LIMITS"
"""The environment variable by which nobody looks for control groups: `off`."""
ROOT: Final = "/sys/fs/cgroup"
_MAIN: Final = "arena-main"
"""The group for our own processes: one with limits for the groups below it may hold no process itself."""
_NEEDED: Final = ("memory", "pids")
_OF_BUS: Final = ("XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS")
"""Variables by which `systemd-run` finds the user's systemd."""
_SECONDS: Final = 20.0
_OF_SUPERVISOR_MB: Final = 32
_SPARE_SHARED_MB: Final = 64
_MIB: Final = 1 << 20


class GroupsProbed(NamedTuple):
    """What was found."""

    groups: ControlGroups | None
    why: str


class GroupOrders(NamedTuple):
    """What a start needs for its group."""

    prefix: list[str]
    """Words before the supervisor's command."""
    environment: dict[str, str]
    """Further variables of the supervisor. The bot does not get them."""
    group: dict[str, Any] | None
    """For the supervisor."""


NO_GROUP: Final = GroupOrders([], {}, None)


def orders_for(
    groups: ControlGroups | None, memory_mb: int, processes: int, disk_mb: int, helpers: int = 0
) -> GroupOrders:
    """Return what one start needs so that the kernel holds its limits.

    Args:
        groups: How. None: not at all.
        memory_mb: Of all processes together.
        processes: How many there may be. Threads count here, so that more are allowed.
        disk_mb: What the bot may write to folders in memory, which counts as memory; 0 without a box.
        helpers: How many processes keep the bot apart.
    """
    if groups is None:
        return NO_GROUP
    memory = memory_mb + (disk_mb + _SPARE_SHARED_MB if disk_mb else 0)
    tasks = processes + RESERVE_TASKS + helpers
    if groups.way == "systemd":
        limits = {"MemoryMax": f"{memory + _OF_SUPERVISOR_MB}M", "MemorySwapMax": "0", "TasksMax": str(tasks + 1)}
        return GroupOrders(_scope(groups.place, limits), _bus(), {"path": None, "root": ROOT})
    path = f"{groups.place}/arena-bot-{secrets.token_hex(6)}"
    return GroupOrders([], {}, {"path": path, "limits": _limits(memory, tasks)})


def _limits(memory_mb: int, tasks: int) -> dict[str, str]:
    """Return what is written to the files of a group."""
    memory = str(memory_mb * _MIB)
    return {"memory.max": memory, "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": str(tasks)}


def _scope(program: str, limits: Mapping[str, str]) -> list[str]:
    words = [f"--property={name}={value}" for name, value in limits.items()]
    return [program, "--user", "--scope", "--quiet", "--collect", *words, "--property=CPUAccounting=yes", "--"]


def _bus() -> dict[str, str]:
    return {name: os.environ[name] for name in _OF_BUS if name in os.environ}


@functools.cache
def probe_groups() -> GroupsProbed:
    """Try both ways, once in the life of this process."""
    if os.environ.get(SWITCH, "") == "off":
        return GroupsProbed(None, f"{SWITCH} is off")
    if sys.platform != "linux":
        return GroupsProbed(None, "only Linux has control groups")
    tried = []
    for attempt in (delegated, by_systemd):
        found = attempt()
        if found.groups is not None:
            return found
        tried.append(found.why)
    return GroupsProbed(None, "; ".join(tried))


def delegated(root: str = ROOT, of_process: str = "/proc/self/cgroup") -> GroupsProbed:
    """Try to make a group with limits below our own, or beside it if we moved there before.

    Args:
        root: Where groups are mounted.
        of_process: The file that names our group.
    """
    own = own_group(root, of_process)
    if own is None or not Path(own, "cgroup.controllers").exists():
        return GroupsProbed(None, "there are no control groups of version 2")
    parent = own.removesuffix(f"/{_MAIN}")
    shown = parent.removeprefix(root) or "/"
    if not os.access(f"{parent}/cgroup.subtree_control", os.W_OK) or not os.access(parent, os.W_OK):
        return GroupsProbed(None, f"the control group {shown} is not delegated to this user")
    try:
        if missing := [name for name in _NEEDED if name not in _words(f"{parent}/cgroup.controllers")]:
            return GroupsProbed(None, f"the control group {shown} was not given {' and '.join(missing)}")
        if not set(_NEEDED) <= set(_words(f"{parent}/cgroup.subtree_control")):
            if others := [pid for pid in _words(f"{parent}/cgroup.procs") if int(pid) != os.getpid()]:
                return GroupsProbed(None, f"the control group {shown} holds {len(others)} other processes")
            _move_down(parent)
        _try_group(f"{parent}/arena-probe-{secrets.token_hex(6)}")
    except (OSError, subprocess.SubprocessError) as error:
        why = error.strerror if isinstance(error, OSError) else "no process can enter a group in it"
        return GroupsProbed(None, f"the control group {shown} cannot be divided: {why}")
    return GroupsProbed(
        ControlGroups("cgroup", parent), f"in the control group {shown}, which is delegated to this user"
    )


def _try_group(path: str) -> None:
    """Run a program in a group with limits. Raises `OSError` or `subprocess.SubprocessError`."""
    group = ControlGroup(path, _limits(64, 64))
    try:
        subprocess.run(["/bin/sh", "-c", "exit 0"], preexec_fn=group.enter, timeout=_SECONDS, check=True)
    finally:
        group.remove()


def _move_down(parent: str) -> None:
    """Put this process into a group of its own, so that others beside it can have limits. Raises `OSError`."""
    if not Path(parent, _MAIN).exists():
        os.mkdir(f"{parent}/{_MAIN}", 0o700)  # noqa: PTH102 - as the supervisor makes groups
    write(f"{parent}/{_MAIN}", "cgroup.procs", "0")
    try:
        write(parent, "cgroup.subtree_control", " ".join(f"+{name}" for name in _NEEDED))
    except OSError:
        write(parent, "cgroup.procs", "0")
        raise


def _words(path: str) -> list[str]:
    return Path(path).read_text("ascii").split()


def by_systemd() -> GroupsProbed:
    """Try to run a program in a scope of the user's systemd."""
    program = shutil.which("systemd-run")
    if program is None:
        return GroupsProbed(None, "systemd-run is not installed")
    command = [*_scope(program, {"MemoryMax": "64M", "MemorySwapMax": "0", "TasksMax": "64"}), "/bin/true"]
    environment = {"PATH": os.defpath, **_bus()}
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False, env=environment)
    except (OSError, subprocess.SubprocessError):
        return GroupsProbed(None, "systemd-run does not answer")
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return GroupsProbed(None, f"systemd-run --user fails: {said[-1] if said else f'exit code {done.returncode}'}")
    return GroupsProbed(ControlGroups("systemd", program), "by systemd-run --user --scope")

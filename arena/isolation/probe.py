"""Find out which levels of isolation work on this machine, by trying them, and choose one."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from arena.common.private_folders import private_folder
from arena.common.removal import remove
from arena.isolation import box_start, landlock, seccomp
from arena.isolation.bubblewrap import BoxContents, found
from arena.isolation.confine import in_box, running
from arena.isolation.control_groups import probe_groups
from arena.isolation.readable import check_no_home
from arena.isolation.settings import (
    LEVELS,
    Asked,
    Isolation,
    IsolationError,
    IsolationPlan,
    Level,
    RemoteBots,
    check_network,
    expanded,
)

REQUIRED: Final = "ARENA_REQUIRE_ISOLATION"
"""The environment variable that names a level. Less safe ones are refused then, on the command line and in plans."""
_SECONDS: Final = 20.0
_TRUE: Final = ("/bin/true", "/usr/bin/true")
_SWITCHES: Final = {
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "1"),
    "/proc/sys/user/max_user_namespaces": ("0", "15000"),
}
"""Settings of the kernel that forbid namespaces: the value that does, and one that does not."""


class Probed(NamedTuple):
    """Whether a level works."""

    level: Level
    works: bool
    why: str
    """Why it does not, or what it can do, in one line."""
    remedy: str = ""
    """How to get it."""


def choose(
    plan: IsolationPlan, build_network: bool = False, network: Sequence[str] = (), remote: RemoteBots | None = None
) -> Isolation:
    """Return how bots are confined from now on.

    Args:
        plan: What is asked for.
        build_network: Whether builds reach the network.
        network: Which bots do, and what they get of our environment: see `Isolation`.
        remote: Which bots run elsewhere.

    Raises:
        IsolationError: That cannot be had.
    """
    level = _chosen(plan.level)
    required = os.environ.get(REQUIRED, "")
    if required and required not in LEVELS:
        raise IsolationError(f"{REQUIRED} is {required!r}: it must be one of {', '.join(LEVELS)}")
    if required and LEVELS.index(level) > LEVELS.index(required):
        failed = probe(required)
        why = f": {failed.why}. {failed.remedy}" if not failed.works else ""
        raise IsolationError(f"{REQUIRED} demands the isolation {required}, and here it would be {level}{why}")
    readable = tuple(str(expanded(each).absolute()) for each in plan.readable)
    check_no_home(readable)
    check_network(network, os.environ)
    return Isolation(level, readable, build_network, tuple(network), probe_groups().groups, remote)


def _chosen(asked: Asked) -> Level:
    if asked == "auto":
        return next(level for level in LEVELS if probe(level).works)
    found_out = probe(asked)
    if not found_out.works:
        raise IsolationError(
            f"no isolation by {asked} on this machine: {found_out.why}. {found_out.remedy}. `arena doctor` shows what "
            "there is, and --isolation auto takes the best of it"
        )
    return asked


@functools.cache
def probe(level: Level) -> Probed:
    """Try a level, once in the life of this process."""
    if level == "none":
        return Probed("none", True, "bots can do whatever you can")
    if sys.platform != "linux":
        return Probed(level, False, "only Linux has it", "Run strangers' bots in a virtual machine")
    if not seccomp.is_known():
        known = "no filter of system calls is known for this processor"
        return Probed(level, False, f"{known} ({os.uname().machine})", "Use x86_64 or aarch64")
    return _probe_box() if level == "box" else _probe_landlock()


def _probe_box() -> Probed:
    if (program := found()) is None:
        return Probed("box", False, "bubblewrap is not installed", "Install it: apt install bubblewrap")
    try:
        folder = private_folder()
        try:
            said = try_box(folder)
        finally:
            remove(str(folder))
    except (OSError, subprocess.SubprocessError) as error:
        said = str(error)
    if not said:
        return Probed("box", True, f"{version_of(program)}, with namespaces of its own and a filter of system calls")
    return Probed("box", False, f"bubblewrap fails: {said}", remedy_for_namespaces())


def try_box(folder: Path) -> str:
    """Run a program that does nothing in a box, as bots are run. Return why that fails, or an empty text."""
    true = next(path for path in _TRUE if Path(path).exists())
    environment = {"PATH": os.environ.get("PATH", os.defpath)}
    with running(in_box([true], environment, BoxContents(folder), true, 0, box_start.HELPERS), folder) as process:
        _, stderr = process.communicate(timeout=_SECONDS)
    if process.returncode == 0:
        return ""
    return (stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {process.returncode}"])[-1]


def version_of(program: str) -> str:
    """Return the name and version that a program prints."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=_SECONDS, check=False)
    return done.stdout.strip() or program


def remedy_for_namespaces() -> str:
    """Return how to let bubblewrap make namespaces on this machine."""
    for file, (forbids, allows) in _SWITCHES.items():
        try:
            value = Path(file).read_text("ascii").strip()
        except OSError:
            continue
        if value == forbids:
            name = file.removeprefix("/proc/sys/").replace("/", ".")
            return f"The kernel forbids namespaces: as root, sysctl -w {name}={allows}"
    return (
        "In a container, allow namespaces and an own /proc: podman run --security-opt unmask=/proc/* "
        "--security-opt seccomp=unconfined, or docker run --privileged"
    )


def _probe_landlock() -> Probed:
    version = landlock.version()
    if version < landlock.FILES:
        how = "It needs Linux 5.13 or newer, with landlock in the kernel's parameter lsm="
        return Probed("landlock", False, "this kernel has no Landlock", how)
    if not _has_seccomp():
        return Probed("landlock", False, "this kernel has no filter of system calls", "It needs CONFIG_SECCOMP_FILTER")
    missing = [
        what
        for since, what in ((landlock.TCP, "TCP (Linux 6.7)"), (landlock.SCOPES, "signals and abstract sockets (6.12)"))
        if version < since
    ]
    without = f", without rules for {' and '.join(missing)}" if missing else ""
    return Probed("landlock", True, f"ABI {version}{without}, and a filter of system calls")


def _has_seccomp() -> bool:
    pr_get_seccomp = 21
    return bool(ctypes.CDLL(None).prctl(pr_get_seccomp, 0, 0, 0, 0) >= 0)

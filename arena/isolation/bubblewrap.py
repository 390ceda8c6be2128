"""Put a command into a box of bubblewrap: its own namespaces, and a file system that holds only what it needs.

In the box there are, to read: the system's folders, the program's own ones and the bot's; to write: `/tmp`, with the
home folder in it, and `/dev/shm`, both of a fixed size in memory and empty at each start; and one socket, the
referee's.
There are no other users' processes and no network but the box's own loopback.

A build writes into the bot's folder, too. Its home and temporary folders are on disk, because what toolchains download
and compile is too large for memory, and it may be let out to the network.
"""

from __future__ import annotations

import functools
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.isolation.box_start import OPEN
from arena.isolation.readable import is_below, program_paths, system_paths

PROGRAM: Final = "bwrap"
SOCKET: Final = "/run/arena"
"""The referee's socket, as a bot in a box sees it."""
HOME: Final = "/tmp/home"
TEMPORARY: Final = "/tmp"
_MIB: Final = 1 << 20
_COUNTERS: Final = (
    *("buddyinfo", "cgroups", "diskstats", "fs", "interrupts", "irq", "loadavg", "pagetypeinfo", "pressure"),
    *("schedstat", "slabinfo", "softirqs", "swaps", "sys/fs", "timer_list", "uptime", "vmallocinfo", "vmstat"),
    *("zoneinfo",),
)
"""What of `/proc` counts the work of the whole machine, besides `stat`: it would show whether a rival was asked."""
_SECRETS: Final = ("cmdline",)
"""What of `/proc` may hold passwords: how the machine was started."""
_NO_ZEROS: Final = ("--dev-bind", os.devnull, "/dev/zero")
"""Instead of a device whose shared maps keep memory that no process shows to have."""
_SPARE_SHARED: Final = 64
"""MiB of `/dev/shm`."""
_APART: Final = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", "box", "--die-with-parent", "--disable-userns"),
)
_OWN_NETWORK: Final = "--unshare-net"
_SETTINGS: Final = "/etc/"
"""Files in it are copied if they are small: bubblewrap does that sooner than it mounts them."""
_SMALL: Final = 1 << 18
"""Bytes."""
NAME_SERVERS: Final = "/etc/resolv.conf"


@dataclass(frozen=True)
class BuildFolders:
    """What a build may write to, besides the bot's folder."""

    home: Path
    """The folder that stands where its home is."""
    home_at: str
    """Where that is, in the box."""
    temporary: Path
    """The folder that is `/tmp` in the box."""


@dataclass(frozen=True)
class BoxContents:
    """What is in a box."""

    folder: Path
    """The bot's folder, which is at the same place in the box."""
    readable: Sequence[str] = ()
    """Further paths to read."""
    socket: str | None = None
    """The path of the referee's socket."""
    disk_mb: int = 64
    """The size of `/tmp` in MiB."""
    build: BuildFolders | None = None
    """What a build writes to."""
    network: bool = False
    """Whether the network is that of the machine."""


def found() -> str | None:
    """Return the absolute path of bubblewrap, which is started in the bot's folder. None: it is not installed."""
    place = shutil.which(PROGRAM, path=os.defpath) or shutil.which(PROGRAM)
    return None if place is None else str(Path(place).absolute())


def boxed(program: str, command: Sequence[str], box: BoxContents, environment: Mapping[str, str]) -> list[str]:
    """Return the command that runs `command` in a box.

    `ENVIRONMENT`, `SECCOMP`, `STATUS`, `BLOCK`, `STAT` and each `OPEN:` with a path stand for descriptors, which
    `arena.isolation.box_start` opens.

    Args:
        program: Bubblewrap's path.
        command: What is to run.
        box: What is in the box.
        environment: Its variables, of which `PATH` says where programs are looked for.
    """
    words = [program, "--args", "ENVIRONMENT", *_APART, *([] if box.network else [_OWN_NETWORK])]
    words += ["--seccomp", "SECCOMP", "--info-fd", "STATUS", "--block-fd", "BLOCK"]
    words += ["--proc", "/proc", *_without_counters(), "--dev", "/dev", *(_NO_ZEROS if box.build is None else ())]
    words += [*_sized("/dev/shm", _SPARE_SHARED), "--remount-ro", "/dev"]
    if box.build is None:
        words += [*_sized(TEMPORARY, box.disk_mb), "--dir", HOME]
    else:
        words += ["--bind", str(box.build.temporary), TEMPORARY, "--bind", str(box.build.home), box.build.home_at]
    others = program_paths(command, box.folder)
    words += _to_read([*system_paths(), *_topmost([*others, *box.readable])])
    if box.network:
        words += ["--ro-bind-try", NAME_SERVERS, NAME_SERVERS]
    words += ["--ro-bind" if box.build is None else "--bind", str(box.folder), str(box.folder)]
    if box.socket is not None:
        words += ["--ro-bind", box.socket, SOCKET]
    return [*words, "--remount-ro", "/", "--chdir", str(box.folder), "--", *command]


@functools.cache
def _without_counters() -> tuple[str, ...]:
    """Return the words that hide the counters: `stat` has zeros, since programs need its lines, the others nothing."""
    words = ["--ro-bind-data", "STAT", "/proc/stat"]
    for path in (Path("/proc", name) for name in (*_COUNTERS, *_SECRETS)):
        if not os.access(path, os.R_OK):  # not there, or for nobody in a box
            continue
        if path.is_dir():
            words += ["--tmpfs", str(path), "--remount-ro", str(path)]
        else:
            words += ["--dev-bind", os.devnull, str(path)]
    return tuple(words)


def _sized(path: str, size_mb: int) -> list[str]:
    return ["--perms", "0700", "--size", str(size_mb * _MIB), "--tmpfs", path]


def _to_read(paths: Iterable[str]) -> list[str]:
    """Return the words that show these paths; links of the system, as `/bin`, stay links, and settings are copied."""
    words: list[str] = []
    for path in paths:
        if Path(path).is_symlink() and len(Path(path).parts) == 2:
            words += ["--symlink", str(Path(path).readlink()), path]
        elif path.startswith(_SETTINGS) and Path(path).is_file() and Path(path).stat().st_size <= _SMALL:
            words += ["--perms", "0644", "--file", f"{OPEN}{path}", path]
        else:
            words += ["--ro-bind-try", path, path]
    return words


def _topmost(paths: Sequence[str]) -> list[str]:
    """Leave out what lies in another one of these paths. The others come in the order of their depth."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths), key=lambda each: (len(Path(each).parts), each)):
        if not is_below(path, kept):
            kept.append(path)
    return kept

"""A bot's control group (cgroup v2), in which the kernel itself holds its limits and counts what it uses.

The group is made for one start of the bot, below one that was delegated to this user, and removed after it; or it is
the scope of systemd in which this process runs with the bot. What the files of a group mean is said by the kernel's
`Documentation/admin-guide/cgroup-v2.rst`.
"""

from __future__ import annotations

import contextlib
import os
import time
from typing import Any

REMOVAL_SECONDS = 2.0
OPTIONAL = frozenset({"memory.swap.max", "memory.oom.group"})
"""Files that not every kernel has."""


class ControlGroup:
    """The control group of one start."""

    def __init__(self, path: str, limits: dict[str, str] | None) -> None:
        """Make the group, with the limits by the names of their files. None: it is there. Raises `OSError`."""
        self._path = path
        self._is_made = limits is not None
        if limits is not None:
            os.mkdir(path, 0o700)  # noqa: PTH102 - pathlib is slow to import
            try:
                for name, value in limits.items():
                    if name not in OPTIONAL or os.path.exists(f"{path}/{name}"):  # noqa: PTH110
                        write(path, name, value)
            except OSError:
                self.remove()
                raise
        self._events_before = self._events()

    def enter(self) -> None:
        """Move this process into the group. Raises `OSError`."""
        if self._is_made:
            write(self._path, "cgroup.procs", "0")

    def has_killed(self) -> bool:
        """Return whether the kernel killed a process of the group because the group was out of its memory.

        When the whole machine runs out of memory, they are killed too, but the group has not reached its limit.
        """
        return all(now > before for now, before in zip(self._events(), self._events_before, strict=True))

    def seconds(self) -> float | None:
        """Return the processor time of all processes that ever were in the group. Return None if it is not known."""
        microseconds = self._number("cpu.stat", "usage_usec")
        return None if microseconds is None else microseconds / 1e6

    def remove(self) -> None:
        """Kill what is in the group, and remove it if it was made here."""
        if self._is_made:
            remove_group(self._path)

    def _events(self) -> tuple[int, int]:
        """Return how often the group was out of its memory, and how many of its processes any lack of it has killed."""
        return self._number("memory.events", "oom") or 0, self._number("memory.events", "oom_kill") or 0

    def _number(self, name: str, key: str) -> int | None:
        with contextlib.suppress(OSError, ValueError), open(f"{self._path}/{name}") as file:  # noqa: PTH123
            for line in file:
                word, _, value = line.partition(" ")
                if word == key:
                    return int(value)
        return None


def write(path: str, name: str, value: str) -> None:
    """Write to a file of a group. It is never made: a folder without it is no group. Raises `OSError`."""
    descriptor = os.open(f"{path}/{name}", os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)


def remove_group(path: str) -> None:
    """Kill what is in a group and remove it. What cannot be removed is left."""
    limit = time.monotonic() + REMOVAL_SECONDS
    while os.path.lexists(path):
        with contextlib.suppress(OSError):
            write(path, "cgroup.kill", "1")
        try:
            os.rmdir(path)  # noqa: PTH106
        except OSError:
            if time.monotonic() > limit:
                return
            time.sleep(0.005)


def group_of(orders: dict[str, Any]) -> ControlGroup | None:
    """Return the group that the orders ask for. Return None if they ask for none. Raises `OSError`."""
    group = orders["group"]
    if group is None:
        return None
    if group["path"] is not None:
        return ControlGroup(group["path"], group["limits"])
    own = own_group(group["root"])
    return None if own is None else ControlGroup(own, None)


def own_group(root: str, file: str = "/proc/self/cgroup") -> str | None:
    """Return the path of the group of this process, `root` being where groups are mounted. None: it has none."""
    with contextlib.suppress(OSError), open(file) as lines:  # noqa: PTH123
        for line in lines:
            if line.startswith("0::"):
                return root + line[3:].rstrip("\n").rstrip("/")
    return None

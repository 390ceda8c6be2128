"""Start a bot in a box of bubblewrap: hand over the filter, and set the limit of processes inside.

The supervisor loads this file, which is why it uses the standard library only. The orders hold bubblewrap's command,
with `SECCOMP`, `STAT`, `STATUS` and `BLOCK` in place of file descriptors, the filter in hex, and the limit.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import subprocess
from typing import Any

_MOST_OF_STAT = 1 << 15
"""Bytes. It has a line for each core."""
HELPERS = 2
"""Processes of bubblewrap that are above the bot: one outside of the box and the first one in it."""


def need_program(name: str, folder: str, path: str) -> None:
    """Raise the `OSError` with which a program cannot be started: bubblewrap would not say so in a way of its own."""
    folders = [folder] if "/" in name else path.split(os.pathsep)
    places = [f"{each}/{name}" if not name.startswith("/") else name for each in folders]
    if not any(os.access(place, os.X_OK) for place in places):
        number = errno.EACCES if any(map(os.path.exists, places)) else errno.ENOENT
        raise OSError(number, os.strerror(number))


def counted_nothing() -> bytes:
    """Return what `/proc/stat` holds, with zeros: bots shall not see when others work."""
    lines: list[list[bytes]] = []
    with contextlib.suppress(OSError), open("/proc/stat", "rb") as file:  # noqa: PTH123
        lines = [line.split() for line in file]
    found = [(name, b" ".join([b"0"] * len(counts) if name.startswith(b"cpu") else [b"0"])) for name, *counts in lines]
    return b"".join(b"%s %s\n" % line for line in found)[:_MOST_OF_STAT]


class BoxStart:
    """The start of one box."""

    def __init__(self, orders: dict[str, Any]) -> None:
        """Open the pipes. Raises `OSError`."""
        box = orders["confinement"]
        if "folder" in orders:
            need_program(box["program"], orders["folder"], orders["env"].get("PATH", os.defpath))
        self.helpers: int = box["helpers"]
        self._tasks: int = box["tasks"]
        pipes = {}
        self._theirs: list[int] = []
        self._ours: list[int] = []
        for name in ("SECCOMP", "STAT", "STATUS", "BLOCK"):
            read, write = os.pipe()
            ours, theirs = (read, write) if name == "STATUS" else (write, read)
            self._ours.append(ours)
            self._theirs.append(theirs)
            pipes[name] = str(theirs)
        for data in (bytes.fromhex(box["filter"]), counted_nothing()):
            os.write(self._ours[0], data)  # a pipe holds far more
            os.close(self._ours.pop(0))
        self.pass_fds = tuple(self._theirs)
        own = orders["command"].index("--")  # what follows are the bot's words
        self.command = [pipes.get(word, word) for word in orders["command"][:own]] + orders["command"][own:]

    def in_child(self) -> None:
        """Do nothing: bubblewrap does everything."""

    def started(self, bot: subprocess.Popen[bytes]) -> None:
        """Let the bot begin, once the box is complete. Raises `OSError` if there is none."""
        for each in self._theirs:
            os.close(each)
        status, block = self._ours
        with open(status, "rb", buffering=0) as news:  # noqa: PTH123
            said = b""
            while b"}" not in said and (more := news.read(4096)):
                said += more
            with contextlib.suppress(ValueError, KeyError, ProcessLookupError):
                first = int(json.loads(said)["child-pid"])
                # Within the box, since outside of it all processes of this user would count.
                resource.prlimit(first, resource.RLIMIT_NPROC, (self._tasks, self._tasks))
        with contextlib.suppress(BrokenPipeError):
            os.write(block, b"1")
        os.close(block)
        if not said:
            raise OSError(errno.EAGAIN, "bubblewrap could make no box")


def prepare(orders: dict[str, Any]) -> BoxStart:
    """Prepare the start of a box. Raises `OSError`."""
    return BoxStart(orders)

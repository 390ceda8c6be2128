"""Start a bot in a box of bubblewrap: hand over the filter, and set the limit of processes inside.

The supervisor loads this file, which is why it uses the standard library only. The orders hold bubblewrap's command,
with `ENVIRONMENT`, `SECCOMP`, `STAT`, `STATUS`, `BLOCK` and `OPEN:` with paths in place of file descriptors, the filter
in hex, and the limit.

Bubblewrap itself runs outside of the box. So it is not started with the bot's variables, by which the loader would put
a library of the bot's into it (`LD_PRELOAD`), but is told to set them for the bot; and not by its arguments, which
other users can read, because they hold the token.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import subprocess
from typing import Any

_MOST_WORDS = 9000
"""Bubblewrap takes no more, with those that set variables."""
OPEN = "OPEN:"
"""What follows is the path of a file that bubblewrap copies into the box."""
HELPERS = 2
"""Processes of bubblewrap that are above the bot: one outside of the box and the first one in it."""


def need_program(name: str, folder: str, path: str) -> None:
    """Raise the `OSError` with which a program cannot be started: bubblewrap would not say so in a way of its own."""
    folders = [folder] if "/" in name else path.split(os.pathsep)
    places = [f"{each}/{name}" if not name.startswith("/") else name for each in folders]
    if not any(os.access(place, os.X_OK) for place in places):
        number = errno.EACCES if any(map(os.path.exists, places)) else errno.ENOENT
        raise OSError(number, os.strerror(number))


def zeroed_stat() -> bytes:
    """Return what `/proc/stat` holds, with zeros: bots shall not see when others work."""
    lines: list[list[bytes]] = []
    with contextlib.suppress(OSError), open("/proc/stat", "rb") as file:  # noqa: PTH123
        lines = [line.split() for line in file]
    found = [(name, b" ".join([b"0"] * len(counts) if name.startswith(b"cpu") else [b"0"])) for name, *counts in lines]
    return b"".join(b"%s %s\n" % line for line in found)


def set_variables(variables: dict[str, str]) -> bytes:
    """Return the words by which bubblewrap sets these variables and no others, each with a NUL behind it."""
    words = ["--clearenv"]
    for name, value in variables.items():
        if name and "=" not in name:  # as the environment of a user may hold, but no function of C sets
            words += ["--setenv", name, value]
    return b"".join(os.fsencode(word) + b"\0" for word in words)


def _in_memory(data: bytes) -> int:
    """Return a descriptor to read data from, which a pipe might not hold: it may have a single page."""
    descriptor = os.memfd_create("box")
    with open(descriptor, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


class BoxStart:
    """The start of one box."""

    def __init__(self, orders: dict[str, Any]) -> None:
        """Open what bubblewrap reads and writes. Raises `OSError`."""
        box = orders["confinement"]
        if "folder" in orders:
            need_program(box["program"], orders["folder"], orders["env"].get("PATH", os.defpath))
        if len(orders["command"]) + 3 * len(orders["env"]) + 1 > _MOST_WORDS:
            raise OSError(errno.E2BIG, os.strerror(errno.E2BIG))  # here, since it is the bot's fault
        self.environment: dict[str, str] = {}
        """That of bubblewrap."""
        self.helpers: int = box["helpers"]
        self._tasks: int = box["tasks"]
        status, their_status = os.pipe()
        their_block, block = os.pipe()
        self._ours = (status, block)
        theirs = {
            "ENVIRONMENT": _in_memory(set_variables(orders["env"])),
            "SECCOMP": _in_memory(bytes.fromhex(box["filter"])),
            "STAT": _in_memory(zeroed_stat()),
            "STATUS": their_status,
            "BLOCK": their_block,
        }
        own = orders["command"].index("--")  # what follows are the bot's words
        for word in orders["command"][:own]:
            if word.startswith(OPEN):
                theirs[word] = os.open(word.removeprefix(OPEN), os.O_RDONLY | os.O_CLOEXEC)
        self.pass_fds = tuple(theirs.values())
        self.command = [str(theirs.get(word, word)) for word in orders["command"][:own]] + orders["command"][own:]

    def in_child(self) -> None:
        """Do nothing: bubblewrap does everything."""

    def started(self, bot: subprocess.Popen[bytes]) -> None:
        """Let the bot begin, once the box is complete. Raises `OSError` if there is none."""
        for each in self.pass_fds:
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


prepare = BoxStart
"""What the supervisor calls with the orders."""

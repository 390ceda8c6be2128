"""Folders for files that end with a process, as a referee's sockets do. Those of a killed process are swept."""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import socket
import tempfile
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import psutil

_TRIES: Final = 20
_LONGEST_PATH: Final = 65
"""The longest path of the folder for temporary files: a socket's path must stay under 107 bytes."""


def private_folder() -> Path:
    """Make a folder that only this user can read, with a path short enough for a socket in it.

    It goes with this process at the latest: an interrupt may come before the caller has it.
    """
    sweep_folders()
    _remove_at_exit()
    return Path(tempfile.mkdtemp(prefix=f"{_prefix()}{os.getpid()}-", dir=_parent()))


def remove_folders() -> None:
    """Remove the folders of this process, which is about to end at once, including one that is being made."""
    for _ in range(_TRIES):  # something may be put there meanwhile
        found = list(_parent().glob(f"{_prefix()}{os.getpid()}-*"))
        if not found:
            return
        for folder in found:
            shutil.rmtree(folder, ignore_errors=True)


def sweep_folders() -> None:
    """Remove the folders of processes that were killed before they could do so themselves."""
    for folder in _parent().glob(f"{_prefix()}*-*"):
        owner = folder.name.split("-")[2]  # anybody may have made a folder with another name
        with contextlib.suppress(OSError, ValueError, OverflowError):
            if owner.isdecimal() and folder.stat().st_uid == os.getuid() and not psutil.pid_exists(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)


@cache
def _remove_at_exit() -> None:
    atexit.register(remove_folders)


@cache
def _prefix() -> str:
    """Return how the names of folders begin whose process ids mean the same here.

    Several machines, or containers, may share a folder for temporary files, and each counts its processes anew.
    """
    place = socket.gethostname()
    with contextlib.suppress(OSError):  # a system without namespaces
        place += f" {Path('/proc/self/ns/pid').stat().st_ino}"
    return f"arena-{blake2b(place.encode(), digest_size=3).hexdigest()}-"


def _parent() -> Path:
    parent = Path(tempfile.gettempdir())
    return parent if len(str(parent).encode()) <= _LONGEST_PATH else Path("/tmp")

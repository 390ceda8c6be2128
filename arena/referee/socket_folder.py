"""The private folder of a referee, with the sockets to which bots connect and the files of their starts."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

import psutil

_TRIES: Final = 20
_LONGEST_PATH: Final = 70
"""The longest path of the folder for temporary files: a socket's path must stay under 107 bytes."""


def private_folder() -> Path:
    """Make a folder that only this user can read, with a path short enough for a socket in it."""
    parent = _parent()
    _sweep(parent)
    return Path(tempfile.mkdtemp(prefix=f"arena-{os.getpid()}-", dir=parent))


def remove_folders() -> None:
    """Remove the folders of this process, which is about to end at once, including one that is being made."""
    for _ in range(_TRIES):  # something may be put there meanwhile
        found = list(_parent().glob(f"arena-{os.getpid()}-*"))
        if not found:
            return
        for folder in found:
            shutil.rmtree(folder, ignore_errors=True)


def _parent() -> Path:
    parent = Path(tempfile.gettempdir())
    return parent if len(str(parent).encode()) <= _LONGEST_PATH else Path("/tmp")


def _sweep(parent: Path) -> None:
    """Remove the folders of workers that were killed together with the run that would have removed them."""
    for folder in parent.glob("arena-*-*"):
        owner = folder.name.split("-")[1]  # anybody may have made a folder with another name
        with contextlib.suppress(OSError, ValueError, OverflowError):
            if owner.isdecimal() and folder.stat().st_uid == os.getuid() and not psutil.pid_exists(int(owner)):
                shutil.rmtree(folder, ignore_errors=True)

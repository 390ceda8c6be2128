"""Raise the system's limits for this process, and check how much of them is left."""

from __future__ import annotations

import contextlib
import os
import resource
from typing import Final

from arena.supervisor.supervise import is_shortage

__all__ = ["is_shortage", "need_descriptors", "raise_limits", "usual_open_files"]

_MOST_ON_MACOS: Final = 10240
"""The most open files of a process on macOS, whose hard limit claims to be infinite but is not."""
_before_raising: list[int] = []


def raise_limits() -> None:
    """Raise the limits of open files and processes to the most that is allowed."""
    if not _before_raising:
        _before_raising.append(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC):
        soft, hard = resource.getrlimit(kind)
        for limit in (hard, _MOST_ON_MACOS) if soft != hard else ():
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(kind, (limit, hard))
                break


def usual_open_files() -> int:
    """Return the limit of open files before it was raised. Builds run with it, because some programs expect it."""
    return _before_raising[0] if _before_raising else resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def need_descriptors(number: int) -> None:
    """Raise `OSError` unless this many more files can be opened now."""
    opened: list[int] = []
    try:
        for _ in range(number):
            opened.append(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except OSError as error:
        raise OSError(error.errno, error.strerror) from None
    finally:
        for each in opened:
            os.close(each)

"""Protect this process from other processes of the same user, as far as that needs no rights. On Linux only.

Bots run as the same user. Without this they could read seeds and other bots' tokens in our memory and environment, and
open what we have open.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

_LINUX: Final = sys.platform == "linux"
_PR_GET_DUMPABLE: Final = 3
_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_GET_CHILD_SUBREAPER: Final = 37
_ARGUMENTS: Final = (48, 49)
"""The fields `arg_start` and `arg_end` of `/proc/PID/stat`: see proc_pid_stat(5)."""
_FIRST_FIELD: Final = 3
"""The field behind the program's name, which may hold anything."""


def forbid_inspection() -> None:
    """Let nobody but root read this process's memory or environment, or attach a debugger. It leaves no core dump."""
    _prctl(_PR_SET_DUMPABLE, 0)


def is_inspection_forbidden() -> bool:
    """Return whether `forbid_inspection` was called and holds."""
    return _LINUX and _prctl(_PR_GET_DUMPABLE, 0) != 1


def hide_values(option: str, is_secret: Callable[[str], bool]) -> None:
    """Overwrite the values of an option in our command line as other processes see it, in `/proc/PID/cmdline`.

    What `sys.argv` has stays. Others can read the values until this is called, and where there is no `/proc`.

    Args:
        option: The option, as `--seed`.
        is_secret: Whether a value that was typed is to be overwritten.
    """
    try:
        stat = Path("/proc/self/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        begin, end = (int(stat[field - _FIRST_FIELD]) for field in _ARGUMENTS)
        if not 0 < begin < end:
            return
    except (OSError, ValueError, IndexError):
        return
    place, before = begin, b""
    for word in ctypes.string_at(begin, end - begin).split(b"\0"):
        name, equals, value = word.partition(b"=")
        if not (equals and name == option.encode()):
            value = word if before == option.encode() else b""
        if value and is_secret(os.fsdecode(value)):
            ctypes.memset(place + len(word) - len(value), ord("x"), len(value))
        place, before = place + len(word) + 1, word


def adopt_orphans() -> None:
    """Become the parent of processes further down whose parents end, so that they cannot hide from us."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def adopts_orphans() -> bool:
    """Return whether `adopt_orphans` was called and holds."""
    answer = ctypes.c_int(0)
    _prctl(_PR_GET_CHILD_SUBREAPER, ctypes.addressof(answer))
    return bool(answer.value)


def _prctl(option: int, value: int) -> int:
    if not _LINUX:
        return 0
    return int(ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0))

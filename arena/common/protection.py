"""Protect this process from other processes of the same user, as far as that needs no rights. On Linux only.

Bots run as the same user. Without this they could read seeds and other bots' tokens in our memory and environment, and
open what we have open.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_LINUX: Final = sys.platform == "linux"
_PR_GET_DUMPABLE: Final = 3
_PR_SET_DUMPABLE: Final = 4
_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_GET_CHILD_SUBREAPER: Final = 37


def forbid_inspection() -> None:
    """Let nobody but root read this process's memory or environment, or attach a debugger. It leaves no core dump."""
    _prctl(_PR_SET_DUMPABLE, 0)


def is_inspection_forbidden() -> bool:
    """Return whether `forbid_inspection` was called and holds."""
    return _LINUX and _prctl(_PR_GET_DUMPABLE, 0) != 1


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

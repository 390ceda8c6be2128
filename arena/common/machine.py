"""Describe the machine and the Python on which this process runs, as far as results can depend on them."""

from __future__ import annotations

import math
import os
import platform
import time
from contextlib import suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

import arena
from arena.common.printable import printable, shorten
from arena.common.processes import cores
from engine import deck_knowledge

COMPILED: Final = str(deck_knowledge.__file__).endswith(tuple(EXTENSION_SUFFIXES))
"""Whether the rules are compiled (see `hatch_build.py`) or run as they are written; results are the same."""
ENGINE_BUILD: Final = "compiled engine" if COMPILED else "pure Python engine"
_LONGEST: Final = 100
_ROUNDS: Final = 50_000
_STEP: Final = 1.1


@cache
def machine() -> dict[str, str]:
    """Return system, processor, cores, memory, Python and arena as texts; nothing that names the machine or a user."""
    memory = ""
    with suppress(OSError, ValueError):
        memory = f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"
    system = os.uname()
    found = {
        "system": f"{system.sysname} {system.machine}",
        "processor": _processor(),
        "cores": str(cores()),
        "memory": memory,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "arena": f"{arena.__version__} ({ENGINE_BUILD})" if COMPILED else arena.__version__,
    }
    return {key: shorten(printable(value.strip()), _LONGEST) for key, value in found.items() if value.strip()}


def core_speed() -> str:
    """Measure the speed of a core, in rounds of a fixed calculation in Python in a microsecond of processor time.

    It takes some 20 ms. It is told in steps of about a tenth, as finer ones differ from one time to the next.
    """
    best = min(_seconds_of_rounds() for _ in range(5))
    step = round(math.log(_ROUNDS / best / 1e6, _STEP))
    return f"{_STEP**step:.3g} rounds/µs"


def _seconds_of_rounds() -> float:
    """Return the processor time that the rounds take."""
    began, value = time.process_time(), 1
    for number in range(_ROUNDS):
        value = (value * 1103515245 + number) & 0x7FFFFFFF
    return max(time.process_time() - began, 1e-6)


def _processor() -> str:
    """Return the processor's name as Linux knows it. No other program is run for it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model"):
                return value
    return ""

"""Describe the machine and the Python on which this process runs, as far as results can depend on them."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import arena
from arena.common.cores import cores
from arena.common.engine_build import COMPILED, ENGINE_BUILD
from arena.common.printable import printable, shorten

_LONGEST: Final = 100


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


def _processor() -> str:
    """Return the processor's name as Linux knows it. No other program is run for it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model"):
                return value
    return ""

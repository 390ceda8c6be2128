"""Start the bot: its limits, its outputs, and what keeps it apart."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import sys
from typing import Any

from arena.supervisor.control_group import ControlGroup
from arena.supervisor.process_tree import LINUX

SPARE_DATA_MB = 256
"""How much more than twice its memory a confined process may ask for. Few programs use all that they ask for."""
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
OOM_SCORE = "/proc/self/oom_score_adj"
FIRST_TO_KILL = b"1000"
"""In `OOM_SCORE`: the process is killed before all others when memory runs out."""


def prctl(option: int, value: int) -> None:
    """Set an option of this process. On Linux."""
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def prepare_confinement(orders: dict[str, Any]) -> Any:
    """Prepare what keeps the bot apart, by the module that the orders name. Return None if nothing does."""
    if orders["confinement"] is None:
        return None
    folder, module = os.path.split(orders["confinement"]["module"])
    sys.path.append(folder)  # behind the standard library
    return __import__(module.removesuffix(".py")).prepare(orders)


def start(orders: dict[str, Any], confinement: Any, group: ControlGroup | None) -> subprocess.Popen[bytes]:
    """Start the bot. Raises `OSError`."""
    supervisor = os.getpid()

    def confine() -> None:
        limits = orders["limits"]
        if not limits:
            _limit(resource.RLIMIT_NOFILE, orders["open_files"], hard_too=False)
        else:
            _limit(resource.RLIMIT_CORE, 0)
            _limit(resource.RLIMIT_NOFILE, limits["open_files"])
            _limit(resource.RLIMIT_FSIZE, limits["file_mb"] << 20)
            if confinement is not None:
                _limit(resource.RLIMIT_DATA, (2 * limits["memory_mb"] + SPARE_DATA_MB) << 20)
        if LINUX:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != supervisor:
                os.kill(os.getpid(), signal.SIGKILL)
            prctl(PR_SET_DUMPABLE, 1)  # else the next file is root's; the bot's own program sets it anyway
            with contextlib.suppress(OSError):
                score = os.open(OOM_SCORE, os.O_WRONLY)
                os.write(score, FIRST_TO_KILL)
                os.close(score)
        if group is not None:
            group.enter()
        if confinement is not None:
            confinement.in_child()

    with open(orders["input"] or os.devnull, "rb") as given:  # noqa: PTH123 - pathlib is slow to import
        return subprocess.Popen(
            orders["command"] if confinement is None else confinement.command,
            cwd=orders["folder"],
            env=orders["env"] if confinement is None else confinement.environment,
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if orders["merge"] else subprocess.PIPE,
            start_new_session=True,
            pass_fds=() if confinement is None else confinement.pass_fds,
            preexec_fn=confine,
        )


def _limit(kind: int, limit: int, hard_too: bool = True) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit if hard_too else hard))

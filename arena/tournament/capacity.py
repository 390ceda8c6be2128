"""Whether so many games at the same time fit this machine, and how many bots may stay for their next one.

A bot that is needed again soon is not started anew: that costs more than a whole game. But every bot takes memory and
two processes, its own and the one that watches over it, also while it rests.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from arena.entrants.bot_process import DESCRIPTORS, TO_START
from arena.tournament.plan import PlanError

MOST_KEPT: Final = 32
"""Bots that a worker keeps running, however much room there is."""
_MIB: Final = 1 << 20
_WORKER_MIB: Final = 60
_BOT_MIB: Final = 20
"""With the process that watches over it: a small one in Python."""
_WORKER_TASKS: Final = 6
"""Processes and threads of a worker, and the thread that brings it its games."""
_BOT_TASKS: Final = 4
"""The process that watches over a bot, its own, and two threads of ZeroMQ's."""
_BASE_FILES: Final = 64
"""What a process that runs games has open besides, and what it takes to listen."""
_WORKER_FILES: Final = 4
"""What the process that hands out games has open for each worker."""


class _Room(NamedTuple):
    """Something that there is only so much of: how much a worker takes without bots and a bot, and what there is."""

    what: str
    worker: float
    bot: float
    have: float
    how: str
    """To get more of it."""


def kept_bots(jobs: int, players: int) -> int:
    """How many bots each of so many workers keeps running; at least those of a game."""
    fit = [(room.have / 2 / jobs - room.worker) / room.bot for room in _shared()]
    fit.append((_open_files() - _BASE_FILES - TO_START) / DESCRIPTORS)
    return max(players, int(min(MOST_KEPT, *fit)))


def check_capacity(jobs: int, players: int) -> None:
    """Raise `PlanError` if so many games at the same time, of so many bots each, cannot fit this machine."""
    limit = _open_files()
    how = "raise the limit of open files (ulimit -Hn)"
    _demand(1, "open files", _BASE_FILES + TO_START + DESCRIPTORS * players, limit, 0, how)
    workers = (limit - _BASE_FILES) / _WORKER_FILES
    _demand(jobs, "open files", _BASE_FILES + _WORKER_FILES * jobs, limit, workers, how)
    for room in _shared():
        worker = room.worker + room.bot * players
        _demand(jobs, room.what, worker * jobs, room.have, room.have / worker, room.how)


def _demand(jobs: int, what: str, need: float, have: float, fit: float, how: str) -> None:
    """`fit`: so many games at the same time there is enough for."""
    if need > have:
        games = "one game needs" if jobs == 1 else f"{jobs} games at the same time need"
        to_do = f"take --jobs {int(fit)} at most, or {how}" if fit >= 1 else how
        raise PlanError(f"{games} about {need:.0f} {what}, there are {max(0.0, have):.0f}: {to_do}")


def _shared() -> Iterator[_Room]:
    """Generate the resources that all workers share, as far as they are known and bounded."""
    memory = psutil.virtual_memory().available / _MIB
    yield _Room("MiB of memory", _WORKER_MIB, _BOT_MIB, memory, "make room in memory")
    if (tasks := _tasks_left()) is not None:
        yield _Room("processes", _WORKER_TASKS, _BOT_TASKS, tasks, "raise the limit of processes (ulimit -Hu)")


def _open_files() -> float:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return float("inf") if hard == resource.RLIM_INFINITY else hard


def _tasks_left() -> int | None:
    """How many processes and threads may still be made; None: nobody counts them."""
    left = list(_left_in_groups())
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if hard != resource.RLIM_INFINITY and os.geteuid() != 0:  # the superuser's are not counted
        left.append(hard - _tasks_of_user())
    return min(left, default=None)


def _tasks_of_user() -> int:
    user = os.getuid()
    tasks = 0
    for process in psutil.process_iter(["uids", "num_threads"]):
        if process.info["uids"] is not None and process.info["uids"].real == user:
            tasks += process.info["num_threads"] or 1
    return tasks


def _left_in_groups(own: Path = Path("/proc/self/cgroup"), top: Path = Path("/sys/fs/cgroup")) -> Iterator[int]:
    """By each control group that this process is in and that bounds processes (Linux)."""
    with suppress(OSError, ValueError):
        [line] = [line for line in own.read_text("utf-8").splitlines() if line.startswith("0::")]
        group = top / line.removeprefix("0::").lstrip("/")
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):  # the topmost has no bound
                most, now = ((folder / f"pids.{name}").read_text("ascii").strip() for name in ("max", "current"))
                if most != "max":
                    yield int(most) - int(now)
            if folder == top:
                return

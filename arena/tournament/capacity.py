"""Check that this machine has room for a tournament's parallel games, and bound how many bots a worker keeps running.

A bot that will soon play again is kept running, because starting a bot costs more than a whole game. But each running
bot takes memory and processes, even while it plays no game: its own, its supervisor's, and those of its box.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from arena.entrants import Entrant
from arena.entrants.bot_process import DESCRIPTORS, TO_START
from arena.isolation.confine import helper_processes
from arena.isolation.settings import Isolation
from arena.tournament.plan import PlanError

MOST_KEPT: Final = 32
"""The upper bound of bots that a worker keeps running, however much room there is."""
_MIB: Final = 1 << 20
_WORKER_MIB: Final = 60
_BOT_MIB: Final = 20
"""Of a small bot in Python together with its supervisor."""
_WORKER_TASKS: Final = 4
"""The processes and threads of a worker, and the thread that sends games to it."""
_BOT_TASKS: Final = 4
"""A bot's supervisor, its own process, and two threads that ZeroMQ starts."""
_HELPER_MIB: Final = 2
"""Of a process that keeps a bot apart: bubblewrap's share less, those of a relay more."""
_BASE_FILES: Final = 64
"""The files that a process that runs games has open apart from those for bots, listening sockets included."""
_WORKER_FILES: Final = 4
"""The files that the dispatching process has open for each worker."""


class _Room(NamedTuple):
    """A limited resource: what a worker without bots takes of it, what each bot takes, and how much is available."""

    what: str
    worker: float
    bot: float
    have: float
    how: str
    """What the user can do to get more of it."""


def helpers_of_bots(isolation: Isolation, entrants: Iterable[Entrant]) -> int:
    """Return how many processes keep a bot of these apart, at most."""
    return helper_processes(isolation, any(each.transport == "tcp" for each in entrants))


def kept_bots(jobs: int, players: int, helpers: int = 0) -> int:
    """Return how many bots each of `jobs` workers may keep running: at least the `players` of one game.

    `helpers` is how many processes keep each of them apart.
    """
    fit = [(room.have / 2 / jobs - room.worker) / room.bot for room in _shared(helpers)]
    fit.append((_open_files() - _BASE_FILES - TO_START) / DESCRIPTORS)
    return max(players, int(min(MOST_KEPT, *fit)))


def check_capacity(jobs: int, players: int, helpers: int = 0) -> None:
    """Raise `PlanError` if this machine has no room for `jobs` parallel games of `players` bots each.

    `helpers` is how many processes keep each of them apart.
    """
    limit = _open_files()
    how = "raise the limit of open files (ulimit -Hn)"
    _demand(1, "open files", _BASE_FILES + TO_START + DESCRIPTORS * players, limit, 0, how)
    workers = (limit - _BASE_FILES) / _WORKER_FILES
    _demand(jobs, "open files", _BASE_FILES + _WORKER_FILES * jobs, limit, workers, how)
    for room in _shared(helpers):
        worker = room.worker + room.bot * players
        _demand(jobs, room.what, worker * jobs, room.have, room.have / worker, room.how)


def _demand(jobs: int, what: str, need: float, have: float, fit: float, how: str) -> None:
    """Raise `PlanError` if more is needed than there is. `fit` is how many parallel games there is room for."""
    if need > have:
        games = "one game needs" if jobs == 1 else f"{jobs} parallel games need"
        to_do = f"use at most --jobs {int(fit)}, or {how}" if fit >= 1 else how
        raise PlanError(f"{games} about {need:.0f} {what}, but only {max(0.0, have):.0f} are available: {to_do}")


def _shared(helpers: int) -> Iterator[_Room]:
    """Yield the resources that all workers share, except those whose limit is unknown or that have none."""
    memory = psutil.virtual_memory().available / _MIB
    yield _Room("MiB of memory", _WORKER_MIB, _BOT_MIB + _HELPER_MIB * helpers, memory, "free some memory")
    if (tasks := _tasks_left()) is not None:
        bot = _BOT_TASKS + helpers
        yield _Room("processes", _WORKER_TASKS, bot, tasks, "raise the limit of processes (ulimit -Hu)")


def _open_files() -> float:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return float("inf") if hard == resource.RLIM_INFINITY else hard


def _tasks_left() -> int | None:
    """Return how many more processes and threads may be started, or None if nothing limits them."""
    left = list(_left_in_groups())
    hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
    if hard != resource.RLIM_INFINITY and os.geteuid() != 0:  # the superuser is exempt from this limit
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
    """Yield how many more processes each control group of this process allows, where it sets a limit (Linux)."""
    with suppress(OSError, ValueError):
        [line] = [line for line in own.read_text("utf-8").splitlines() if line.startswith("0::")]
        group = top / line.removeprefix("0::").lstrip("/")
        for folder in (group, *group.parents):
            with suppress(OSError, ValueError):  # the root group has no limit
                most, now = ((folder / f"pids.{name}").read_text("ascii").strip() for name in ("max", "current"))
                if most != "max":
                    yield int(most) - int(now)
            if folder == top:
                return

"""Examine what this machine can do to keep bots apart, what that costs, and how to get the rest."""

from __future__ import annotations

import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from arena.isolation.confine import Confined, confine_bot, running
from arena.isolation.control_groups import probe_groups
from arena.isolation.probe import REQUIRED, probe
from arena.isolation.settings import LEVELS, Isolation, Level

_STARTS: Final = 5
_PINGS: Final = 200
_SECONDS: Final = 20.0
_ECHO: Final = """
import os, socket
line = socket.socket(socket.AF_UNIX)
line.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
while data := line.recv(4096):
    line.sendall(data)
"""


class Cost(msgspec.Struct, frozen=True):
    """What a level costs, in milliseconds: medians, beside what the same costs without it, measured by turns."""

    start: float
    plain_start: float
    round_trip: float
    plain_round_trip: float


class LevelReport(msgspec.Struct, frozen=True):
    """What is known of a level."""

    level: Level
    works: bool
    why: str
    remedy: str
    cost: Cost | None


class Report(msgspec.Struct, frozen=True):
    """What this machine can do."""

    levels: list[LevelReport]
    auto: Level
    required: str | None
    """What the environment demands."""
    exact_limits: str
    """By what the kernel holds the limits of bots exactly, or why it does not."""


def examine(measure: bool = True) -> Report:
    """Try every level. `measure`: find out what they cost, too, which takes some seconds."""
    found = [probe(level) for level in LEVELS]
    measured: dict[Level, Cost] = {
        each.level: _cost(each.level) for each in found if measure and each.works and each.level != "none"
    }
    levels = [LevelReport(*each, measured.get(each.level)) for each in found]
    auto = next(each.level for each in found if each.works)
    groups = probe_groups()
    exact_limits = f"{'no' if groups.groups is None else 'yes'}: {groups.why}"
    return Report(levels, auto, os.environ.get(REQUIRED) or None, exact_limits)


def _cost(level: Level) -> Cost:
    """Measure a level beside none, by turns: another program may take the cores at any moment."""
    times: dict[str, list[float]] = {"start": [], "plain": [], "trip": [], "plain trip": []}
    with tempfile.TemporaryDirectory(prefix="arena-doctor-") as folder:
        for _ in range(_STARTS):
            for key, each in (("plain", "none"), ("start", level)):
                times[key].append(_timed(lambda each=each: _run_true(each, Path(folder))))  # type: ignore[misc]
        for key, each in (("plain trip", "none"), ("trip", level), ("plain trip", "none"), ("trip", level)):
            times[key].append(_round_trip(each, Path(folder)))  # type: ignore[arg-type]
    start, plain, trip, plain_trip = (1000 * statistics.median(found) for found in times.values())
    return Cost(round(start, 2), round(plain, 2), round(trip, 4), round(plain_trip, 4))


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _run_true(level: Level, folder: Path) -> None:
    with running(_confined(level, ["/bin/sh", "-c", "exit 0"], folder, f"ipc://{folder}"), folder) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # with a time limit it would be asked now and then


def _round_trip(level: Level, folder: Path) -> float:
    """Return the median of the seconds for a message to a process and back."""
    path = folder / "socket"
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(_SECONDS)
        with running(_confined(level, [sys.executable, "-I", "-S", "-c", _ECHO], folder, f"ipc://{path}"), folder):
            line, _ = listener.accept()
            with line:
                line.settimeout(_SECONDS)
                found = [_timed(lambda: _exchange(line)) for _ in range(_PINGS)]
    return statistics.median(found)


def _exchange(line: socket.socket) -> None:
    line.sendall(bytes(1000))
    line.recv(4096)


def _confined(level: Level, command: list[str], folder: Path, endpoint: str) -> Confined:
    """Confine a command as bots are."""
    scratch = folder / "scratch"
    for name in ("home", "tmp"):
        (scratch / name).mkdir(parents=True, exist_ok=True)
    environment = {"PATH": os.environ.get("PATH", os.defpath), "ARENA_ENDPOINT": endpoint}
    return confine_bot(Isolation(level), command, folder, environment, scratch, processes=64, disk_mb=16)

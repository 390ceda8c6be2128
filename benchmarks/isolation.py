"""Measure what it costs to keep bots apart: a start and a decision at each level that works here.

    python -m benchmarks.isolation [rounds]

All levels are measured by turns in one run, so that a busy machine is as busy for all of them, and each level is
compared with none within the same round. A start is the time from the order to start a bot in Python until its
`hello`, and the CPU time that all processes of the start have used by then, which depends less on what else runs. A
decision is what the clock of the seat says, with one bot of each level at the same table, and a second one without
isolation to show the noise: they are copies of the same trivial bot, and change seats from game to game. `least` is the
difference between the least of both levels. A line of JSON is printed for each.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from arena.entrants import Built, build, expand
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.isolation.probe import probe
from arena.isolation.settings import LEVELS, Isolation
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from engine import catalog

BOT = Path(__file__).with_name("trivial_bot.py")
GAME = "kosmos"
TIME = TimeControl(start=60.0, move=30.0, bank=60.0)
ROUNDS = 30
GAMES_A_ROUND = 2
PLAIN = "none"
COPY = "none, a copy"
"""The second bot without isolation."""


def starts(bots: Mapping[str, Built], rounds: int) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Start one bot of each level in each round. Return the milliseconds until its `hello`, and those of CPU."""
    edition = catalog.rules(GAME).edition("standard")
    took: dict[str, list[float]] = defaultdict(list)
    used: dict[str, list[float]] = defaultdict(list)
    for number in range(rounds):
        for level in _turned(list(bots), number):
            with Referee(RefereeConfig(GAME, edition, TIME, {level: bots[level]}), pin=False) as referee:
                began = time.perf_counter()
                report = referee.check(level)
                took[level].append((time.perf_counter() - began) * 1e3)
                used[level].append(cpu_of_children() * 1e3)
                assert report.ok, report.reason
    return took, used


def cpu_of_children() -> float:
    """Return the seconds of CPU that the processes below this one have used."""
    used = 0
    for process in psutil.Process().children(recursive=True):
        for thread in Path(f"/proc/{process.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError):  # it has ended
                used += int(thread.read_text("ascii").split()[0])
    return used / 1e9


def decisions(bots: Mapping[str, Built], rounds: int) -> dict[str, list[float]]:
    """Let one bot of each level play at one table. Return the median of each one's decisions in each game, in µs."""
    edition = catalog.rules(GAME).edition("standard")
    took: dict[str, list[float]] = defaultdict(list)
    with Referee(RefereeConfig(GAME, edition, TIME, dict(bots))) as referee:
        for number in range(rounds * GAMES_A_ROUND):
            seats = _turned(list(bots), number)
            spec = GameSpec(f"g{number}", number, len(seats), number, 0, f"{number:032x}", seats)
            [record] = referee.play([spec])
            assert not record.faults, record.faults
            for level, times in zip(seats, record.times, strict=True):
                took[level].append(statistics.median(times))
    return took


def _turned(names: list[str], number: int) -> list[str]:
    at = number % len(names)
    return names[at:] + names[:at]


def compared(took: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Return the medians, and how each level differs from none in the same round: median, middle half, and least."""
    found: dict[str, Any] = {PLAIN: {"median": round(statistics.median(took[PLAIN]), 2)}}
    for level in took:
        if level != PLAIN:
            more = [each - plain for each, plain in zip(took[level], took[PLAIN], strict=True)]
            low, middle, high = statistics.quantiles(more, n=4)
            found[level] = {
                "median": round(statistics.median(took[level]), 2),
                "more": round(middle, 2),
                "middle_half": [round(low, 2), round(high, 2)],
                "least": round(min(took[level]) - min(took[PLAIN]), 2),
            }
    return found


def isolation_figures(rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure starts and decisions at all levels that work here."""
    levels = [level for level in LEVELS if probe(level).works]
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        built = build(expand([BOT]).found[0], Path(folder) / "cache")
        bots: dict[str, Built] = {level: dataclasses.replace(built, isolation=Isolation(level)) for level in levels}
        took, used = starts(bots, rounds)
        return {
            "rounds": rounds,
            "load": [round(each, 1) for each in os.getloadavg()],
            "start_ms": compared(took),
            "start_cpu_ms": compared(used),
            "decision_us": compared(decisions({**bots, COPY: built}, rounds)),
        }


if __name__ == "__main__":
    figures = isolation_figures(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
    for name, value in figures.items():
        print(json.dumps({name: value}))

"""Measure whole tournaments of trivial bots by number of workers: games a second, and whose processor time they take.

`python -m benchmarks.tournament [GAME [GAMES]]` prints it as JSON. Games a second are those by which a longer
tournament exceeds a shorter one, so that the start of workers and bots does not count; they include the ledger, and
mean something on an idle machine only. Processor time does not depend on who else uses the machine: from
what the coordinator takes for a game beside the workers and their bots follows how many times the games of one worker
two can play on two cores, and how many workers one coordinator can feed.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psutil

from arena.common.progress import SILENT
from arena.ledger import GameSummary
from arena.tournament.observer import RunObserver
from arena.tournament.plan import Plan
from arena.tournament.run import run

BOT = Path(__file__).parent / "trivial_bot.py"
BOTS = 6
GAMES = 200
SIZES = (100, 400)
"""Games of two tournaments."""
REPEATS = 5
WORKERS = (1, 2, 4)


def tournament_figures(name: str) -> dict[str, object]:
    """Return games a second, medians of five runs; workers beyond the machine's cores are left out.

    Two tournaments with one worker each, side by side, share nothing but the machine. What they play in all is about
    the most that two workers of one tournament could.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    measured = {f"{number} workers": partial(_games_per_second, name, number) for number in WORKERS if number <= cores}
    if cores > 1:
        measured["1 worker, twice side by side"] = partial(_side_by_side, name)
    runs = [{what: measure() for what, measure in measured.items()} for _ in range(REPEATS)]
    found: dict[str, object] = {what: round(statistics.median(run[what] for run in runs), 1) for what in measured}
    first = next(iter(measured))
    found["by 1 worker"] = {
        what: [round(each, 3) for each in sorted(run[what] / run[first] for run in runs)] for what in measured
    }
    return {**found, "processor time": coordinator_figures(name)}


def _side_by_side(name: str) -> float:
    with ThreadPoolExecutor(2) as pool:
        return sum(pool.map(lambda _: _games_per_second(name, 1), range(2)))


def _games_per_second(name: str, jobs: int) -> float:
    (few, soon), (many, later) = (_played(name, jobs, games) for games in SIZES)
    return (many - few) / (later - soon)


def _played(name: str, jobs: int, games: int) -> tuple[float, float]:
    """Play a tournament, and return its games and the seconds that it took."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        command = [sys.executable, "-m", "arena", "tournament", *[str(BOT)] * BOTS, "--game", name, "--seed", "1"]
        command += ["--games", str(games), "--jobs", str(jobs), "--out", f"{folder}/t", "--json"]
        began = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        seconds = time.monotonic() - began
        played = sum(
            row["games"] / int(count) for count, rows in json.loads(done.stdout)["players"].items() for row in rows
        )
    return played, seconds


class _Spent(RunObserver):
    """Looks at the processor time of this process and of all below it, at the first game and at a later one."""

    def __init__(self, games: int) -> None:
        self._games, self._last = 0, games
        self._began = (0.0, 0.0)
        self.coordinator = self.workers = 0.0
        """Of a game, in milliseconds."""

    def on_game(self, game: GameSummary) -> None:
        self._games += 1
        if self._games == 1:
            self._began = self._now()
        elif self._games == self._last:
            self.coordinator, self.workers = (
                1000 * (now - before) / (self._games - 1) for now, before in zip(self._now(), self._began, strict=True)
            )

    def _now(self) -> tuple[float, float]:
        below = psutil.Process().children(recursive=True)
        return time.process_time(), sum(sum(each.cpu_times()[:2]) for each in below)


def coordinator_figures(name: str, games: int = GAMES) -> dict[str, float]:
    """Return the processor time of a game with two workers, without the start and the end of the tournament."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        spent = _Spent(games * 9 // 10)  # before the first worker has nothing left to do
        plan = Plan(bots=[str(BOT)] * BOTS, game=name, games=games, seed=1, jobs=2, out=f"{folder}/t")
        run(plan, SILENT, observers=[spent])
    share = spent.coordinator / spent.workers
    return {
        "ms a game, coordinator": round(spent.coordinator, 2),
        "ms a game, workers and bots": round(spent.workers, 2),
        "coordinator's share of a worker": round(share, 4),
        "two workers beside one, on two cores": round(2 / (1 + share), 3),
        "workers that one coordinator feeds": round(1 / share, 1),
    }


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "kosmos"
    json.dump(coordinator_figures(name, *map(int, sys.argv[2:])), sys.stdout, indent=2)
    print()

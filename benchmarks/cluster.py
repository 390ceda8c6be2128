"""Measure a cluster with games that wait instead of computing: what is lost between workers and coordinator.

`python -m benchmarks.cluster [WORKERS ...]` prints a line of JSON for each number of workers, all on this machine.
Everything is as in a tournament (schedule, Dask, ledger with steps and page data), except that a worker sleeps for the
length of a game and returns a record made before. A worker that computed would need a core of its own; one that sleeps
needs none.

Efficiency is the time that workers slept, of the time that they were there. From the processor time that coordinator
and scheduler take for a game follows how many cores they could keep busy, if games are as long as is said.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import msgspec
import psutil

from arena.cluster.dask_cluster import DaskCluster
from arena.cluster.local import local_cluster
from arena.common.progress import SILENT
from arena.entrants.build import CACHE
from arena.ledger import Ledger, MatchRecord, PageDataRecord
from arena.match.spec import MatchSpec
from arena.referee.config import RefereeConfig
from arena.tournament.plan import Plan
from arena.tournament.run import run
from arena.tournament.workers import PlayedMatch, play_matches
from arena.tournament.workforce import RemoteWorker, Workforce

WORKERS: Final = (1, 2, 4, 8, 16)
GAME_SECONDS: Final = 0.25
"""Of a game that waits."""
SECONDS: Final = 20.0
"""Of play, about."""
LENGTHS: Final = {"trivial C bots, 0.025 s a game": 0.025, "bots that think 50 ms, 10 s a game": 10.0}
"""Games for which it is told how many cores could be fed: of some 200 decisions each."""

_sample: tuple[MatchRecord, PageDataRecord | None] | None = None


def wait(sample: bytes, specs: Sequence[MatchSpec], seconds: float) -> list[PlayedMatch]:
    """In a worker: sleep as long as these games last, and return their records."""
    global _sample
    if _sample is None:
        _sample = pickle.loads(sample)
    time.sleep(seconds * len(specs))
    record, page_data = _sample
    return [PlayedMatch.of(msgspec.structs.replace(record, **spec.recorded()), page_data) for spec in specs]


class WaitingWorker(RemoteWorker):
    """A slot that waits in the place of playing."""

    def __init__(self, slot: RemoteWorker, force: WaitingForce) -> None:
        self._slot, self._force = slot, force

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        if call is not play_matches:
            return self._slot.submit(call, *arguments)
        _, specs, _ = arguments
        importable = import_module("benchmarks.cluster").wait  # that of `__main__` is not found elsewhere
        return self._slot.submit(importable, self._force.sample, specs, GAME_SECONDS)

    def renew(self) -> None:
        self._slot.renew()

    def kill(self) -> None:
        self._slot.kill()


class WaitingForce(Workforce):
    """The workers of a cluster, once all of them are ready."""

    def __init__(self, cluster: DaskCluster, workers: int, sample: bytes) -> None:
        self._cluster, self._workers, self.sample = cluster, workers, sample
        self.began = self.cpu = 0.0

    def begin(
        self, config: RefereeConfig, most: int | None, arrived: Callable[[RemoteWorker | Exception], object]
    ) -> None:
        ready: list[WaitingWorker] = []

        def note(slot: RemoteWorker | Exception) -> None:
            if isinstance(slot, Exception):
                arrived(slot)
                return
            ready.append(WaitingWorker(slot, self))
            if len(ready) == self._workers:
                self.began, self.cpu = time.monotonic(), time.process_time()
                for each in ready:
                    arrived(each)

        self._cluster.begin(config, most, note)


def cluster_figures(workers: int, sample: bytes, folder: Path, port: int) -> dict[str, object]:
    """Return the figures of so many workers."""
    games = max(20, int(workers * SECONDS / GAME_SECONDS))
    with local_cluster(workers, port) as parts:
        scheduler = next(each for each in psutil.Process().children() if "scheduler" in each.cmdline())
        with DaskCluster(parts.address, "kosmos", SILENT) as cluster:
            force = WaitingForce(cluster, workers, sample)
            before = sum(scheduler.cpu_times()[:2])
            plan = Plan(
                bots=["@greedy", "@random_bot"], players="2", games=games, seed=1, jobs=workers, out=str(folder)
            )
            played = run(plan, SILENT, force).played
            seconds, cpu = time.monotonic() - force.began, time.process_time() - force.cpu
            of_scheduler = sum(scheduler.cpu_times()[:2]) - before
    costs = {"coordinator": cpu / played, "scheduler": of_scheduler / played}
    return {
        "workers": workers,
        "games": played,
        "seconds": round(seconds, 2),
        "efficiency": round(played * GAME_SECONDS / (workers * seconds), 3),
        "ms of processor time a game": {part: round(1000 * cost, 3) for part, cost in costs.items()},
        "cores that could be fed": {what: int(length / max(costs.values())) for what, length in LENGTHS.items()},
        "load of the machine": round(os.getloadavg()[0], 1),
    }


def sample_game(folder: Path) -> bytes:
    """Play a real game, and return its record and page data."""
    outcome = run(Plan(bots=["@greedy", "@random_bot"], players="2", games=2, seed=1, jobs=1, out=str(folder)), SILENT)
    with Ledger.open(outcome.folder) as ledger:
        name = ledger.ids()[0]
        return pickle.dumps((ledger.game(name), ledger.page_data(name)))


def main(sizes: Sequence[int]) -> None:
    """Print the figures of clusters of these sizes."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        os.environ[CACHE] = f"{temporary}/cache"
        sample = sample_game(Path(temporary) / "sample")
        for number, workers in enumerate(sizes):
            found = cluster_figures(workers, sample, Path(temporary) / str(workers), 18786 + number)
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or WORKERS)

"""Measure a cluster with games that wait instead of computing: what is lost between workers and coordinator.

`python -m benchmarks.cluster [WORKERS ...]` prints a line of JSON for each number of workers, all on this machine, and
at last how many cores could be fed with games of some bots. Everything is as in a tournament (schedule, Dask, ledger
with steps and page data), except that a worker packs a record made before, and sleeps for the rest of the length of a
game. A worker that computed would need a core of its own; one that sleeps needs none.

Efficiency is the time that games last, of the time that their workers were there. From the processor time that
coordinator and scheduler take for a game follows how many cores they could keep busy, if games are as long as is said.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import psutil

from arena.cluster.dask_cluster import DaskCluster
from arena.common.progress import SILENT
from arena.entrants.build import CACHE
from arena.game.spec import GameSpec
from arena.ledger import GameRecord, Ledger, PageDataRecord
from arena.referee.config import RefereeConfig
from arena.tournament.plan import Plan
from arena.tournament.run import run
from arena.tournament.workers import PlayedGame, RemoteWorker, Workforce, play_games

WORKERS: Final = (1, 2, 4, 8, 16)
GAME_SECONDS: Final = 0.25
"""Of a game that waits."""
SECONDS: Final = 20.0
"""Of play, about."""


class Fed(NamedTuple):
    """How it is measured how many cores could be fed with the games of some bots."""

    length: float
    """Seconds of a game, of some 200 decisions."""
    waits: float
    """Seconds of the game that waits in its place: as many of it come together as of the other from so many cores."""
    workers: int


FED: Final = {
    "trivial C bots, 0.025 s a game": Fed(length=0.025, waits=0.025, workers=4),
    "bots that think 50 ms, 10 s a game, on up to 1,000 cores": Fed(length=10.0, waits=1.0, workers=16),
    "the same, on 10,000 cores": Fed(length=10.0, waits=0.05, workers=16),
}

Costs = dict[str, float]
"""Seconds of the processor, by part of the cluster."""

_sample: tuple[GameRecord, PageDataRecord | None] | None = None


def wait(sample: bytes, specs: Sequence[GameSpec], seconds: float) -> list[PlayedGame]:
    """In a worker: return the records of these games, after as long as the games last."""
    global _sample
    ends = time.monotonic() + seconds * len(specs)
    if _sample is None:
        _sample = pickle.loads(sample)
    record, page_data = _sample
    played = [PlayedGame.of(msgspec.structs.replace(record, **spec.recorded()), page_data) for spec in specs]
    time.sleep(max(0.0, ends - time.monotonic()))
    return played


class WaitingWorker(RemoteWorker):
    """A slot that waits in the place of playing."""

    def __init__(self, slot: RemoteWorker, force: WaitingForce) -> None:
        self._slot, self._force = slot, force

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        if call is not play_games:
            return self._slot.submit(call, *arguments)
        _, specs, _ = arguments
        return self.play(specs)

    def play(self, specs: Sequence[GameSpec]) -> Future[Any]:
        importable = import_module("benchmarks.cluster").wait  # that of `__main__` is not found elsewhere
        return self._slot.submit(importable, self._force.sample, specs, self._force.seconds)

    def renew(self) -> None:
        self._slot.renew()

    def kill(self) -> None:
        self._slot.kill()


class WaitingForce(Workforce):
    """The workers of a cluster, once all of them are ready and have loaded what they need."""

    def __init__(
        self, cluster: DaskCluster, workers: int, sample: bytes, seconds: float, spent: Callable[[], Costs]
    ) -> None:
        """`seconds`: of a game. `spent`: returns the processor time so far."""
        self._cluster, self._workers, self._spent = cluster, workers, spent
        self.sample, self.seconds = sample, seconds
        self.began = 0.0
        self.spent: Costs = {}
        """When they were ready."""

    def begin(
        self, config: RefereeConfig, most: int | None, arrived: Callable[[RemoteWorker | Exception], object]
    ) -> None:
        ready: list[WaitingWorker] = []

        def note(slot: RemoteWorker | Exception) -> None:
            if isinstance(slot, Exception):
                arrived(slot)
                return
            worker = WaitingWorker(slot, self)
            worker.play([]).add_done_callback(lambda _: begin(worker))

        def begin(worker: WaitingWorker) -> None:
            ready.append(worker)
            if len(ready) == self._workers:
                self.began, self.spent = time.monotonic(), self._spent()
                for each in ready:
                    arrived(each)

        self._cluster.begin(config, most, note)


@contextmanager
def a_cluster(workers: int, port: int) -> Iterator[psutil.Process]:
    """Start a cluster by its command, in a process of its own, which has the scheduler."""
    command = [sys.executable, "-m", "arena", "cluster", "up", str(workers), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield psutil.Process(process.pid)
        finally:
            process.send_signal(signal.SIGINT)


def cluster_figures(workers: int, sample: bytes, folder: Path, port: int, length: float) -> dict[str, Any]:
    """Return the figures of so many workers, with games of so many seconds."""
    games = max(20, int(workers * SECONDS / length))
    with a_cluster(workers, port) as scheduler:

        def spent() -> Costs:
            return {"coordinator": time.process_time(), "scheduler": sum(scheduler.cpu_times()[:2])}

        with DaskCluster(f"tcp://127.0.0.1:{port}", "kosmos", SILENT) as cluster:
            force = WaitingForce(cluster, workers, sample, length, spent)
            plan = Plan(
                bots=["@greedy", "@random_bot"], players="2", games=games, seed=1, jobs=workers, out=str(folder)
            )
            played = run(plan, SILENT, force).played
            seconds = time.monotonic() - force.began
            costs = {part: (now - force.spent[part]) / played for part, now in spent().items()}
    return {
        "workers": workers,
        "games": played,
        "seconds": round(seconds, 2),
        "efficiency": round(played * length / (workers * seconds), 3),
        "ms of processor time a game": {part: round(1000 * cost, 3) for part, cost in costs.items()},
        "load of the machine": round(os.getloadavg()[0], 1),
    }


def fed_figures(what: str, sample: bytes, folder: Path, port: int) -> dict[str, Any]:
    """Return how many cores one coordinator and one scheduler could feed with games of these bots."""
    fed = FED[what]
    costs = cluster_figures(fed.workers, sample, folder, port, fed.waits)["ms of processor time a game"]
    return {"bots": what, "ms of processor time a game": costs, "cores": int(1000 * fed.length / max(costs.values()))}


def sample_game(folder: Path) -> bytes:
    """Play a real game, and return its record and page data."""
    outcome = run(Plan(bots=["@greedy", "@random_bot"], players="2", games=2, seed=1, jobs=1, out=str(folder)), SILENT)
    with Ledger.open(outcome.folder) as ledger:
        name = ledger.ids()[0]
        return pickle.dumps((ledger.game(name), ledger.page_data(name)))


def main(sizes: Sequence[int]) -> None:
    """Print the figures of clusters of these sizes, and how many cores could be fed."""
    with tempfile.TemporaryDirectory(prefix="bench-") as temporary:
        os.environ[CACHE] = f"{temporary}/cache"
        sample = sample_game(Path(temporary) / "sample")
        ports = count(18786)
        for workers in sizes:
            found = cluster_figures(workers, sample, Path(temporary) / str(workers), next(ports), GAME_SECONDS)
            print(json.dumps(found), flush=True)
        for number, what in enumerate(FED):
            print(json.dumps(fed_figures(what, sample, Path(temporary) / f"fed{number}", next(ports))), flush=True)


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or WORKERS)

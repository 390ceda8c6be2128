"""A cluster on this machine alone: a scheduler and workers as processes, which are gone when the block ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from arena.cluster.scheduler import SchedulerLost, connect, require_dask, scheduler_state
from arena.common.processes import signal_name
from arena.tournament.workers import WorkforceError

_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.1
_QUICK_SECONDS: Final = 30.0
"""A worker that ends sooner after its start ended quickly."""
_MOST_QUICK_ENDS: Final = 3
"""So often in a row may a worker end quickly before no new one takes its place."""


@dataclass
class _Part:
    """A process of a cluster, and how it is started."""

    kind: str
    words: Sequence[str]
    process: subprocess.Popen[bytes]
    began: float
    quick_ends: int = 0
    """In a row."""


class ClusterParts:
    """The processes of a cluster."""

    def __init__(self, address: str, folder: Path) -> None:
        """Begin with none. `folder`: for their own files, and for what they print."""
        self.address = address
        self._folder = folder
        self._running: dict[str, _Part] = {}

    def start(self, kind: str, name: str, words: Sequence[str]) -> None:
        """Start a part. Interrupts from the keyboard do not reach it, and it ends with this process."""
        self._running[name] = _Part(kind, words, self._started(kind, name, words), time.monotonic())

    def check(self) -> None:
        """Raise `WorkforceError` if a part has ended."""
        for name, part in self._running.items():
            if part.process.poll() is not None:
                raise WorkforceError(f"the {name} of this cluster {self._how_it_ended(name)}")

    def wait(self, say: Callable[[str], object]) -> None:
        """Wait until the scheduler ends, and start a new worker in the place of each that ends.

        `say` gets a line for each. Raises `WorkforceError` if the scheduler ends, or if the last worker does again and
        again as soon as it is started.
        """
        while any(part.kind == "worker" for part in self._running.values()):
            for name, part in list(self._running.items()):
                if part.process.poll() is None:
                    continue
                how = self._how_it_ended(name)
                if part.kind != "worker":
                    raise WorkforceError(f"the {name} of this cluster {how}")
                if part.process.stdin is not None:
                    part.process.stdin.close()
                quick = time.monotonic() - part.began < _QUICK_SECONDS
                part.quick_ends = part.quick_ends + 1 if quick else 0
                if part.quick_ends >= _MOST_QUICK_ENDS:
                    say(f"{name} {how}, {part.quick_ends} times as soon as it was started: no new one takes its place")
                    del self._running[name]
                    continue
                say(f"{name} {how}: a new one takes its place")
                part.process, part.began = self._started(part.kind, name, part.words), time.monotonic()
            time.sleep(_POLL_SECONDS)
        raise WorkforceError("no worker of this cluster is left")

    def _started(self, kind: str, name: str, words: Sequence[str]) -> subprocess.Popen[bytes]:
        with self._log(name).open("wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "arena.cluster.part", kind, *words],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _how_it_ended(self, name: str) -> str:
        """Return how a part ended, with its last words unless it was killed, as they would name no reason then."""
        status = self._running[name].process.returncode
        if status < 0:
            return f"was killed by {signal_name(-status)}"
        lines = self._log(name).read_text("utf-8", "replace").strip().splitlines()
        return f"ended with status {status}: {lines[-1] if lines else 'it says nothing'}"

    def close(self) -> None:
        """End all parts, and wait until they are gone."""
        processes = [part.process for part in self._running.values()]
        for process in processes:
            if process.stdin is not None:
                process.stdin.close()
        limit = time.monotonic() + _END_SECONDS
        for process in processes:
            try:
                process.wait(max(0.0, limit - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def local_cluster(workers: int, port: int) -> Iterator[ClusterParts]:
    """Start a scheduler on this machine's loopback, and so many workers of one core each. Wait until they are ready.

    Raises `WorkforceError` if they cannot be started.
    """
    require_dask()
    with TemporaryDirectory(prefix="arena-cluster-") as name:
        folder = Path(name)
        parts = ClusterParts(f"tcp://127.0.0.1:{port}", folder)
        try:
            # Also without a dashboard Dask serves pages, and everywhere if nothing else is said.
            common = ("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0")
            parts.start("scheduler", "scheduler", ("--port", str(port), "--no-show", *common))
            for number in range(workers):
                own = ("--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--local-directory", name)
                parts.start("worker", f"worker-{number + 1}", (parts.address, *own, *common))
            asyncio.run(_ready(parts, workers))
            yield parts
        finally:
            parts.close()


async def _ready(parts: ClusterParts, workers: int) -> None:
    """Wait until all workers have registered. Raises `WorkforceError`."""
    limit = time.monotonic() + _START_SECONDS
    while time.monotonic() < limit:
        parts.check()
        try:
            client = await connect(parts.address, 1.0)
        except WorkforceError:
            continue
        try:
            while time.monotonic() < limit:
                parts.check()
                if len((await scheduler_state(client, _START_SECONDS)).threads) >= workers:
                    return
                await asyncio.sleep(_POLL_SECONDS)
        except SchedulerLost as error:
            raise WorkforceError(f"the scheduler of the cluster {error}") from None
        finally:
            await client.close()
    raise WorkforceError(f"the cluster was not ready within {_START_SECONDS:g} s")

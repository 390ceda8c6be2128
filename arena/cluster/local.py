"""A cluster on this machine alone: a scheduler and workers as processes, which are gone when the block ends."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from arena.cluster.scheduler import SchedulerLost, connect, require_dask, scheduler_state
from arena.tournament.workforce import WorkforceError

_START_SECONDS: Final = 120.0
_END_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.1


class ClusterParts:
    """The processes of a cluster."""

    def __init__(self, address: str, folder: Path) -> None:
        """Begin with none. `folder`: for their own files, and for what they print."""
        self.address = address
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, kind: str, name: str, words: Sequence[str]) -> None:
        """Start a part. Interrupts from the keyboard do not reach it, and it ends with this process."""
        with (self._folder / f"{name}.log").open("wb") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, "-m", "arena.cluster.part", kind, *words],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def check(self) -> None:
        """Raise `WorkforceError` if a part has ended."""
        for name, process in self._running.items():
            if process.poll() is not None:
                lines = (self._folder / f"{name}.log").read_text("utf-8", "replace").strip().splitlines()
                raise WorkforceError(f"the {name} of this cluster ended: {lines[-1] if lines else 'it says nothing'}")

    def wait(self) -> None:
        """Wait until a part ends. Raises `WorkforceError` then."""
        while True:
            self.check()
            time.sleep(_POLL_SECONDS)

    def close(self) -> None:
        """End all parts, and wait until they are gone."""
        for process in self._running.values():
            if process.stdin is not None:
                process.stdin.close()
        limit = time.monotonic() + _END_SECONDS
        for process in self._running.values():
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

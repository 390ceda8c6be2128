"""Dask schedulers and workers as processes on this machine, as a user starts them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

SECONDS = 120.0
"""More than enough; what is waited for ends the wait."""


_QUIET = ("--no-dashboard", "--dashboard-address", "127.0.0.1:0")


class LocalCluster:
    """A scheduler and its workers. All of them are ended by `close`."""

    def __init__(self, folder: Path, tls: Sequence[str] = ()) -> None:
        """Start a scheduler, which is ready when this returns."""
        self._folder = folder
        self._tls = tls
        self._processes: list[subprocess.Popen[bytes]] = []
        file = folder / f"scheduler-{time.monotonic_ns()}.json"
        protocol = "tls" if tls else "tcp"
        self.scheduler = self._started(
            "scheduler", "--host", f"{protocol}://127.0.0.1", "--port", "0", "--no-show", "--scheduler-file", str(file)
        )
        limit = time.monotonic() + SECONDS
        while not (file.is_file() and file.read_text("utf-8").strip().endswith("}")):
            assert self.scheduler.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.02)
        self.address: str = json.loads(file.read_text("utf-8"))["address"]

    def worker(self, threads: int = 1, environment: Mapping[str, str] | None = None) -> psutil.Process:
        """Start a worker, which registers when it is ready."""
        started = self._started(
            *("worker", self.address, "--no-nanny", "--nthreads", str(threads), "--memory-limit", "0"),
            *("--local-directory", str(self._folder)),
            environment=environment,
        )
        return psutil.Process(started.pid)

    def _started(self, kind: str, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words, *_QUIET, *self._tls]
        with (self._folder / f"{kind}.log").open("ab") as log:
            everything = {**os.environ, **(environment or {})}
            # Elsewhere than here: Python looks for modules where it is started first.
            started = subprocess.Popen(command, stdout=log, stderr=log, env=everything, cwd=self._folder)
        self._processes.append(started)
        return started

    def close(self) -> None:
        """End the processes at once; what workers have started ends with them."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait(SECONDS)

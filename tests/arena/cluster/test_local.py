"""`arena cluster up` starts a cluster on this machine, and Ctrl-C leaves nothing of it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from arena.cli.terminal import ExitCode
from arena.cluster.local import ClusterParts
from arena.tournament.workers import WorkforceError
from tests.arena.cluster.local_clusters import SECONDS

pytestmark = [pytest.mark.process, pytest.mark.slow]


@contextmanager
def a_cluster_of_two(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Type the command; the process, and the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "cluster", "up", "2", "--port", port],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(tmp_path)},
    ) as process:
        try:
            yield process, port
        finally:
            process.kill()


def parts_of(process: subprocess.Popen[str], kind: str) -> list[psutil.Process]:
    return [part for part in psutil.Process(process.pid).children() if kind in part.cmdline()]


def test_a_cluster_is_up_until_ctrl_c(tmp_path: Path) -> None:
    with a_cluster_of_two(tmp_path) as (process, port):
        assert process.stdout is not None
        assert process.stdout.readline() == "Ready. In another terminal, type:\n"
        assert f"--cluster tcp://127.0.0.1:{port}" in process.stdout.readline()
        parts = psutil.Process(process.pid).children()
        listening = {each.laddr.ip for part in parts for each in part.net_connections() if each.status == "LISTEN"}
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == ExitCode.INTERRUPTED
    assert len(parts) == 3
    assert listening == {"127.0.0.1"}
    assert not any(part.is_running() for part in parts)


def test_a_worker_that_is_killed_is_replaced_and_a_scheduler_that_is_killed_ends_the_cluster(tmp_path: Path) -> None:
    with a_cluster_of_two(tmp_path) as (process, _):
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "Ready. In another terminal, type:\n"
        assert process.stderr.readline() == "starting a scheduler and 2 workers\n"
        first, second = parts_of(process, "worker")
        [scheduler] = parts_of(process, "scheduler")
        first.kill()
        told = re.fullmatch(r"worker-\d was killed by SIGKILL: a new one takes its place\n", process.stderr.readline())
        assert told is not None
        limit = time.monotonic() + SECONDS
        while len(workers := parts_of(process, "worker")) < 2:  # it is said first
            assert time.monotonic() < limit
        assert second in workers
        assert first not in workers
        assert scheduler.is_running()
        scheduler.kill()
        assert process.stderr.read() == "arena: the scheduler of this cluster was killed by SIGKILL\n"
        assert process.wait(120) == ExitCode.BAD_INPUT
    assert not any(part.is_running() for part in workers)


def test_a_worker_that_cannot_run_is_given_up_after_some_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_TEMPORARY_DIRECTORY", str(tmp_path))
    parts = ClusterParts("tcp://127.0.0.1:9", tmp_path)
    parts.start("worker", "worker-1", ("--no-such-option",))
    said: list[str] = []
    with pytest.raises(WorkforceError, match="no worker of this cluster is left"):
        parts.wait(said.append)
    assert [line.endswith(": a new one takes its place") for line in said] == [True, True, False]
    assert all(line.startswith("worker-1 ended with status 1: ValueError: missing port number") for line in said)
    parts.close()

"""`arena cluster up` starts a cluster on this machine, and Ctrl-C leaves nothing of it."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from arena.cli.terminal import ExitCode
from tests.arena.cluster.local_clusters import SECONDS

pytestmark = [pytest.mark.process, pytest.mark.slow]


@contextmanager
def a_cluster_of_two() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Type the command; the process, and the port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "cluster", "up", "2", "--port", port],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process, port
        finally:
            process.kill()


def workers_of(process: subprocess.Popen[str]) -> set[psutil.Process]:
    """Return its children that serve: Dask's workers."""
    return {each for each in psutil.Process(process.pid).children() if listening(each)}


def listening(process: psutil.Process) -> set[str]:
    """Return the addresses at which a process can be reached."""
    try:
        return {each.laddr.ip for each in process.net_connections() if each.status == "LISTEN"}
    except psutil.Error:  # it has just ended
        return set()


def test_a_cluster_is_up_until_ctrl_c() -> None:
    with a_cluster_of_two() as (process, port):
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "Ready. In another terminal, type:\n"
        assert f"--cluster tcp://127.0.0.1:{port}" in process.stdout.readline()
        workers = workers_of(process)
        reached = set().union(*map(listening, (psutil.Process(process.pid), *workers)))
        for each in (*workers, psutil.Process(process.pid)):  # as a terminal does
            each.send_signal(signal.SIGINT)
        assert process.wait(120) == ExitCode.INTERRUPTED
        assert process.stderr.read() == "starting a scheduler and 2 workers\nthe cluster is ended\n"
    assert len(workers) == 2
    assert reached == {"127.0.0.1"}
    assert not any(worker.is_running() for worker in workers)


def test_a_worker_that_is_killed_is_replaced() -> None:
    with a_cluster_of_two() as (process, _):
        assert process.stdout is not None
        assert process.stdout.readline() == "Ready. In another terminal, type:\n"
        first, second = workers_of(process)
        first.kill()
        limit = time.monotonic() + SECONDS
        while len(workers := workers_of(process) - {first}) < 2:
            assert time.monotonic() < limit
        assert second in workers
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == ExitCode.INTERRUPTED
    assert not any(worker.is_running() for worker in workers)


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        command = [sys.executable, "-m", "arena", "cluster", "up", "1", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == ExitCode.BAD_INPUT
    assert re.search(r"^arena: the cluster cannot be started: .*in use", done.stderr, re.MULTILINE)

"""`arena cluster up` starts a cluster on this machine, and Ctrl-C leaves nothing of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from arena.cli.terminal import ExitCode

pytestmark = [pytest.mark.process, pytest.mark.slow]


def test_a_cluster_is_up_until_ctrl_c(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "cluster", "up", "2", "--port", port],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(tmp_path)},
    ) as process:
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

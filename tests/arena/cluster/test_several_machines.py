"""What docs/cluster.md and the compose file say for several machines works, as processes of this one."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import pytest
import yaml

from arena.cluster.dask_cluster import DaskCluster
from arena.cluster.scheduler import Timeouts
from arena.common.progress import SILENT
from arena.tournament.workers import WorkforceError

pytestmark = pytest.mark.process

DOCS = Path(__file__).parents[3] / "docs"
COMPOSE: dict[str, Any] = yaml.safe_load((DOCS / "cluster.compose.yaml").read_text("utf-8"))
PAGE = (DOCS / "cluster.md").read_text("utf-8")


def filled(text: str) -> str:
    """A text of the file with the defaults of its variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def commands() -> dict[str, list[str]]:
    """The command of each service."""
    return {
        name: [filled(word) for word in (*service["entrypoint"], *service["command"])]
        for name, service in COMPOSE["services"].items()
    }


def test_the_containers_run_the_commands_of_the_page() -> None:
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
    said = {words[1]: words for line in blocks.splitlines() if (words := shlex.split(line))[:1] == ["dask"]}
    threads = said["worker"].index("--nthreads") + 1
    said["worker"][threads] = commands()["worker"][threads]  # as many as fit
    assert commands() == said
    variables = set(re.findall(r"export (DASK\w+)=", blocks))
    variables |= {
        f"DASK_DISTRIBUTED__COMM__TLS__{part}__{what}"
        for part in ("SCHEDULER", "WORKER", "CLIENT")
        for what in ("CERT", "KEY")
    }
    for service in COMPOSE["services"].values():
        assert set(service["environment"]) == {name.rstrip("_") for name in variables}


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """Certificates made as the page says."""
    [block] = [each for each in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) if "openssl" in each]
    assert "openssl verify -x509_strict" in block  # as Python 3.13 checks by itself
    subprocess.run(["sh", "-ec", block], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def encrypted(certificates: Path, free_port: int) -> Iterator[str]:
    """The address of a scheduler that the file's commands have started, with a worker."""
    of_service = COMPOSE["services"]["worker"]["environment"]
    environment = {name: value.replace("/certificates", str(certificates)) for name, value in of_service.items()}
    started = []
    for name, words in commands().items():
        here = [word.replace("scheduler:", "127.0.0.1:").replace("8786", str(free_port)) for word in words]
        command = [sys.executable, "-m", f"distributed.cli.dask_{name}", *here[2:], "--host", "127.0.0.1"]
        with (certificates / f"{name}.log").open("wb") as log:
            started.append(
                subprocess.Popen(
                    command,
                    stdout=log,
                    stderr=log,
                    cwd=certificates,
                    env={**os.environ, "DASK_TEMPORARY_DIRECTORY": str(certificates), **environment},
                )
            )
    yield f"tls://127.0.0.1:{free_port}"
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_with_certificates_of_the_page_a_worker_is_reached_and_without_them_nobody(
    encrypted: str, certificates: Path
) -> None:
    with pytest.raises(WorkforceError, match="certificates"):
        DaskCluster(encrypted, "kosmos", SILENT)
    files = {"ca-file": "authority.pem", "client.cert": "cluster.pem", "client.key": "cluster.key"}
    with dask.config.set({f"distributed.comm.tls.{key}": str(certificates / name) for key, name in files.items()}):
        until_it_answers = Timeouts(connect=120.0)
        with DaskCluster(encrypted, "kosmos", SILENT, until_it_answers):
            pass

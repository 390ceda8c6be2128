"""Runs of the whole command line as processes, with their own temporary folder and cache."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).parents[2]
SECONDS = 240


class Arena:
    """The command `arena` in a folder of its own; every process that comes of it can be found again."""

    def __init__(self, folder: Path, temporary: Path) -> None:
        self.folder = folder
        self.temporary = temporary
        self._mark = uuid.uuid4().hex
        self._environment = os.environ | {
            "TMPDIR": str(temporary),
            "ARENA_CACHE": str(folder / "cache"),
            "ARENA_E2E": self._mark,
        }

    def start(self, *words: object) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "arena", *map(str, words)],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
        process = self.start(*words)
        out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == code, f"{words}: exit code {process.returncode}\n{out}\n{err}"
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def json(self, *words: object) -> Any:
        return json.loads(self.run(*words, "--json").stdout)

    def processes(self) -> list[psutil.Process]:
        """What lives of all runs: by the mark in the environment of workers and starters, or by a bot's home."""
        found = []
        for process in psutil.process_iter(["environ", "status"]):
            environment = process.info["environ"] or {}
            ours = environment.get("ARENA_E2E") == self._mark
            bots = environment.get("HOME", "").startswith(str(self.temporary))
            if (ours or bots) and process.pid != os.getpid() and process.info["status"] != psutil.STATUS_ZOMBIE:
                found.append(process)
        return found

    def assert_nothing_lives(self) -> None:
        _, alive = psutil.wait_procs(self.processes(), timeout=30)
        assert not alive
        assert not self.processes()


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    # A short path: sockets lie in it.
    temporary = Path(tempfile.mkdtemp(prefix="e2e-"))
    arena = Arena(tmp_path, temporary)
    yield arena
    arena.assert_nothing_lives()
    shutil.rmtree(temporary, ignore_errors=True)

"""A gateway with a key for ada, what she runs on her machine, and games with her bot."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from arena.entrants import build, expand
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.gateway.keys import KeyFile, allow, forwarder_folder, new_key, own_key, read_key, write_key
from arena.isolation.settings import Isolation, Level, RemoteBots
from arena.referee.config import RefereeConfig
from arena.serve.intake.remote import GatewayProcess
from engine import catalog
from tests.arena.gateway.proxy import Proxy

SECONDS = 60.0
"""Longest wait for something that comes at once."""

BOT = """
import os, time
from arena.client import Bot, run

class Patient(Bot):
    def decide(self, game):
        {body}
        return len(game.actions) - 1

run(Patient)
"""


class League:
    """A gateway and the folder of its league."""

    def __init__(self, folder: Path, grace: float = 30.0) -> None:
        self.folder = folder / "gateway"
        self.key = self.let_in("ada", folder)
        self.process = GatewayProcess(self.folder, None, 0, grace_seconds=grace)
        self.address = self.wait_for_address()
        self.process.address = self.address  # begun anew, it listens at the same port

    def wait_for_address(self) -> str:
        file = self.folder / "address"
        for _ in range(int(SECONDS * 100)):
            if file.exists():
                return file.read_text()
            threading.Event().wait(0.01)
        raise AssertionError(self.log())

    def log(self) -> str:
        """Return what the gateway wrote last."""
        return self.process._child.last_lines()

    def pid(self) -> int:
        """Return the gateway's process id."""
        while (pid := self.process._child._process.pid) is None:
            self.process._child.poll()
        return pid

    def let_in(self, name: str, folder: Path) -> Path:
        key = new_key(name, own_key(self.folder).public)
        write_key(folder / f"{name}.key", key)
        allow(self.folder, name, key.public)
        return folder / f"{name}.key"

    def read_key(self) -> KeyFile:
        return read_key(self.key)

    def config(
        self, tmp_path: Path, level: Level = "none", latency_ms: int = 0, rival: str = "pass", **time: float
    ) -> RefereeConfig:
        """What a referee needs for games of ada, who is elsewhere, with another bot of hers that is here."""
        (tmp_path / "rival.py").write_text(BOT.format(body=rival))
        remote = RemoteBots(str(self.folder), ["ada"], latency_ms)
        found = expand([forwarder_folder(self.folder, "ada"), tmp_path / "rival.py"]).found
        isolation = Isolation(level, remote=remote)
        built = {entrant.name: build(entrant, tmp_path / "cache", isolation=isolation) for entrant in found}
        control = msgspec.structs.replace(TimeControl(start=30.0, move=20.0, bank=20.0), **time)
        return RefereeConfig("kosmos", catalog.rules("kosmos").edition("standard"), control, built)


class Author:
    """`arena join` on ada's machine."""

    def __init__(
        self, address: str, key: Path, folder: Path, body: str = "pass", program: Sequence[str] = ("-m", "arena")
    ) -> None:
        (folder / "mine.py").write_text(BOT.format(body=body))
        words = ["join", address, "--key", str(key), "--", sys.executable, str(folder / "mine.py")]
        self.process = subprocess.Popen(
            [sys.executable, *program, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self.said: list[str] = []
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.strip())
        self._lines.put("")

    def wait_for(self, words: str) -> None:
        """Wait until it says something with these words."""
        while not self.said or words not in self.said[-1]:
            line = self._lines.get(timeout=SECONDS)
            assert line, self.said
            self.said.append(line)

    def end(self) -> int:
        """Type Ctrl-C, and return the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        code = self.process.wait(SECONDS)
        self._thread.join()
        while not self._lines.empty():
            self.said.append(self._lines.get())
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def league(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[League]:
    made = League(tmp_path, getattr(request, "param", 30.0))
    yield made
    made.process.close()


@pytest.fixture
def join(tmp_path: Path, league: League) -> Iterator:
    """Join with a bot that does something before each of its decisions."""
    joined: list[Author] = []

    def start(body: str = "pass", address: str | None = None, key: Path | None = None) -> Author:
        joined.append(Author(address or league.address, key or league.key, tmp_path, body))
        return joined[-1]

    yield start
    for each in joined:
        each.end()


@pytest.fixture
def proxy(league: League) -> Iterator:
    """A way to the gateway that takes some seconds."""
    made: list[Proxy] = []

    def start(delay: float = 0.0) -> Proxy:
        made.append(Proxy(league.address, delay))
        return made[-1]

    yield start
    for each in made:
        each.close()


def spec(number: int = 0) -> GameSpec:
    return GameSpec(f"g{number}", number, 2, number, number, f"{number:032x}", ["ada", "rival"])

"""Bots that are written, built and started by a test, and ended after it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from arena.entrants import BotProcess, Built, build, expand, launch

LONGEST = 60.0


def until(condition: Callable[[], object]) -> None:
    """Wait for something to become true."""
    limit = time.monotonic() + LONGEST
    while not condition():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.005)


def living(token: str) -> list[int]:
    """The processes that carry a token in their environment and have not ended."""
    found = []
    for process in psutil.process_iter(["environ", "status"]):
        environ = process.info["environ"] or {}
        if environ.get("ARENA_TOKEN") == token and process.info["status"] != psutil.STATUS_ZOMBIE:
            found.append(process.pid)
    return found


class Yard:
    """Where a test keeps its bots."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run_dir = folder / "run"
        self.run_dir.mkdir()
        self.note = folder / "note"
        """A path that a bot may write to; `NOTE` in its source."""
        self._started: list[BotProcess] = []
        self._tokens: list[str] = []

    def built(self, source: str, manifest: str = "") -> Built:
        """A folder bot with this Python source; `manifest` is the rest of its bot.toml."""
        bot = self.folder / f"bot{len(list(self.folder.iterdir()))}"
        bot.mkdir()
        (bot / "bot.py").write_text(f"NOTE = {str(self.note)!r}\n{source}")
        (bot / "bot.toml").write_text(f"command = ['{{python}}', 'bot.py']\n{manifest}")
        return build(expand([bot]).found[0], self.folder / "cache")

    def start(self, source: str, manifest: str = "", cores: list[int] | None = None) -> BotProcess:
        return self.launch(self.built(source, manifest), cores)

    def launch(self, built: Built, cores: list[int] | None = None) -> BotProcess:
        self.token = secrets.token_hex(16)
        process = launch(built, "ipc://nowhere", self.token, run_dir=self.run_dir, cores=cores)
        self._started.append(process)
        self._tokens.append(self.token)
        return process

    def noted(self) -> str:
        """What the bot wrote to its note: it must be one whole line."""
        until(lambda: self.note.exists() and self.note.read_text().endswith("\n"))
        return self.note.read_text().strip()

    def close(self) -> None:
        for process in self._started:
            process.end()
        assert [living(token) for token in self._tokens if living(token)] == []
        assert list(self.run_dir.glob("*")) == []


@pytest.fixture
def yard(tmp_path: Path) -> Iterator[Yard]:
    yard = Yard(tmp_path)
    yield yard
    yard.close()


@pytest.fixture(name="until")
def until_fixture() -> Callable[[Callable[[], object]], None]:
    return until


@pytest.fixture(name="living")
def living_fixture() -> Callable[[str], list[int]]:
    return living

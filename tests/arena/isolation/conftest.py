"""Bots at each level of isolation, in a folder of their own; after a test no process, mount, socket or file is left."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from arena.entrants import BotProcess, Built, build, expand, launch
from arena.isolation.settings import Isolation, Level

LONGEST = 60.0


class Cell:
    """Where a test keeps its bots, with a socket that stands for the referee's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run_dir = Path(tempfile.mkdtemp(prefix="cell-"))
        self.others = self.run_dir / "others"
        """The socket of another bot."""
        self._listeners = [self._listen(self.run_dir / "r"), self._listen(self.others)]
        self.endpoint = f"ipc://{self.run_dir}/r"
        self.mark = f"arena-test-{secrets.token_hex(8)}"
        self._started: list[BotProcess] = []
        self._tokens: list[str] = []

    def _listen(self, path: Path) -> socket.socket:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen()
        return listener

    def built(self, files: dict[str, str], level: Level, manifest: str = "", **more: Any) -> Built:
        bot = self.folder / f"bot{len(list(self.folder.iterdir()))}"
        bot.mkdir()
        for name, text in files.items():
            (bot / name).write_text(text)
        first = next(iter(files))
        (bot / "bot.toml").write_text(f"command = ['{{python}}', '{first}']\n{manifest}")
        return build(expand([bot]).found[0], self.folder / "cache", isolation=Isolation(level, **more))

    def launch(self, built: Built) -> BotProcess:
        self._tokens.append(secrets.token_hex(16))
        process = launch(built, self.endpoint, self._tokens[-1], run_dir=self.run_dir)
        self._started.append(process)
        return process

    def said(self, built: Built) -> str:
        """Run a bot to its end, and return what it printed."""
        process = self.launch(built)
        ended = process.wait(LONGEST)
        process.end()
        assert ended is not None
        assert ended.code == 0, f"{ended.reason}\n{process.stderr_tail()}"
        return process.stdout_tail(1000)

    def close(self) -> None:
        for process in self._started:
            process.end()
        for listener in self._listeners:
            listener.close()
        left = [
            process.pid
            for process in psutil.process_iter(["environ"])
            if (process.info["environ"] or {}).get("ARENA_TOKEN") in self._tokens
        ]
        assert left == [], "a process is left"
        assert str(self.run_dir) not in Path("/proc/self/mounts").read_text("utf-8"), "a mount is left"
        assert {path.name for path in self.run_dir.iterdir()} == {"r", "others"}, "a file is left"
        for path in self.run_dir.iterdir():
            path.unlink()
        self.run_dir.rmdir()
        for place in (Path("/tmp"), Path("/dev/shm")):
            (place / self.mark).unlink(missing_ok=True)


@pytest.fixture
def cell(tmp_path: Path) -> Iterator[Cell]:
    cell = Cell(tmp_path)
    yield cell
    cell.close()


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """A process of the same user, as a rival is."""
    waits = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE, env={"TOKEN": "HUSH"}) as process:
        yield process
        process.kill()

"""The worker's side of a running bot: start it, stop and continue it, hear of its end, leave nothing of it behind."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from arena.entrants import starter
from arena.entrants.build import Built

LOG_BYTES: Final = 128 * 1024
"""Of each of standard output and error, this much is kept at least, twice as much at most."""
_STARTER_SECONDS: Final = 15.0


@dataclass(frozen=True)
class Exit:
    """How a bot's process ended: its exit code, or the signal, and the same in words."""

    code: int | None
    signal: int | None
    reason: str


def launch(built: Built, endpoint: str, token: str, *, run_dir: Path, cores: Sequence[int] | None = None) -> BotProcess:
    """Start a bot that connects to `endpoint` as `token`, on these cores only, with a scratch folder in `run_dir`."""
    scratch = Path(tempfile.mkdtemp(prefix="bot-", dir=run_dir))
    for folder in ("home", "tmp"):
        (scratch / folder).mkdir()
    limits = built.entrant.limits
    orders = {
        "command": built.command,
        "folder": str(built.folder),
        "env": _environment(built, scratch, endpoint, token),
        "cores": list(cores) if cores else None,
        "log": str(scratch / "log"),
        "log_bytes": LOG_BYTES,
        "open_files": limits.open_files,
        "file_bytes": limits.file_mb << 20,
        "memory_mb": limits.memory_mb,
        "processes": limits.processes,
    }
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", starter.__file__, json.dumps(orders)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=(scratch / "starter.stderr").open("wb"),
        start_new_session=True,
    )
    return BotProcess(process, scratch, token)


def _environment(built: Built, scratch: Path, endpoint: str, token: str) -> dict[str, str]:
    """All that a bot finds in its environment."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(scratch / "home"),
        "TMPDIR": str(scratch / "tmp"),
        "LANG": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        **built.entrant.env,
        "ARENA_ENDPOINT": endpoint,
        "ARENA_TOKEN": token,
    }


class BotProcess:
    """A bot that was started."""

    def __init__(self, process: subprocess.Popen[bytes], scratch: Path, token: str) -> None:
        """`process` is its starter."""
        assert process.stdout is not None
        self._starter = process
        self._scratch = scratch
        self._token = token
        self._news = b""
        self._exit: Exit | None = None
        self._ended = False
        self.pid: int | None = None
        """The bot's process, which leads its group; None until the starter has reported it."""
        self.is_stopped = False
        self.report_fd = process.stdout.fileno()
        """Readable when `poll` has something to say."""
        os.set_blocking(self.report_fd, False)

    def poll(self) -> Exit | None:
        """How the bot ended, None while it runs. Never waits."""
        while self._exit is None:
            try:
                news = os.read(self.report_fd, 65536)
            except BlockingIOError:
                break
            if not news:
                self._exit = Exit(None, None, "its starter was ended")
                break
            self._news += news
            *lines, self._news = self._news.split(b"\n")
            for line in lines:
                self._hear(json.loads(line))
        return self._exit

    def _hear(self, news: dict[str, int | str]) -> None:
        if "pid" in news:
            self.pid = int(news["pid"])
        elif "limit" in news:
            self._exit = Exit(None, signal.SIGKILL, f"ended for using {news['limit']}")
        else:
            code = int(news["exit"])
            if code >= 0:
                words = "could not be started" if code == 127 and self.pid is None else f"exit code {code}"
                self._exit = Exit(code, None, words)
            else:
                self._exit = Exit(None, -code, f"ended by {_signal_name(-code)}")

    def stop(self) -> None:
        """Let the bot's processes stand still."""
        if not self.is_stopped and self._signal(signal.SIGSTOP):
            self.is_stopped = True

    def resume(self) -> None:
        """Let them go on."""
        if self.is_stopped:
            self._signal(signal.SIGCONT)
            self.is_stopped = False

    def _signal(self, number: int) -> bool:
        if self.pid is None or self._exit is not None:
            return False
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def owns(self, pid: int) -> bool:
        """Whether that process is the bot's or was started by it."""
        try:
            process = psutil.Process(pid)
            return any(each.pid == self._starter.pid for each in process.parents())
        except psutil.Error:
            return False

    def processes(self) -> list[psutil.Process]:
        """The bot and all that it started."""
        try:
            return psutil.Process(self._starter.pid).children(recursive=True)
        except psutil.Error:
            return []

    def stderr_tail(self, lines: int = 10) -> str:
        """The last lines that the bot wrote to standard error, printable characters only."""
        text = b""
        for name in ("starter.stderr", "log.stderr.1", "log.stderr"):
            with contextlib.suppress(OSError):
                text += (self._scratch / name).read_bytes()
        tail = text.decode("utf-8", "replace").splitlines()[-lines:]
        return "\n".join("".join(c if c.isprintable() or c == "\t" else "?" for c in line)[:400] for line in tail)

    def end(self, grace: float = 0.0) -> None:
        """Wait up to `grace` seconds for the bot to end by itself, then end everything that it started."""
        if self._ended:
            return
        self._ended = True
        self.resume()
        limit = time.monotonic() + grace
        while self.poll() is None and (left := limit - time.monotonic()) > 0:
            select.select([self.report_fd], [], [], left)
        assert self._starter.stdin is not None
        assert self._starter.stdout is not None
        self._starter.stdin.close()
        try:
            code = self._starter.wait(_STARTER_SECONDS)
        except subprocess.TimeoutExpired:
            self._starter.kill()
            code = self._starter.wait()
        self._starter.stdout.close()
        if code:
            self._find_strays()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _find_strays(self) -> None:
        """The bot ended its own starter: what carries its token in the environment is killed all the same."""
        for process in psutil.process_iter(["environ"]):
            if (process.info["environ"] or {}).get("ARENA_TOKEN") == self._token:
                with contextlib.suppress(psutil.Error):
                    process.kill()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

"""Watch a running bot until it ends, exceeds a limit, or the worker is gone."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterable
from typing import Any

from arena.supervisor.control_group import ControlGroup
from arena.supervisor.process_tree import (
    ProcessorTime,
    end_descriptor,
    exit_code,
    fair_memory,
    kill_all,
    processes,
    reap,
    shared_memory,
)
from arena.supervisor.worker import CHUNK, Worker, report

WATCH_SECONDS = 0.5


class CappedLog:
    """The newest output of a bot, in two files. When the newer is full, the older is deleted."""

    def __init__(self, path: str, cap: int) -> None:
        """Open the log. Each of its files holds at most `cap` bytes. Raises `OSError`."""
        self._path, self._cap, self._size = path, cap, 0
        self._file = self._open()

    def _open(self) -> int:
        # A bot can put something else at this path: that must neither block nor be followed.
        return os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOFOLLOW, 0o600)

    def write(self, data: bytes) -> None:
        """Write data. What cannot be written, as on a full disk, is dropped."""
        if self._size + len(data) > self._cap:
            self._size = 0
            if self._file >= 0:
                os.close(self._file)
                self._file = -1
            with contextlib.suppress(OSError):
                os.replace(self._path, self._path + ".1")  # noqa: PTH105 - pathlib is slow to import
            with contextlib.suppress(OSError):
                self._file = self._open()
        self._size += len(data)
        if self._file >= 0:
            with contextlib.suppress(OSError):
                os.write(self._file, data)


class Watch:
    """The watch over a running bot, until it ends, exceeds a limit, or the worker is gone."""

    def __init__(
        self,
        bot: subprocess.Popen[bytes],
        worker: Worker,
        logs: list[CappedLog],
        helpers: int = 0,
        group: ControlGroup | None = None,
    ) -> None:
        """Prepare to watch the bot.

        Args:
            bot: The bot's process.
            worker: The worker.
            logs: The logs of the bot's outputs.
            helpers: The number of processes that are not the bot's own, but keep it apart.
            group: The control group that the bot is in, if the kernel holds its limits.
        """
        self._helpers, self._group = helpers, group
        self._bot, self._worker, self._end = bot.pid, worker, end_descriptor(bot.pid)
        pipes = [pipe for pipe in (bot.stdout, bot.stderr) if pipe is not None]
        self._logs = {pipe.fileno(): log for pipe, log in zip(pipes, logs, strict=True)}
        self._detached = False
        self._processor_time = ProcessorTime()
        self._games = 0
        self._before_game = 0.0
        """Seconds of processor time that do not count, because they were used before the last game began."""

    def run(self) -> None:
        """Watch, and return when only the remaining processes have to be killed."""
        look = time.monotonic() + WATCH_SECONDS
        while True:
            ready, _, _ = select.select([0, self._end, *self._logs], [], [], max(0.0, look - time.monotonic()))
            self._drain([fd for fd in ready if fd in self._logs])
            if self._end in ready:
                with contextlib.suppress(OSError):  # of a pipe only; from what stands for a process nothing is read
                    os.read(self._end, CHUNK)
            if 0 in ready:
                if not self._worker.listen():
                    return
                self._signal_detached()
            code = exit_code(self._bot)
            end: dict[str, Any] | None = None if code is None else self._killed_for_memory() or {"exit": code}
            if end is None and time.monotonic() >= look:
                end = self._look()
                look = time.monotonic() + WATCH_SECONDS
            if end is not None:
                kill_all(self._bot)
                self._last_words()
                report(end)
                self._worker.wait_for_end()
                return

    def _drain(self, ready: list[int]) -> None:
        for fd in ready:
            data = os.read(fd, CHUNK)
            if data:
                self._logs[fd].write(data)
            else:
                del self._logs[fd]

    def _last_words(self) -> None:
        """Log what is still in the pipes when all processes are dead."""
        while self._logs:
            ready, _, _ = select.select(list(self._logs), [], [], 0)
            if not ready:
                return
            self._drain(ready)

    def _look(self) -> dict[str, Any] | None:
        """Return which limit of memory, processes or processor time the bot exceeds. Return None if it exceeds none."""
        usage = processes()
        reap(usage)
        if not self._detached and any(_group(pid) != self._bot for pid in usage):
            self._detached = True
            report({"detached": True})
        if self._worker.stopped:
            self._signal_detached()
        limits = self._worker.orders["limits"]
        if not limits:
            return None
        if (killed := self._killed_for_memory()) is not None:
            return killed
        own = len(usage) - self._helpers
        if own > limits["processes"]:
            return {"limit": f"{own} processes (limit {limits['processes']})"}
        if (exceeded := self._memory(usage, limits["memory_mb"])) is not None:
            return exceeded
        seconds = self._seconds_in_game(usage)
        if seconds > limits["cpu_seconds"]:
            return {"limit": f"{seconds:.0f} s of processor time in a game (limit {limits['cpu_seconds']})"}
        return None

    def _memory(self, usage: dict[int, int], limit: int) -> dict[str, Any] | None:
        """Return that the bot exceeds its memory if it does."""
        shared = 0
        if self._worker.orders["confinement"] is not None:  # else there are simpler ways to hide some
            try:
                shared = shared_memory(usage)
            except PermissionError:
                return {"limit": f"memory that it does not let us see (limit {limit} MiB)"}
        if (sum(usage.values()) + shared) >> 20 > limit:
            memory = (sum(fair_memory(pid, resident) for pid, resident in usage.items()) + shared) >> 20
            if memory > limit:
                return {"limit": f"{memory} MiB of memory (limit {limit})"}
        return None

    def _killed_for_memory(self) -> dict[str, Any] | None:
        """Return that the bot exceeds its memory if the kernel has killed one of its processes for that."""
        limits = self._worker.orders["limits"]
        if self._group is None or not limits or not self._group.has_killed():
            return None
        return {"limit": f"more than its memory (limit {limits['memory_mb']} MiB)"}

    def _seconds_in_game(self, pids: Iterable[int]) -> float:
        """Return the processor time of the bot since its last game began, as far as looks can tell."""
        exact = None if self._group is None else self._group.seconds()
        seconds = self._processor_time.add_up(pids) if exact is None else exact
        if self._games != self._worker.games:
            self._games, self._before_game = self._worker.games, seconds
        return seconds - self._before_game

    def _signal_detached(self) -> None:
        """Stop or continue processes that left the bot's group, where the worker's signals do not reach them."""
        number = signal.SIGSTOP if self._worker.stopped else signal.SIGCONT
        for pid in processes() if self._detached else ():
            if _group(pid) != self._bot:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except OSError:
        return None

"""Run a command of ours, or git, as a child process with an end, of which nothing is left however this process ends.

The supervisor that stands between a worker and a bot stands here too: it ends the command with all that it started,
whatever sessions these made, when it is told to, when the command has ended, and when this process is gone.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from arena.common.private_folders import sweep_folders
from arena.common.removal import remove
from arena.entrants.bot_process import BotProcess

ARENA: Final = (sys.executable, "-m", "arena")
"""The words that begin a command of ours."""
MOST_OUTPUT: Final = 16 << 20
"""The most bytes of standard output that are kept in a file. A command that writes more is ended."""


def lanes(number: int) -> tuple[Sequence[int] | None, Sequence[int] | None]:
    """Return so many cores for trials and the others for rounds. None, both: all, as they are too few to be parted."""
    every = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return (every[:number], every[number:]) if number < len(every) else (None, None)


class Child:
    """A command that runs. Call `end` when its end was seen, or earlier to end it."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        log: Path,
        seconds: float,
        env: Mapping[str, str] | None = None,
        *,
        output: Path | None = None,
        cores: Sequence[int] | None = None,
        niceness: int = 0,
    ) -> None:
        """Start a command. Raises `OSError` if the system lacks something.

        Args:
            words: The program and its arguments.
            folder: Where it runs.
            log: The file that has the newest of what it wrote when it has ended: at most 256 KiB.
            seconds: After these it is ended.
            env: Its whole environment. None: ours.
            output: The file that standard output goes to, and not to the log.
            cores: On which it may run. None: on all.
            niceness: By how much others go before it.
        """
        folder, log = folder.absolute(), log.absolute()
        scratch = log.with_name(f".{log.name}.running")
        remove(str(scratch))  # of a run that a power cut ended
        scratch.mkdir()
        if output is not None:
            words = ["/bin/sh", "-c", 'exec "$@" >"$0"', str(output.absolute()), *words]
        if niceness:
            words = [shutil.which("nice") or "nice", "-n", str(niceness), *words]
        self._output, self._ends = output, time.monotonic() + seconds
        self.seconds = seconds
        """After these it is ended."""
        environment = {**(os.environ if env is None else env), "PWD": str(folder)}
        self._process = BotProcess(words, folder, environment, scratch, limits=None, merge=True, cores=cores)
        self._process.kept_output = log
        self._code: int | None = None
        self.reason = ""
        """How it ended, in words. Empty: it runs."""

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when `poll` may have something to say."""
        return self._process.report_fd

    @property
    def left(self) -> float:
        """The seconds until it is ended."""
        return max(0.0, self._ends - time.monotonic())

    def poll(self) -> int | None:
        """Return the exit code, or the negative number of the signal. Return None while it runs. Never waits."""
        if self._code is None:
            if (ended := self._process.poll()) is not None:
                self._close(ended.code if ended.code is not None else -(ended.signal or signal.SIGKILL), ended.reason)
            elif not self.left:
                self.end(f"ended after {self.seconds:g} s, which is the most")
            elif self._output is not None and self._output.exists() and self._output.stat().st_size > MOST_OUTPUT:
                self.end(f"ended for writing more than {MOST_OUTPUT >> 20} MiB")
        return self._code

    def wait(self, seconds: float) -> int | None:
        """Wait up to `seconds` for its end, and return as `poll`."""
        if self._code is None:
            self._process.wait(min(seconds, self.left))
        return self.poll()

    def end(self, why: str = "ended by the league") -> None:
        """End the command with all that it has started, unless it has ended."""
        if self._code is None:
            self._close(-signal.SIGKILL, why)
            sweep_folders()  # a referee in it had no time to remove its own

    def _close(self, code: int, reason: str) -> None:
        self._process.end()
        self._code, self.reason = code, reason

    def last_lines(self, lines: int = 10) -> str:
        """Return the last lines that it wrote so far to its log, made printable."""
        return self._process.stderr_tail(lines)

"""Where a bot comes from: a process that the referee starts, or a program that somebody starts by hand."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import psutil

from arena.common.labels import bot_name
from arena.entrants import Built, ProcessExit, launch
from arena.entrants.launch import LATENCY, remote_leave
from arena.entrants.start_diagnosis import explain_end
from arena.supervisor.control_group import ControlGroup

_log = logging.getLogger(__name__)

Announce = Callable[[str, str, str, bool], None]
"""Called with name, endpoint and token of a bot that somebody must start by hand, and whether it was there and left."""
BY_HAND_SECONDS: Final = 3600.0
"""Within which somebody starts a bot by hand, and starts it again when it has gone: time to mend it in between."""


class RunningBot(Protocol):
    """The processes of a bot that the referee has started and must end. `BotProcess` implements it."""

    report_fd: int
    """Readable when `poll` has something to report."""

    @property
    def supervisor_pid(self) -> int:
        """The id of the process above all of the bot's."""

    def group(self) -> ControlGroup | None:
        """Return the control group in which the bot's processes are. None: it has none of its own."""

    @property
    def is_output_cut(self) -> bool:
        """Whether it wrote more output than is kept."""

    def poll(self) -> ProcessExit | None:
        """Return how the bot ended; None while it runs. This never waits."""

    def wait(self, seconds: float) -> ProcessExit | None:
        """Wait up to `seconds` for the end, and return how the bot ended; None if it still runs."""

    def stop(self) -> None:
        """Suspend the bot's processes."""

    def resume(self) -> None:
        """Let the bot's processes run on."""

    def begin_game(self) -> None:
        """Note that a game of the bot begins, for which it has its processor time."""

    def end(self, grace: float = 0.0) -> None:
        """Wait up to `grace` seconds for the bot to end by itself, then end everything that it started."""

    def processes(self) -> list[psutil.Process]:
        """List the bot's processes."""

    def stderr_tail(self, lines: int = 10) -> str:
        """Return the last lines of its standard error."""

    def stdout_tail(self, lines: int = 10) -> str:
        """Return the last lines of its standard output."""


class BotSource(Protocol):
    """Starts one bot, as often as a referee needs it."""

    @property
    def transport(self) -> str:
        """How the bot connects: `ipc` or `tcp`."""

    def hello_seconds(self, usual: float) -> float:
        """Return the seconds within which its `hello` must come, else it is `mute`; `usual`: of most bots."""

    def leave(self, name: str, endpoint: str, token: str) -> float:
        """Note that the last connection of a bot without processes of ours has closed.

        Returns:
            The seconds within which it must say hello again, else it has crashed.
        """

    def start(
        self, name: str, endpoint: str, token: str, folder: Path, cores: Sequence[int] | None
    ) -> RunningBot | None:
        """Let the bot connect to `endpoint` under `token`, and return its processes; None: it has none of ours.

        Args:
            name: The bot's name.
            endpoint: What to connect to.
            token: What its routing id must begin with.
            folder: Where the files of a start may be put.
            cores: The cores to run on; None: any.

        Raises:
            OSError: The system lacks the resources, or the bot's own files cannot be restored.
        """

    def explain(self, ended: ProcessExit, stderr: str, has_connected: bool) -> str:
        """Return in words why its process ended before it said hello, or failed later; empty: nothing more is known.

        Args:
            ended: How it ended.
            stderr: The last lines of its standard error.
            has_connected: Whether it had connected.
        """


@dataclass(frozen=True)
class LocalProcess:
    """A built bot as a process on this machine."""

    built: Built
    game: str = ""
    """The name of the rules that will be played, if they are the only ones."""
    trace: Path | None = None
    """The folder in which what it writes to standard error is kept."""

    @property
    def transport(self) -> str:
        """How the bot connects: as its manifest says, but always over ipc out of a box, which has a relay."""
        return "ipc" if self.built.isolation.level == "box" else self.built.entrant.transport

    def hello_seconds(self, usual: float) -> float:
        """Return the usual limit."""
        return usual

    def leave(self, name: str, endpoint: str, token: str) -> float:
        """Wait for it: whether it has ended is known from its process."""
        return math.inf

    @property
    def is_elsewhere(self) -> bool:
        """Whether it only passes on what a program on another machine says."""
        return remote_leave(self.built) is not None

    def latency(self) -> float:
        """Return the seconds of each decision that are taken off its clock: for a bot elsewhere, as was measured.

        They are at most what the plan says, whatever the bot did while it was measured.
        """
        remote = remote_leave(self.built)
        if remote is None:
            return 0.0
        try:
            said = Path(remote.gateway, LATENCY, bot_name(self.built.entrant.name)).read_text("ascii")
            measured = float(said.partition(" ")[0])
        except (OSError, ValueError):  # not measured yet
            return 0.0
        return min(max(0.0, measured), remote.latency_ms) / 1000

    def start(
        self, name: str, endpoint: str, token: str, folder: Path, cores: Sequence[int] | None
    ) -> RunningBot | None:
        """Launch the process. Raises `OSError`."""
        _log.info("%s is started, over %s", name, self.transport)
        process = launch(self.built, endpoint, token, run_dir=folder, game=self.game, cores=cores)
        if self.trace is not None:
            name = self.built.folder.name.rpartition("-")[0]  # without what no name of a file may have
            process.kept_output = self.trace / f"{name}-{process.supervisor_pid}.stderr"
        return process

    def explain(self, ended: ProcessExit, stderr: str, has_connected: bool) -> str:
        """Return in words why its process ended."""
        found = explain_end(self.built, ended, stderr, has_connected)
        return "" if found is None else found.why


@dataclass(frozen=True)
class ByHand:
    """A program that somebody starts once its endpoint and token are announced, and again if it has gone."""

    announce: Announce | None = None
    seconds: float = BY_HAND_SECONDS
    """Within which each start must be followed by a `hello`."""

    @property
    def transport(self) -> str:
        """How the bot connects."""
        return "ipc"

    def hello_seconds(self, usual: float) -> float:
        """Return a limit that leaves a person time."""
        return self.seconds

    def leave(self, name: str, endpoint: str, token: str) -> float:
        """Announce that the referee waits for the program again."""
        _log.info("%s has gone: somebody starts it again", name)
        if self.announce is not None:
            self.announce(name, endpoint, token, True)
        return self.seconds

    def start(
        self, name: str, endpoint: str, token: str, folder: Path, cores: Sequence[int] | None
    ) -> RunningBot | None:
        """Announce that the referee waits for the program."""
        _log.info("%s is waited for: somebody starts it", name)
        if self.announce is not None:
            self.announce(name, endpoint, token, False)
        return None

    def explain(self, ended: ProcessExit, stderr: str, has_connected: bool) -> str:
        """Return nothing: it has no process of ours."""
        return ""

"""Hold a bot's running process: suspend and resume it, notice its end, and end it.

`arena.entrants.launch` launches it with its environment. `arena.supervisor`, a small process between this one
and the bot, applies the limits of `arena.entrants.manifest`, and kills the bot with all that it has started

- when `BotProcess.end` is called: `arena.referee.session.BotSession.end` does that for a bot that failed and when the
  referee closes, `arena.referee.roster.Roster.end_leaving` for a bot that makes room for others;
- when the bot has ended by itself or exceeds a limit;
- when this process is gone.
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import selectors
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec
import psutil

from arena import supervisor
from arena.common.printable import printable
from arena.common.processes import signal_name
from arena.common.removal import remove
from arena.entrants.manifest import ResourceLimits
from arena.entrants.orphans import end_orphans, end_own, start_own
from arena.entrants.shortage import need_descriptors, usual_open_files
from arena.isolation.control_groups import NO_GROUP, GroupOrders
from arena.supervisor.control_group import ControlGroup, own_group, remove_group
from arena.supervisor.process_tree import LINUX

_log = logging.getLogger(__name__)

DESCRIPTORS: Final = 3
"""File descriptors that a running bot uses in the process that started it: for supervisor, endpoint and connection."""
TO_START: Final = 12
"""File descriptors that a start may need for a moment, with its connection."""
LOG_BYTES: Final = 128 * 1024
"""The bytes that are kept at least of standard output and of standard error. At most twice as many are."""
_SUPERVISOR_SECONDS: Final = 15.0
_STRAYS_SECONDS: Final = 5.0
_OF_SIGNALS: Final = 128
"""What bubblewrap adds to the number of the signal that ended a bot, to make an exit code of it."""


@dataclass(frozen=True)
class ProcessExit:
    """How a bot's process ended: its exit code or the signal, and the same in words."""

    code: int | None
    signal: int | None
    reason: str
    shortage: int = 0
    """The errno with which the system refused to start it, which is no fault of the bot, or 0."""
    is_unstarted: bool = False
    """Whether its program could not be run at all, such as one that is not there."""


class BotProcess:
    """A bot that was launched. Its owner must call `end`. If this process is killed, the bot ends too."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        env: Mapping[str, str],
        scratch: Path,
        *,
        limits: ResourceLimits | None,
        cores: Sequence[int] | None = None,
        merge: bool = False,
        input: Path | None = None,
        confinement: Mapping[str, Any] | None = None,
        group: GroupOrders = NO_GROUP,
    ) -> None:
        """Start `command` in `folder`, where it has only the environment `env`. Raises `OSError`.

        `scratch` is a folder that is deleted at the end. With `merge`, both outputs go to one log. `input` is the file
        that it reads from standard input. `confinement` is what keeps the process apart, as `arena.isolation.confine`
        makes it for the supervisor, `group` its control group, as `arena.isolation.control_groups` makes that.
        """
        orders = {
            "command": command,
            "folder": str(folder),
            "env": dict(env),
            "scratch": str(scratch),
            "log_bytes": LOG_BYTES,
            "limits": None if limits is None else msgspec.structs.asdict(limits),
            "open_files": usual_open_files(),
            "cores": list(cores) if cores else None,
            "merge": merge,
            "input": None if input is None else str(input),
            "confinement": None if confinement is None else dict(confinement),
            "group": group.group,
        }
        self._is_boxed = confinement is not None and bool(confinement.get("is_box"))
        self._scratch = scratch
        self._group: str | None = None if group.group is None else group.group["path"]
        self._groups_root: str | None = None if group.group is None else group.group.get("root")
        self._token = env.get("ARENA_TOKEN")
        self._unread = b""
        self._exit: ProcessExit | None = None
        self._begun = False
        self._detached = False
        self._was_stopped = False
        self._ended = False
        self._last_output = (b"", b"")
        self._out_of_memory = _out_of_memory()
        self.pid: int | None = None
        """The bot's process, which leads its group. None until the supervisor has reported it."""
        self.is_stopped = False
        self.kept_output: Path | None = None
        """The file to which its standard error is written when it has ended, as far as that is kept; None: nowhere."""
        try:
            need_descriptors(TO_START)  # also for its connection, whose lack nothing would report
            self._supervisor_socket, theirs = socket.socketpair()
        except BaseException:
            remove(str(scratch))
            raise
        try:
            self._supervisor = self._start_supervisor(theirs, group)
        except BaseException:
            self._supervisor_socket.close()
            remove(str(scratch))
            raise
        self.report_fd = self._supervisor_socket.fileno()
        """A file descriptor that becomes readable when `poll` has something to report."""
        self._send_orders(orders)

    def _start_supervisor(self, theirs: socket.socket, group: GroupOrders) -> subprocess.Popen[bytes]:
        with theirs, (self._scratch / "supervisor.stderr").open("wb") as stderr:
            return start_own(
                [*group.prefix, sys.executable, "-I", "-S", supervisor.SCRIPT],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=stderr,
                env={"PATH": os.defpath, **group.environment},
            )

    def _send_orders(self, orders: Mapping[str, Any]) -> None:
        """Send the orders: through a socket and not as an argument, because every user can read arguments."""
        with contextlib.suppress(ConnectionError):
            self._supervisor_socket.sendall(json.dumps(orders).encode() + b"\n")
        self._supervisor_socket.setblocking(False)

    def poll(self) -> ProcessExit | None:
        """Return how the bot ended. Return None while it runs. Never waits."""
        while self._exit is None:
            try:
                news = self._supervisor_socket.recv(65536)
            except BlockingIOError:
                break
            except ConnectionError:  # it ended before it read everything
                news = b""
            if not news:
                self._exit = self._without_supervisor()
                break
            self._unread += news
            *lines, self._unread = self._unread.split(b"\n")
            for line in lines:
                self._handle_report(line)
        return self._exit

    def wait(self, seconds: float) -> ProcessExit | None:
        """Wait up to `seconds` for the bot to end, and return how it did. Return None if it still runs."""
        limit = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            if self._exit is None:
                selector.register(self.report_fd, selectors.EVENT_READ)
            while self.poll() is None and (left := limit - time.monotonic()) > 0:
                selector.select(left)
        return self._exit

    def _handle_report(self, line: bytes) -> None:
        try:
            news: dict[str, Any] = json.loads(line)
            if "pid" in news:
                self.pid = int(news["pid"])
                _log.debug("process %d runs under the supervisor %d", self.pid, self.supervisor_pid)
            elif "begun" in news:
                self._begun = True
            elif "shortage" in news:
                self._exit = ProcessExit(
                    None, None, f"no process could be started: {news['why']}", int(news["shortage"])
                )
            elif "detached" in news:
                self._detached = True
                if self.is_stopped:
                    self._send(b"s")
            elif "limit" in news:
                self._exit = ProcessExit(None, signal.SIGKILL, f"ended for using {news['limit']}")
            else:
                self._exit = self._describe_exit(int(news["exit"]))
        except (ValueError, TypeError, KeyError):
            self._exit = ProcessExit(None, None, "its supervisor was disturbed")

    def _without_supervisor(self) -> ProcessExit:
        code = self._supervisor.poll()
        by = f" by {signal_name(-code)}" if code is not None and code < 0 else ""
        if self._was_stopped:
            return ProcessExit(None, None, "its supervisor was stopped from outside")
        if self._begun:  # the bot may have done that
            return ProcessExit(None, None, f"its supervisor was ended{by} from outside")
        *_, why = ["no reason is known", *self.stderr_tail().splitlines()]
        return ProcessExit(None, None, f"its supervisor ended{by} before it could start it: {why}", errno.EAGAIN)

    def _describe_exit(self, code: int) -> ProcessExit:
        if self._is_boxed and _OF_SIGNALS < code <= _OF_SIGNALS + signal.NSIG:
            code = _OF_SIGNALS - code
        if self._is_boxed and code == 1 and self.stderr_tail(1).startswith("bwrap: execvp "):
            return ProcessExit(127, None, "could not be started in its box", is_unstarted=True)
        if code == -signal.SIGKILL:
            meanwhile = " while memory had run out" if _out_of_memory() > self._out_of_memory else ""
            return ProcessExit(None, signal.SIGKILL, f"killed from outside (SIGKILL, not sent by the arena){meanwhile}")
        if code < 0:
            return ProcessExit(None, -code, f"ended by {signal_name(-code)}")
        if self.pid is None:
            return ProcessExit(code, None, "could not be started", is_unstarted=True)
        return ProcessExit(code, None, f"exit code {code}")

    def stop(self) -> None:
        """Stop the bot's processes with SIGSTOP."""
        if not self.is_stopped and self._signal(signal.SIGSTOP):
            _log.debug("SIGSTOP to the bot's group %s", self.pid)
            self.is_stopped = True
            if self._detached:
                self._send(b"s")

    def resume(self) -> None:
        """Continue the bot's processes."""
        if self.is_stopped:
            self.is_stopped = False
            _log.debug("SIGCONT to the bot's group %s", self.pid)
            self._signal(signal.SIGCONT)
            if self._detached:
                self._send(b"g")

    def begin_game(self) -> None:
        """Note that a game of the bot begins: the limit of processor time holds for it from now on."""
        self._send(b"n")

    def _signal(self, number: int) -> bool:
        self._end_stopped_supervisor()
        if self.pid is None:
            self.poll()
        if self.pid is None or self._exit is not None:
            return False
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _end_stopped_supervisor(self) -> None:
        """Kill a supervisor that somebody has stopped, because what it watches over could do anything meanwhile."""
        try:
            stopped = os.waitid(os.P_PID, self.supervisor_pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return
        if stopped is not None and not self._was_stopped:
            self._was_stopped = True
            self._supervisor.kill()

    def _send(self, letter: bytes) -> None:
        with contextlib.suppress(OSError):
            self._supervisor_socket.send(letter)

    @property
    def supervisor_pid(self) -> int:
        """The supervisor's process id. It is the parent of all of the bot's processes."""
        return self._supervisor.pid

    def group(self) -> ControlGroup | None:
        """Return the control group in which the bot's processes are. None: it has none of its own."""
        path = self._group
        if self._groups_root is not None:  # systemd made it
            path = own_group(self._groups_root, f"/proc/{self.supervisor_pid}/cgroup")
        return None if path is None else ControlGroup(path, None)

    def owns(self, pid: int) -> bool:
        """Return whether that process is the bot or was started by it."""
        return self.supervisor_pid in ancestors(pid)

    def processes(self) -> list[psutil.Process]:
        """Return the bot's process and all that it started."""
        try:
            return psutil.Process(self._supervisor.pid).children(recursive=True)
        except psutil.Error:
            return []

    def stderr_tail(self, lines: int = 10) -> str:
        """Return the last lines that the bot wrote to standard error, made printable. Works after its end too."""
        return _tail(self._last_output[0] if self._ended else self._stderr(), lines)

    def stdout_tail(self, lines: int = 10) -> str:
        """Return the last lines that the bot wrote to standard output, made printable. Works after its end too."""
        return _tail(self._last_output[1] if self._ended else self._stdout(), lines)

    def _stderr(self) -> bytes:
        return b"".join(_read(self._scratch / name) for name in ("supervisor.stderr", "log.stderr.1", "log.stderr"))

    def _stdout(self) -> bytes:
        return b"".join(_read(self._scratch / name) for name in ("log.stdout.1", "log.stdout"))

    @property
    def is_output_cut(self) -> bool:
        """Whether the bot wrote more than is kept; False after its end."""
        return any(os.path.lexists(self._scratch / f"log.{name}.1") for name in ("stdout", "stderr"))

    def end(self, grace: float = 0.0) -> None:
        """Wait up to `grace` seconds for the bot to end by itself, then end everything that it started."""
        if self._ended:
            return
        if grace:
            self.resume()
            self.wait(grace)
        self._exit = self.poll() or ProcessExit(None, signal.SIGKILL, "ended by the arena")
        self._send(b"e")
        with contextlib.suppress(ProcessLookupError):
            self._supervisor.send_signal(signal.SIGCONT)  # the bot may have stopped it
        with contextlib.suppress(OSError):
            self._supervisor_socket.shutdown(socket.SHUT_WR)
        try:
            code = self._supervisor.wait(_SUPERVISOR_SECONDS)
        except subprocess.TimeoutExpired:
            self._supervisor.kill()
            code = self._supervisor.wait()
        end_own(self._supervisor)
        _log.debug("process %s: %s", self.pid, self._exit.reason)
        self._last_output = (self._stderr(), self._stdout())
        if self.kept_output is not None and self._last_output[0]:
            with contextlib.suppress(OSError):  # results do not depend on it
                self.kept_output.write_bytes(self._last_output[0])
        self._ended = True
        self.is_stopped = False
        self._supervisor_socket.close()
        if code or not LINUX:
            if self._group is not None:
                remove_group(self._group)
            self._kill_strays()
        remove(str(self._scratch))

    def _kill_strays(self) -> None:
        """Kill what is in the bot's session or has its token in the environment, if the supervisor could not."""
        limit = time.monotonic() + _STRAYS_SECONDS
        while (strays := list(self._strays())) and time.monotonic() < limit:
            for process in strays:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(strays, timeout=0.1)
        end_orphans(0.0, max(0.1, limit - time.monotonic()))

    def _strays(self) -> Iterator[psutil.Process]:
        for process in psutil.process_iter(["environ", "status"]):
            if process.info["status"] != psutil.STATUS_ZOMBIE:
                token = (process.info["environ"] or {}).get("ARENA_TOKEN", "")
                by_token = self._token is not None and token == self._token
                if by_token or (self.pid is not None and _session(process.pid) == self.pid):
                    yield process


def new_scratch(run_dir: Path, prefix: str) -> Path:
    """Create a folder for one start, with `home` and `tmp` in it, and return it."""
    scratch = Path(tempfile.mkdtemp(prefix=prefix, dir=run_dir))
    try:
        for folder in ("home", "tmp"):
            (scratch / folder).mkdir()
    except OSError:
        remove(str(scratch))
        raise
    return scratch


def ancestors(pid: int) -> frozenset[int]:
    """Return the ancestors of a process. Return none if it is gone."""
    try:
        return frozenset(each.pid for each in psutil.Process(pid).parents())
    except (psutil.Error, OSError):  # or there is no descriptor left
        return frozenset()


def _tail(output: bytes, lines: int) -> str:
    tail = output.decode("utf-8", "replace").splitlines()[-lines:] if lines else []
    return "\n".join(printable(line, keep="\t")[:400] for line in tail)


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _read(path: Path) -> bytes:
    """Read a log. A bot may have replaced it with something that would block or fill the memory."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        file.seek(max(0, os.fstat(descriptor).st_size - LOG_BYTES))
        return file.read(LOG_BYTES)


def _out_of_memory() -> int:
    """Return how many processes the system has killed so far because memory ran out. Return 0 if it does not say."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/vmstat").read_text("ascii").splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0

"""Start one bot under its limits, watch it, and end it: the small process between a worker and a bot.

The bot and all that it has started are killed when it exceeds one of the `arena.entrants.limits`, when it has ended by
itself, when the worker says so and when the worker is gone. `arena.entrants.bot_process.BotProcess.end` says so; the
referee calls it for a bot that failed or makes room for others, and when it closes. The environment is that of
`arena.entrants.launch`.

The worker runs this file as a script. It uses the standard library only, so that it starts quickly. It starts no other
program than the bot, because it stands outside of what confines the bot. Its standard input and output are one socket
to the worker: unlike a pipe, a socket cannot be opened by others through `/proc`. The first line is a JSON object, the
orders; they hold the command, the environment and the limits. Then come single letters: `s` to stop and `g` to continue
processes outside the bot's group, and `e` before an orderly end. When the socket closes, because the worker closed it
or was killed, everything that the bot started is killed. Without an `e` before, the scratch folder is removed too.

What happens to the bot is reported on standard output, as one JSON object per line: `{"begun": true}` before its
process is made, `{"pid": n}`, `{"detached": true}` when a process left the bot's group, and at last `{"exit": code}`
(negative for a signal), `{"limit": "what was exceeded"}`, or `{"shortage": errno, "why": "in words"}` if the bot never
ran because the system refused something, which is no fault of the bot.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import resource
import select
import signal
import stat
import subprocess
import sys
import time
from typing import Any

CHUNK = 65536
WATCH_SECONDS = 0.5
END_SECONDS = 10.0
LINUX = sys.platform == "linux"
SHORTAGES = frozenset(
    {errno.EAGAIN, errno.EDQUOT, errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM, errno.ENOSPC}
)
"""Errors by which the system reports that it lacks something. They are nobody's mistake."""
SPARE_DATA_MB = 256
"""How much more than twice its memory a confined process may ask for. Few programs use all that they ask for."""
PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
OOM_SCORE = "/proc/self/oom_score_adj"
FIRST_TO_KILL = b"1000"
"""In `OOM_SCORE`: the process is killed before all others when memory runs out."""


def main() -> int:
    """Start the bot, and wait until it and all that it started are gone. Return 0 if that is certain."""
    if LINUX:
        # No other process of the same user may read the orders in memory, or open what this process has open.
        _prctl(PR_SET_DUMPABLE, 0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    worker = Worker()
    orders = worker.orders
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    if LINUX:
        # Whatever the bot starts, however it detaches itself, stays below this process.
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
        if orders["cores"]:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, orders["cores"])
    gone, begun, running = True, False, False
    bot: subprocess.Popen[bytes] | None = None
    try:
        logs = _logs(orders)
        _report({"begun": True})
        begun = True
        confinement = _confinement(orders)
        bot = _start(orders, confinement)
        try:
            if confinement is not None:
                confinement.started(bot)
            running = True
            _report({"pid": bot.pid})
            Watch(bot, worker, wake, logs, 0 if confinement is None else confinement.helpers).run()
        finally:
            gone = kill_all(bot.pid)
    except (OSError, ValueError, MemoryError, subprocess.SubprocessError) as error:
        why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        program = (orders["confinement"] or {}).get("program", orders["command"][0])
        sys.stderr.write(f"{program}: {why}\n")
        sys.stderr.flush()
        if not begun or (not running and is_shortage(error)):
            _report({"shortage": getattr(error, "errno", None) or errno.ENOMEM, "why": why})
        else:
            _report({"exit": 127})
        worker.wait_for_end()
    finally:
        if not worker.orderly:
            _clear(orders["scratch"])
    return 0 if gone else 1


def is_shortage(error: BaseException) -> bool:
    """Return whether an error means that the system lacks something."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in SHORTAGES)


class Worker:
    """The worker, at the other end of standard input."""

    def __init__(self) -> None:
        """Read the orders, which come first."""
        data = b""
        while b"\n" not in data:
            more = _receive()
            if not more:
                sys.exit(1)
            data += more
        line, _, rest = data.partition(b"\n")
        self.orders: dict[str, Any] = json.loads(line)
        self.orderly = False
        """Whether the worker announced an orderly end."""
        self.stopped = False
        """Whether the worker wants the bot stopped."""
        self._obey(rest)

    def listen(self) -> bool:
        """Read the worker's letters. Return False if it is gone or wants the bot to end."""
        letters = _receive()
        self._obey(letters)
        return bool(letters)

    def wait_for_end(self) -> None:
        """Wait until the worker has learnt of the bot's end.

        Until then no other process can get the bot's process id.
        """
        while self.listen():
            pass

    def _obey(self, letters: bytes) -> None:
        for letter in letters:
            if letter == ord("e"):
                self.orderly = True
            else:
                self.stopped = letter == ord("s")


def _receive() -> bytes:
    """Read what the worker sends. It is empty when the worker is gone."""
    try:
        return os.read(0, CHUNK)
    except ConnectionError:  # it was killed before it read everything
        return b""


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _confinement(orders: dict[str, Any]) -> Any:
    """Prepare what keeps the bot apart, by the module that the orders name. Return None if nothing does."""
    if orders["confinement"] is None:
        return None
    folder, module = os.path.split(orders["confinement"]["module"])
    sys.path.append(folder)  # behind the standard library
    return __import__(module.removesuffix(".py")).prepare(orders)


def _start(orders: dict[str, Any], confinement: Any) -> subprocess.Popen[bytes]:
    supervisor = os.getpid()

    def confine() -> None:
        limits = orders["limits"]
        if not limits:
            _limit(resource.RLIMIT_NOFILE, orders["open_files"], hard_too=False)
        else:
            _limit(resource.RLIMIT_CORE, 0)
            _limit(resource.RLIMIT_NOFILE, limits["open_files"])
            _limit(resource.RLIMIT_FSIZE, limits["file_mb"] << 20)
            if confinement is not None:
                _limit(resource.RLIMIT_DATA, (2 * limits["memory_mb"] + SPARE_DATA_MB) << 20)
        if LINUX:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != supervisor:
                os.kill(os.getpid(), signal.SIGKILL)
            _prctl(PR_SET_DUMPABLE, 1)  # else the next file is root's; the bot's own program sets it anyway
            with contextlib.suppress(OSError):
                score = os.open(OOM_SCORE, os.O_WRONLY)
                os.write(score, FIRST_TO_KILL)
                os.close(score)
        if confinement is not None:
            confinement.in_child()

    with open(orders["input"] or os.devnull, "rb") as given:  # noqa: PTH123 - pathlib is slow to import
        return subprocess.Popen(
            orders["command"] if confinement is None else confinement.command,
            cwd=orders["folder"],
            env=orders["env"],
            stdin=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if orders["merge"] else subprocess.PIPE,
            start_new_session=True,
            pass_fds=() if confinement is None else confinement.pass_fds,
            preexec_fn=confine,
        )


def _limit(kind: int, limit: int, hard_too: bool = True) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit if hard_too else hard))


def _report(news: dict[str, Any]) -> None:
    with contextlib.suppress(ConnectionError):
        os.write(1, json.dumps(news).encode() + b"\n")


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


def _logs(orders: dict[str, Any]) -> list[CappedLog]:
    """Open the logs of the outputs. This comes before the bot runs, which could not be blamed if it failed."""
    names = ["stderr"] if orders["merge"] else ["stdout", "stderr"]
    return [CappedLog(f"{orders['scratch']}/log.{name}", orders["log_bytes"]) for name in names]


class Watch:
    """The watch over a running bot, until it ends, exceeds a limit, or the worker is gone."""

    def __init__(
        self, bot: subprocess.Popen[bytes], worker: Worker, wake: int, logs: list[CappedLog], helpers: int = 0
    ) -> None:
        """Prepare to watch the bot.

        Args:
            bot: The bot's process.
            worker: The worker.
            wake: A descriptor that becomes readable when a child of this process ends.
            logs: The logs of the bot's outputs.
            helpers: The number of processes that are not the bot's own, but keep it apart.
        """
        self._helpers = helpers
        self._bot, self._worker, self._wake = bot.pid, worker, wake
        pipes = [pipe for pipe in (bot.stdout, bot.stderr) if pipe is not None]
        self._logs = {pipe.fileno(): log for pipe, log in zip(pipes, logs, strict=True)}
        self._detached = False

    def run(self) -> None:
        """Watch, and return when only the remaining processes have to be killed."""
        look = time.monotonic() + WATCH_SECONDS
        while True:
            ready, _, _ = select.select([0, self._wake, *self._logs], [], [], max(0.0, look - time.monotonic()))
            self._drain([fd for fd in ready if fd in self._logs])
            if self._wake in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._wake, CHUNK)
            if 0 in ready:
                if not self._worker.listen():
                    return
                self._signal_detached()
            code = exit_code(self._bot)
            end: dict[str, Any] | None = None if code is None else {"exit": code}
            if end is None and time.monotonic() >= look:
                end = self._look()
                look = time.monotonic() + WATCH_SECONDS
            if end is not None:
                kill_all(self._bot)
                self._last_words()
                _report(end)
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
        """Return which limit of memory or processes the bot exceeds. Return None if it exceeds none."""
        usage = processes()
        _reap(usage)
        if not self._detached and any(_group(pid) != self._bot for pid in usage):
            self._detached = True
            _report({"detached": True})
        if self._worker.stopped:
            self._signal_detached()
        limits = self._worker.orders["limits"]
        if not limits:
            return None
        own = len(usage) - self._helpers
        if own > limits["processes"]:
            return {"limit": f"{own} processes (limit {limits['processes']})"}
        if sum(usage.values()) >> 20 > limits["memory_mb"]:
            memory = sum(_fair_memory(pid, resident) for pid, resident in usage.items()) >> 20
            if memory > limits["memory_mb"]:
                return {"limit": f"{memory} MiB of memory (limit {limits['memory_mb']})"}
        return None

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


def exit_code(pid: int) -> int | None:
    """Return the exit code of a child if it has ended. Its process id stays taken, so that no other process gets it."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return -signal.SIGKILL
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def processes() -> dict[int, int]:
    """Return the processes below this one, with their resident memory in bytes; 0 for one that has ended."""
    return processes_in_proc() if LINUX else processes_of_ps()


def processes_in_proc() -> dict[int, int]:
    """Return the same from `/proc`."""
    found: dict[int, int] = {}
    left = _children(os.getpid())
    while left:
        pid = left.pop()
        if pid not in found:
            found[pid] = _resident(pid)
            left += _children(pid)
    return found


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []


def _children(pid: int) -> list[int]:
    children: list[int] = []
    for thread in _threads(pid):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
            children += map(int, file.read().split())
    return children


def _resident(pid: int) -> int:
    # The first thread may have ended before the others: it shows no memory then, but they do.
    for thread in sorted(_threads(pid), key=int):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/statm", "rb") as file:  # noqa: PTH123
            pages = int(file.read().split()[1])
            if pages:
                return pages * os.sysconf("SC_PAGESIZE")
    return 0


def _fair_memory(pid: int, resident: int) -> int:
    """Return resident memory with shared pages counted once, if the system says. Slow."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
    return resident


def processes_of_ps() -> dict[int, int]:
    """Return the same from `ps`, without `ps` itself."""
    with subprocess.Popen(["/bin/ps", "-axo", "pid=,ppid=,rss="], stdout=subprocess.PIPE) as ps:
        assert ps.stdout is not None
        lines = ps.stdout.read().splitlines()
    below: dict[int, list[tuple[int, int]]] = {}
    for line in lines:
        pid, parent, resident = map(int, line.split())
        if pid != ps.pid:
            below.setdefault(parent, []).append((pid, resident * 1024))
    found: dict[int, int] = {}
    left = below.get(os.getpid(), [])
    while left:
        pid, resident = left.pop()
        found[pid] = resident
        left = left + below.get(pid, [])
    return found


def _reap(usage: dict[int, int]) -> None:
    """Reap ended orphans, which are children of this process; the bot itself has not ended here."""
    for pid, resident in list(usage.items()):
        if not resident:
            with contextlib.suppress(ChildProcessError):
                if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG) is not None:
                    del usage[pid]


def kill_all(bot: int) -> bool:
    """Kill the bot's group and everything below this process until only the ended bot is left.

    Return False if something survives.
    """
    limit = time.monotonic() + END_SECONDS
    known: set[int] = set()
    while time.monotonic() < limit:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(bot, signal.SIGKILL)
        alive = {pid for pid, resident in processes().items() if resident or not _has_ended(pid, bot)}
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not alive:
            return True
        if alive <= known:
            time.sleep(0.002)  # they are dying; while new ones come there is no time to lose
        known |= alive
    return False


def _has_ended(pid: int, bot: int) -> bool:
    """Return whether a process without memory has ended. A child other than the bot is reaped at once."""
    if pid == bot:
        return exit_code(bot) is not None
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG) is not None
    return True  # not our child: its parent is being killed, then it becomes ours


def _clear(scratch: str) -> None:
    """Remove the scratch folder of a killed worker, and the worker's own folder after the last one."""
    import runpy  # slow to import, and not needed before

    remover = os.path.join(os.path.dirname(__file__), "removal.py")  # noqa: PTH118, PTH120
    runpy.run_path(remover)["remove"](scratch)
    folder = os.path.dirname(scratch)  # noqa: PTH120
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if stat.S_ISSOCK(entry.stat(follow_symlinks=False).st_mode):
                os.unlink(entry.path)  # noqa: PTH108
        os.rmdir(folder)  # noqa: PTH106


if __name__ == "__main__":
    sys.exit(main())

"""The small process between a worker and one bot: starts it, watches it, and leaves nothing of it behind.

Run as a script by the worker (standard library only, so that it starts quickly). It is told what to do by one JSON
argument. Its standard input is a pipe that the worker holds: when that ends, because the worker says so or because it
was killed, everything that the bot started is killed. What happens to the bot is reported on standard output, one JSON
object a line: `{"pid": n}`, then at last `{"exit": code}` (negative: the signal) or `{"limit": "what was exceeded"}`.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from typing import Any

CHUNK = 65536
WATCH_SECONDS = 1.0
END_SECONDS = 10.0
LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Start the bot of the JSON argument and stay until it and all it started are gone."""
    orders = json.loads(sys.argv[1])
    if LINUX:
        # Whatever the bot starts, however it detaches itself, stays below this process.
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
    if orders["cores"] and LINUX:
        os.sched_setaffinity(0, orders["cores"])
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    try:
        bot = _start(orders)
    except OSError as error:
        sys.stderr.write(f"{orders['command'][0]}: {error.strerror}\n")
        _report({"exit": 127})
        return
    _report({"pid": bot.pid})
    try:
        _watch(bot, orders, wake)
    finally:
        _kill_all(bot.pid)
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, bot.pid, os.WEXITED | os.WNOHANG)


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(orders: dict[str, Any]) -> subprocess.Popen[bytes]:
    def confine() -> None:
        for kind, limit in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_NOFILE, orders["open_files"])):
            _limit(kind, limit)
        _limit(resource.RLIMIT_FSIZE, orders["file_bytes"])
        if LINUX:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    return subprocess.Popen(
        orders["command"],
        cwd=orders["folder"],
        env=orders["env"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=confine,
    )


def _limit(kind: int, limit: int) -> None:
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit))


def _report(news: dict[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.dumps(news).encode() + b"\n")


class _CappedLog:
    """The newest output of a bot: two files, of which the older is thrown away when the newer is full."""

    def __init__(self, path: str, cap: int) -> None:
        self._path, self._cap, self._size = path, cap, 0
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115, PTH123

    def write(self, data: bytes) -> None:
        if self._size + len(data) > self._cap:
            self._file.close()
            os.replace(self._path, self._path + ".1")  # noqa: PTH105
            self._file = open(self._path, "wb", buffering=0)  # noqa: SIM115, PTH123
            self._size = 0
        self._file.write(data)
        self._size += len(data)


def _watch(bot: subprocess.Popen[bytes], orders: dict[str, Any], wake: int) -> None:
    assert bot.stdout is not None
    assert bot.stderr is not None
    logs = {
        bot.stdout.fileno(): _CappedLog(orders["log"] + ".stdout", orders["log_bytes"]),
        bot.stderr.fileno(): _CappedLog(orders["log"] + ".stderr", orders["log_bytes"]),
    }
    look = time.monotonic() + WATCH_SECONDS
    while True:
        ready, _, _ = select.select([0, wake, *logs], [], [], max(0.0, look - time.monotonic()))
        _drain([fd for fd in ready if fd in logs], logs)
        if 0 in ready and not os.read(0, CHUNK):
            return  # the worker is gone or wants this bot gone
        if wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wake, CHUNK)
        code = _exit_code(bot.pid)
        if code is not None:
            _last_words(logs)
            _kill_all(bot.pid)
            _report({"exit": code})
            # Its number stays taken until the worker, who may signal it, has heard of its end.
            while os.read(0, CHUNK):
                pass
            return
        if time.monotonic() >= look:
            excess = _excess(orders)
            if excess:
                _kill_all(bot.pid)
                _report({"limit": excess})
                while os.read(0, CHUNK):
                    pass
                return
            look = time.monotonic() + WATCH_SECONDS


def _drain(ready: list[int], logs: dict[int, _CappedLog]) -> None:
    for fd in ready:
        data = os.read(fd, CHUNK)
        if data:
            logs[fd].write(data)
        else:
            del logs[fd]


def _last_words(logs: dict[int, _CappedLog]) -> None:
    """What still lies in the pipes when the bot is gone; others that hold them open are not waited for."""
    limit = time.monotonic() + WATCH_SECONDS
    while logs and time.monotonic() < limit:
        ready, _, _ = select.select(list(logs), [], [], 0)
        if not ready:
            return
        _drain(ready, logs)


def _exit_code(pid: int) -> int | None:
    """The bot's exit code if it has ended; its process number is kept, so that nobody else can get it."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return -signal.SIGKILL
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _excess(orders: dict[str, Any]) -> str | None:
    """What of memory or processes the bot uses too much of."""
    usage = _processes()
    _reap(usage)
    if len(usage) > orders["processes"]:
        return f"{len(usage)} processes, allowed are {orders['processes']}"
    memory = sum(usage.values()) >> 20
    if memory > orders["memory_mb"]:
        return f"{memory} MiB of memory, allowed are {orders['memory_mb']}"
    return None


def _processes() -> dict[int, int]:
    """Everything below this process: its number, and its resident memory in bytes."""
    return _processes_in_proc() if LINUX else _processes_of_ps()


def _processes_in_proc() -> dict[int, int]:
    page = os.sysconf("SC_PAGESIZE")
    found: dict[int, int] = {}
    left = _children(os.getpid())
    while left:
        pid = left.pop()
        if pid in found:
            continue
        try:
            with open(f"/proc/{pid}/statm", "rb") as statm:  # noqa: PTH123
                found[pid] = int(statm.read().split()[1]) * page
            left += _children(pid)
        except (OSError, IndexError):
            continue  # it ended just now
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:  # noqa: PTH123
                children += map(int, file.read().split())
    return children


def _processes_of_ps() -> dict[int, int]:
    listing = subprocess.run(["ps", "-axo", "pid=,ppid=,rss="], capture_output=True, text=True, check=False)
    below: dict[int, list[tuple[int, int]]] = {}
    for line in listing.stdout.splitlines():
        pid, parent, memory = map(int, line.split())
        below.setdefault(parent, []).append((pid, memory * 1024))
    found: dict[int, int] = {}
    left = below.get(os.getpid(), [])
    while left:
        pid, memory = left.pop()
        found[pid] = memory
        left = left + below.get(pid, [])
    return found


def _reap(usage: dict[int, int]) -> None:
    """Orphans that ended are children of this process now: let them go."""
    for pid, memory in list(usage.items()):
        if not memory:  # a zombie has none
            with contextlib.suppress(ChildProcessError):
                ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG)
                if ended is not None:
                    del usage[pid]


def _kill_all(bot: int) -> None:
    """Kill the bot's group and everything below this process, again and again until nothing but the bot is left."""
    limit = time.monotonic() + END_SECONDS
    while time.monotonic() < limit:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(bot, signal.SIGKILL)
        alive = [pid for pid, memory in _processes().items() if memory or not _is_zombie(pid, bot)]
        for pid in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not alive:
            return
        time.sleep(0.002)


def _is_zombie(pid: int, bot: int) -> bool:
    """Whether a process without memory has ended; one of our children, the bot apart, is let go at once."""
    if pid == bot:
        return _exit_code(bot) is not None
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG) is not None
    return True  # not our child: its parent is being killed, then it becomes ours


if __name__ == "__main__":
    main()

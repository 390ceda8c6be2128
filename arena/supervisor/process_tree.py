"""Find the processes below this one, with their memory and processor time, and kill them.

The processor time of a bot is that of all its processes, those that have ended included. Each process knows its own
time and that of the children that it waited for; this process knows that of the orphans that it reaped. What a child
used whose parent never waits for it is lost with it. So the times at which processes were last seen are added up too,
and the greater of the two sums counts. Neither can be too great.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable

END_SECONDS = 10.0
LINUX = sys.platform == "linux"
_SHARED_MAP = b"/dev/zero (deleted)"
"""How `/proc` names maps without a file that a process shares with its children."""
MOST_SHARED = 1 << 20
"""The most bytes that a confined process may share with its children by one map without a file."""
_UTIME, _STIME, _CUTIME, _CSTIME, _STARTTIME = 11, 12, 13, 14, 19
"""Places in `/proc/<pid>/stat`, counted from the state, which follows the name in brackets (proc(5))."""


def exit_code(pid: int) -> int | None:
    """Return the exit code of a child if it has ended. Its process id stays taken, so that no other process gets it."""
    try:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return -signal.SIGKILL
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def end_descriptor(child: int) -> int:
    """Return a descriptor that becomes readable when a child has ended.

    It stands for the process. A signal would come at every stop and continuation of the bot too, twice for a decision,
    and each time this process would wake up for nothing.
    """
    try:
        return os.pidfd_open(child)
    except (AttributeError, OSError):  # a system without, or a container that forbids it
        return _signal_pipe()


def _signal_pipe() -> int:
    """Return a pipe that becomes readable at once, and whenever something has happened to a child."""
    end, waker = os.pipe()
    os.set_blocking(waker, False)
    os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    os.write(waker, b"\0")  # it may have ended before
    return end


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
    return sum(_held(pid))


def _held(pid: int) -> tuple[int, int]:
    """Return resident memory, and what a process has besides: swapped out, in huge pages, and for tables of pages."""
    # The first thread may have ended before the others: it shows no memory then, but they do.
    for thread in sorted(_threads(pid), key=int):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{thread}/status", "rb") as file:  # noqa: PTH123
            found = {line.partition(b":")[0]: line.split()[1] for line in file if line.rstrip().endswith(b" kB")}
            if int(found.get(b"VmRSS", 0)):
                besides = sum(int(found.get(name, 0)) for name in (b"VmSwap", b"HugetlbPages", b"VmPTE"))
                return int(found[b"VmRSS"]) << 10, besides << 10
    return 0, 0


def fair_memory(pid: int, resident: int) -> int:
    """Return that memory with shared pages counted once, if the system says. Slow."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123
        for line in file:
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024 + _held(pid)[1]
    return resident


def _belongs_to_others(pid: int) -> bool:
    """Return whether a process has taken its files in `/proc` from its user, not the system all of them."""
    try:
        return os.stat(f"/proc/{pid}").st_uid != os.getuid()  # noqa: PTH116
    except OSError:
        return False


def shared_memory(pids: Iterable[int]) -> int:
    """Return the most that processes can keep in maps without a file that they share with their children.

    What is in there is not resident any more once it was let go (`MADV_DONTNEED`), and not even mapped. So each counts
    as much as `seccomp` lets one have. A process that does not let us see its maps raises `PermissionError`.
    """
    found: set[bytes] = set()
    for pid in pids:
        try:
            with open(f"/proc/{pid}/maps", "rb") as file:  # noqa: PTH123
                # The device and the number of a file that is in memory alone.
                found |= {line.split()[4] for line in file if line.rstrip().endswith(_SHARED_MAP)}
        except PermissionError:
            if _belongs_to_others(pid):
                raise
        except OSError:  # it has ended
            continue
    return len(found) * MOST_SHARED


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


def reap(usage: dict[int, int]) -> None:
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
        if not alive and _has_no_other_child(bot):
            return True
        if alive <= known:
            time.sleep(0.002)  # they are dying; while new ones come there is no time to lose
        known |= alive
    return False


def _has_no_other_child(bot: int) -> bool:
    """Return whether the ended bot is the only child, so that nothing is left below this process.

    A look at the tree misses a process whose parent ends just before it is asked for its children. That process is a
    child of this one by then. On other systems than Linux it is not.
    """
    return not LINUX or set(_children(os.getpid())) <= {bot}


def _has_ended(pid: int, bot: int) -> bool:
    """Return whether a process without memory has ended. A child other than the bot is reaped at once."""
    if pid == bot:
        return exit_code(bot) is not None
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG) is not None
    return True  # not our child: its parent is being killed, then it becomes ours


class ProcessorTime:
    """The processor time of the processes below this one."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[tuple[int, int], float] = {}
        """The seconds of each process itself, by its id and when it began: ids are used again."""
        self._of_ended = 0.0
        self._most = 0.0

    def add_up(self, pids: Iterable[int]) -> float:
        """Return the seconds so far, given the processes that live now. It never falls."""
        own, waited_for = times_in_proc(pids) if LINUX else times_of_ps(pids)
        self._of_ended += sum(seconds for key, seconds in self._seen.items() if key not in own)
        self._seen = own
        reaped = resource.getrusage(resource.RUSAGE_CHILDREN)
        living = sum(own.values())
        by_parents = living + waited_for + reaped.ru_utime + reaped.ru_stime
        self._most = max(self._most, self._of_ended + living, by_parents if LINUX else 0.0)
        return self._most


def times_in_proc(pids: Iterable[int]) -> tuple[dict[tuple[int, int], float], float]:
    """Return the seconds of each process itself, and the sum of those of the children that they waited for."""
    ticks = os.sysconf("SC_CLK_TCK")
    own: dict[tuple[int, int], float] = {}
    waited_for = 0.0
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
            found = [int(word) for word in file.read().rpartition(b")")[2].split()[1:20]]
            found.insert(0, 0)  # the state, which is a letter
            own[pid, found[_STARTTIME]] = (found[_UTIME] + found[_STIME]) / ticks
            waited_for += (found[_CUTIME] + found[_CSTIME]) / ticks
    return own, waited_for


def times_of_ps(pids: Iterable[int]) -> tuple[dict[tuple[int, int], float], float]:
    """Return the same from `ps`, which does not say what was waited for, nor in numbers when a process began."""
    wanted = ",".join(map(str, pids))
    if not wanted:
        return {}, 0.0
    with subprocess.Popen(["/bin/ps", "-o", "pid=,time=", "-p", wanted], stdout=subprocess.PIPE) as ps:
        assert ps.stdout is not None
        lines = ps.stdout.read().decode().split("\n")
    own: dict[tuple[int, int], float] = {}
    for line in lines:
        if line.strip():
            pid, time = line.split()
            own[int(pid), 0] = seconds_of(time)
    return own, 0.0


def seconds_of(time: str) -> float:
    """Read a time as `ps` writes it: `[[days-]hours:]minutes:seconds`, with hundredths or without."""
    days, _, rest = time.rpartition("-")
    seconds = 0.0
    for part in rest.split(":"):
        seconds = seconds * 60 + float(part)
    return seconds + 86400 * int(days or 0)

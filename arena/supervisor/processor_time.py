"""Add up the processor time of a bot: of all its processes, those that have ended included.

Each process knows its own time and that of the children that it waited for; this process knows that of the orphans that
it reaped. What a child used whose parent never waits for it is lost with it. So the times at which processes were last
seen are added up too, and the greater of the two sums counts. Neither can be too great.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
from collections.abc import Iterable

from arena.supervisor.process_tree import LINUX

_UTIME, _STIME, _CUTIME, _CSTIME, _STARTTIME = 11, 12, 13, 14, 19
"""Places in `/proc/<pid>/stat`, counted from the state, which follows the name in brackets (proc(5))."""


class ProcessorTime:
    """The processor time of the processes below this one."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[tuple[int, int], float] = {}
        """The seconds of each process itself, by its id and when it began: ids are used again."""
        self._of_ended = 0.0
        self._most = 0.0

    def look(self, pids: Iterable[int]) -> float:
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

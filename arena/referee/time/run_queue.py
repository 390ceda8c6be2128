"""How long a bot waited for a core that other processes used. Linux reports it; elsewhere no bot is credited anything.

`schedstat` reports, in nanoseconds, how long each thread ran and how long it stood ready in a run queue. A bot is
credited the time that its threads, and the referee's own, stood in a queue while it was asked. It is never credited
more than the time in which none of its processes computed, so a bot whose own threads or helpers compete with each
other gains no computing time. A thread whose priority was lowered is credited nothing: it lets others go first.

Processes that have ended may be missing in that: Linux reports nothing of a child whose parent does not want to know of
its end. So all is credited only if the bot cannot have had such children: because the kernel counts its control group,
or because nobody on this machine has started a process since all of the bot's were known. Else it is credited at most
what others of the arena computed meanwhile, and for what is left unexplained an allowance for each game.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from arena.referee.time.sched_threads import (
    PROC,
    SchedThread,
    TaskCount,
    TaskCounter,
    ran,
    read_all,
    stood_between,
    walk,
)
from arena.supervisor.control_group import ControlGroup

ALLOWANCE_SECONDS: Final = 0.25
"""For each game: what is credited at most though hidden children of the bot may have used it."""
UNCREDITED_SECONDS: Final = 0.001
"""Seconds: shorter decisions are charged as measured."""
_QUICK: Final = 100
"""After this many short decisions in a row nothing is read before the next ones."""
_SCANNED: Final = 16
"""After so many decisions that took longer, a bot's threads are looked for again, as new ones may compute by now."""
_THREADS: Final = 4
"""How many threads of a bot are read, those that used the processor most; this also bounds the credit."""
_PROCESSES: Final = 16
"""A bot with more processes is credited nothing."""
_MOST: Final = 60.0
"""The most seconds that are credited for a decision, so that every wait has an end."""
_IS_REPORTED: Final = sys.platform == "linux" and os.access(f"{PROC}/self/schedstat", os.R_OK)


class Allowance:
    """What may still be credited to a bot in one game though nobody knows who had the core meanwhile."""

    def __init__(self, seconds: float = ALLOWANCE_SECONDS) -> None:
        """Begin a game."""
        self.left = seconds
        self.taken = 0.0
        """By the decision that is awaited, as far as it is known now."""

    def settle(self) -> None:
        """Note that this decision is over."""
        self.left, self.taken = self.left - self.taken, 0.0


class RunQueueReading(NamedTuple):
    """What a bot had used and waited for at some moment."""

    at: float
    """On the waiting clock."""
    threads: Sequence[SchedThread]
    stood: list[bytes]
    """By thread: what `SchedThread.read` returned."""
    ran: dict[int, int]
    """Nanoseconds by process."""
    reaped: int
    """Nanoseconds that ended processes of the bot had run."""
    grouped: float | None
    """Seconds of all that ever ran in the bot's control group. None: it has none."""
    others: dict[int, int]
    """Nanoseconds of others of the arena, by process."""
    tasks: TaskCount | None
    """When all of the bot's processes were known, if nobody has started one since. None: the bot may have others."""


class RunQueue:
    """How long one bot's processes wait for a core."""

    def __init__(
        self,
        supervisor: int,
        own: Sequence[SchedThread],
        group: ControlGroup | None = None,
        others: Callable[[], Iterable[int]] = list,
    ) -> None:
        """Find the bot's processes.

        Args:
            supervisor: The id of the process above all of the bot's.
            own: The threads of this process through which the answers pass.
            group: The control group in which the bot runs, if it has one.
            others: Lists the ids of the arena's other processes that may compute while the bot is asked.
        """
        self._supervisor = supervisor
        self._own = own
        self._group = group
        self._others = others
        self._tasks = TaskCounter()
        self._whole: TaskCount | None = None
        """When all of its processes were known."""
        self._is_unsure = False
        """Whether all of them are to be known before it is asked next."""
        self._priority = SchedThread(f"{PROC}/{supervisor}").priority()
        self._quick = 0
        self._unscanned = 0
        """How many decisions ago its processes and threads were last looked for."""
        self._threads: dict[str, SchedThread] = {}
        self._hot: list[SchedThread] = []
        self._ran: dict[int, int] = {}
        self._reaped = 0
        if _IS_REPORTED:
            self._scan()

    def reading_before_question(self, waited: float) -> RunQueueReading | None:
        """Take a reading before the bot is asked. None: it has been answering fast, or this system reports nothing."""
        return self.take_reading(waited) if self._quick < _QUICK else None

    def take_reading(self, waited: float) -> RunQueueReading | None:
        """Take a reading. `waited`: the time on the waiting clock. None: this system reports nothing."""
        if not self._ran:
            return None
        if self._is_unsure and not (self._whole is not None and self._tasks.is_still(self._whole)):
            self._scan()
        whole = self._whole if self._whole is not None and self._tasks.last() == self._whole.last else None
        threads = (*self._hot, *self._own)
        own, others = ({pid: ran(pid) for pid in pids} for pids in (self._ran, self._others()))
        return RunQueueReading(waited, threads, read_all(threads), own, self._reaped, self._grouped(), others, whole)

    def credit(
        self, asked_at: float, since: RunQueueReading | None, waited: float, allowance: Allowance | None = None
    ) -> float:
        """Return the seconds of a decision that are not charged to the bot.

        Args:
            asked_at: When it was asked.
            since: A reading taken then or soon after.
            waited: The time on the waiting clock.
            allowance: The bot's one in this game; it notes what the decision takes of it.
        """
        if allowance is not None:
            allowance.taken = 0.0
        if waited - asked_at < UNCREDITED_SECONDS:
            self._quick += 1
            return 0.0
        self._quick = 0
        if since is None:
            return 0.0
        stood = stood_between(since.stood, read_all(since.threads))
        credit = min(stood, waited - since.at - self._computed(since), _MOST)
        self._unscanned += 1
        # What stood has mostly waited for the bot itself, which then computed all the time. If not, others of its
        # processes may have.
        is_short = credit <= UNCREDITED_SECONDS and (stood <= UNCREDITED_SECONDS or self._unscanned <= _SCANNED)
        is_known = self._is_known(since, is_short)
        if not is_short:
            self._scan(again=not is_known)
            self._is_unsure = not is_known
            stood -= self._stood_back(since)
            credit = min(stood, waited - since.at - self._computed(since), _MOST)
        if not is_known and credit > 0:
            explained = self._computed_by_others(since)
            credit = min(credit, explained + (0.0 if allowance is None else allowance.left))
            if allowance is not None:
                allowance.taken = max(0.0, credit - explained)
        return max(0.0, credit)

    def may_wait(
        self, since: RunQueueReading | None, waited: float, allowed: float, allowance: Allowance | None = None
    ) -> bool:
        """Return whether the bot may be in a run queue just now; the system reports that only when it gets a core."""
        if since is None or waited - since.at > allowed + _MOST or self._computed(since) >= allowed:
            return False
        if not self._is_known(since):
            most = self._computed_by_others(since) + (0.0 if allowance is None else allowance.left)
            if waited - since.at > allowed + most:
                return False
        return any(thread.is_ready() for thread in self._hot)

    def pids(self) -> Iterable[int]:
        """Return the ids of the bot's processes that are known."""
        return self._ran

    def close(self) -> None:
        """Close the files, as the bot will not be asked for some time."""
        for thread in self._threads.values():
            thread.close()

    def _computed(self, since: RunQueueReading) -> float:
        """Return the seconds that the bot's processes have computed since a reading; infinite if that is unknown."""
        if since.grouped is not None and (grouped := self._grouped()) is not None:
            return grouped - since.grouped
        if not since.ran.keys() <= self._ran.keys() or len(self._ran) > _PROCESSES:
            return float("inf")
        computed = sum(ran(pid) - since.ran.get(pid, 0) for pid in self._ran)
        return (computed + self._reaped - since.reaped) / 1e9

    def _grouped(self) -> float | None:
        return None if self._group is None else self._group.seconds()

    def _computed_by_others(self, since: RunQueueReading) -> float:
        """Return the seconds that others of the arena are known to have computed since a reading."""
        return sum(max(0, ran(pid) - before) for pid, before in since.others.items()) / 1e9

    def _stood_back(self, since: RunQueueReading) -> float:
        """Return the seconds that threads stood in run queues since a reading whose priority was lowered."""
        bots = len(since.threads) - len(self._own)
        lowered = [place for place in range(bots) if self._is_lowered(since.threads[place])]
        return stood_between(
            [since.stood[place] for place in lowered], [since.threads[place].read() for place in lowered]
        )

    def _is_lowered(self, thread: SchedThread) -> bool:
        now, usual = thread.priority(), self._priority
        return now is not None and usual is not None and (now.nice > usual.nice or now.policy != usual.policy)

    def _is_known(self, since: RunQueueReading, is_short: bool = False) -> bool:
        """Return whether all that the bot may have computed since a reading is known.

        `is_short`: whether it is about less time than it takes to start so many tasks that their numbers begin anew.
        """
        if since.grouped is not None or since.tasks is None:
            return since.grouped is not None
        return self._tasks.last() == since.tasks.last if is_short else self._tasks.is_still(since.tasks)

    def _scan(self, again: bool = True) -> None:
        """Find the bot's processes, and their threads that used the processor most.

        `again`: whether to find out if these are all of its processes.
        """
        self._unscanned = 0
        tasks = self._tasks.count() if again else None
        found, reaped, busy = walk(self._supervisor, _PROCESSES)
        self._ran, self._reaped = found, reaped
        if again:
            self._whole = None
            # A walk may miss a process that gets another parent meanwhile, but two of them do not miss the same.
            if tasks is not None and len(found) <= _PROCESSES:
                is_same = walk(self._supervisor, _PROCESSES)[0].keys() == found.keys()
                self._whole = tasks if is_same and self._tasks.is_still(tasks) else None
        hottest = [folder for _, folder in sorted(busy, reverse=True)[:_THREADS]]
        for folder in set(self._threads).difference(hottest):
            self._threads.pop(folder).drop()
        for folder in hottest:
            self._threads.setdefault(folder, SchedThread(folder))
        self._hot = [self._threads[folder] for folder in hottest]


def credits_waiting() -> bool:
    """Return whether this system reports how long a bot waits for a core."""
    return _IS_REPORTED


def own_threads() -> list[SchedThread]:
    """List the threads of this process through which bots' answers pass: this one."""
    if not _IS_REPORTED:
        return []
    return [SchedThread(f"{PROC}/{os.getpid()}/task/{threading.get_native_id()}")]

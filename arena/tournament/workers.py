"""Worker processes behind the `concurrent.futures.Executor` interface, so that a cluster's can take their place."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import Connection
from typing import NamedTuple

from arena.ledger import GameRecord, StoryRecord
from arena.referee.host import Host
from arena.referee.orders import GameOrder, Setup
from arena.referee.telling import tell, told_by
from arena.referee.transcript import Moment
from engine import catalog

MakeExecutor = Callable[[], Executor]
"""A new executor that runs one call at a time. One that has `kill()` is ended by it when a run is interrupted."""

_host: tuple[Setup, Host] | None = None


class Played(NamedTuple):
    """A game that a worker has played."""

    record: GameRecord
    story: StoryRecord | None
    """None: it cannot be told. Why, publishing will say."""


class LocalWorker(ProcessPoolExecutor):
    """One process on this machine: if it breaks, it is plain whose games are lost."""

    def __init__(self) -> None:
        """Start it."""
        context = multiprocessing.get_context("spawn")
        # The worker lives as long as somebody holds the other end of its line: it ends with this process, however
        # that ends, and can be ended at any moment, also while it is still starting.
        line, self._line = context.Pipe(duplex=False)
        super().__init__(1, context, initializer=_begin, initargs=(line,))
        with _interrupts_later():
            self.submit(os.getpid)  # the process starts with its first call

    def kill(self) -> None:
        """End the process at once; its bots end with it."""
        self._line.close()
        self.shutdown(wait=False, cancel_futures=True)


def play_games(setup: Setup, orders: Sequence[GameOrder]) -> list[Played]:
    """In a worker: play these games with bots that stay for the next ones."""
    global _host
    moments: defaultdict[str, list[Moment]] = defaultdict(list)
    if _host is not None and _host[0] != setup:
        close_host()
    if _host is None:
        told_by(catalog.game(setup.game))  # of what is loaded now, whatever is edited while it plays
        _host = (setup, Host(setup))
        collect_seldom()
    try:
        records = _host[1].play(orders, lambda order, moment: moments[order.id].append(moment))
    except BaseException:
        # Whatever went wrong, the next games get a new referee and new bots.
        with contextlib.suppress(Exception):
            close_host()
        raise
    # Now nobody's time runs: no bot pays for this.
    return [Played(record, _story(setup, record, moments.pop(record.id, []))) for record in records]


def _story(setup: Setup, record: GameRecord, moments: list[Moment]) -> StoryRecord | None:
    if record.ending != "void":
        with contextlib.suppress(BaseException):  # whatever a plug-in raises: the game counts all the same
            return tell(record, catalog.game(setup.game), setup.edition, moments)
    return None


def collect_seldom() -> None:
    """Spare garbage collection what is loaded by now, and most of its rounds: a referee leaves hardly any cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)


def close_host() -> None:
    """In a worker: say goodbye to the bots."""
    global _host
    if _host is not None:
        host, _host = _host[1], None
        host.close()


@contextlib.contextmanager
def _interrupts_later() -> Iterator[None]:
    """Keep an interrupt from the keyboard away from a process that starts here, until `_begin` ignores it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(line: Connection) -> None:
    """An interrupt from the keyboard is the business of the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, lambda *_: _end())
    threading.Thread(target=_follow, args=(line,), daemon=True).start()


def _follow(line: Connection) -> None:
    with contextlib.suppress(EOFError, OSError):
        line.recv()
    _end()


def _end() -> None:
    """At once: the bots end with this process by themselves."""
    if _host is not None:
        _host[1].abandon()
    os._exit(1)

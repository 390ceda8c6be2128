"""Worker processes behind the `concurrent.futures.Executor` interface, so that a cluster's can take their place."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor

from arena.ledger import GameRecord
from arena.referee.host import Host
from arena.referee.orders import GameOrder, Setup

MakeExecutor = Callable[[], Executor]
"""A new executor that runs one call at a time. One that has `kill()` is ended by it when a run is interrupted."""

_host: tuple[Setup, Host] | None = None


class LocalWorker(ProcessPoolExecutor):
    """One process on this machine: if it breaks, it is plain whose games are lost."""

    def __init__(self) -> None:
        """Start it."""
        super().__init__(1, multiprocessing.get_context("spawn"), initializer=_begin)
        self._pid: Future[int] = self.submit(os.getpid)

    def kill(self) -> None:
        """End the process at once; its bots end with it."""
        if self._pid.done() and not self._pid.exception():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid.result(), signal.SIGTERM)
        self.shutdown(wait=False, cancel_futures=True)


def play_games(setup: Setup, orders: Sequence[GameOrder]) -> list[GameRecord]:
    """In a worker: play these games with bots that stay for the next ones."""
    global _host
    if _host is not None and _host[0] != setup:
        close_host()
    if _host is None:
        _host = (setup, Host(setup))
    return _host[1].play(orders)


def close_host() -> None:
    """In a worker: say goodbye to the bots."""
    global _host
    if _host is not None:
        host, _host = _host[1], None
        host.close()


def _begin() -> None:
    """A worker ends with its parent, however that ends; an interrupt from the keyboard is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(1))
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    if _host is not None:
        _host[1].abandon()
    os._exit(1)

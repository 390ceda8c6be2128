"""Do the same work for several bots at once, in threads; an interrupt or a failure of one of them stops all."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Final, TypeVar

import psutil

_LOOK_SECONDS: Final = 0.05
_Bot = TypeVar("_Bot")
_Found = TypeVar("_Found")

Work = Callable[[_Bot, threading.Event], _Found]
"""Work for one bot. It also gets an event, which is set once the result is no longer wanted.

By then its child processes are being killed, and the work has to return as soon as they have ended.
"""


def side_by_side(bots: Sequence[_Bot], work: Work[_Bot, _Found], at_once: int | None = None) -> list[_Found]:
    """Return the result of `work` for each bot, in the order of `bots`.

    Args:
        bots: the bots.
        work: runs in a thread, once for each bot.
        at_once: how many threads run in parallel; None for one per core.

    Raises:
        BaseException: what a call of `work` raised, or `KeyboardInterrupt`; by then all threads have ended.
    """
    stop = threading.Event()
    busy: set[int] = set()
    """The ids of the threads at work. The futures do not suffice: an interrupt may come before one is in the list."""

    def one(bot: _Bot) -> _Found:
        thread = threading.get_ident()
        busy.add(thread)
        try:
            if stop.is_set():
                raise CancelledError
            return work(bot, stop)
        finally:
            busy.discard(thread)

    others = set(psutil.Process().children(recursive=True))
    with ThreadPoolExecutor(max_workers=max(1, min(len(bots), at_once or os.cpu_count() or 1))) as pool:
        looks: list[Future[_Found]] = []
        try:
            looks.extend(pool.submit(one, bot) for bot in bots)
            return [each.result() for each in looks]
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            _end_children(others, busy)
            raise


def _end_children(others: set[psutil.Process], busy: set[int]) -> None:
    """Kill the child processes that the threads started, until no thread is busy: one whose child has died returns."""
    while busy:
        for child in set(psutil.Process().children(recursive=True)) - others:
            with contextlib.suppress(psutil.Error):
                child.kill()
        time.sleep(_LOOK_SECONDS)

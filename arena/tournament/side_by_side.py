"""The same work on several bots at once, in threads: an interrupt, or a failure of one, ends what the others do."""

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
"""Told besides the bot the event that is set when nobody waits any more: then it ends when its processes have ended."""


def side_by_side(bots: Sequence[_Bot], work: Work[_Bot, _Found], at_once: int | None = None) -> list[_Found]:
    """Return what `work` finds out about each bot, in their order. `at_once` None: as many as there are cores."""
    stop = threading.Event()
    busy: set[int] = set()
    """The threads that are at work. Not known by the futures: an interrupt may come before one of them is noted."""

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
    """End what was begun: builds and bots are our children, and whoever waits for a dead child goes on at once."""
    while busy:
        for child in set(psutil.Process().children(recursive=True)) - others:
            with contextlib.suppress(psutil.Error):
                child.kill()
        time.sleep(_LOOK_SECONDS)

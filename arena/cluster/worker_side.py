"""What runs in a Dask worker: it forwards each call to the process of a slot, one for each core that it gives.

So a bot that ends the process that plays it ends no Dask worker, and whatever ends the Dask worker ends the processes.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from arena.common.processes import NeverBegun
from arena.common.protection import forbid_inspection
from arena.tournament.workers import LocalWorker

IDLE_SECONDS: Final = 180.0
"""A process that gets no call for so long is ended: the sender of calls may be gone."""


@dataclass
class _SlotProcess:
    process: LocalWorker
    generation: int
    used: float = field(default_factory=time.monotonic)
    calls: int = 0
    began: float = 0.0
    """When its latest call did."""


_slots: dict[str, _SlotProcess] = {}
_ended: set[str] = set()
"""Runs that are over, from which calls may still be under way."""
_lock = threading.Lock()
_reaper: threading.Thread | None = None


def call_in_slot(slot: str, generation: int, call: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """Run a call in the process of this slot.

    Args:
        slot: The id of a run, a slash, and what tells its slots apart.
        generation: Another one than before asks for a new process.
        call: A function that can be imported.
        arguments: Its arguments.

    Raises:
        BrokenProcess: The process ended meanwhile; `NeverBegun`: it had ended before.
    """
    begun = _begun(slot, generation)
    try:
        try:
            future = begun.process.submit(call, *arguments)
        except BrokenExecutor as error:
            raise NeverBegun(*error.args) from None
        return future.result()
    finally:
        with _lock:  # another process may have the slot by now
            begun.calls -= 1
            begun.used = time.monotonic()


def seconds_in_call(slot: str) -> float | None:
    """Return for how long the process of a slot has been at its call. None: no call has begun, or it has ended."""
    with _lock:
        found = _slots.get(slot)
        return time.monotonic() - found.began if found is not None and found.calls else None


def end_slots(run: str, slot: str | None = None) -> None:
    """End the processes of a run, or that of one of its slots."""
    with _lock:
        if slot is None:
            _ended.add(run)
        names = [name for name in _slots if name == slot or (slot is None and name.partition("/")[0] == run)]
        found = [_slots.pop(name) for name in names]
    for each in found:
        each.process.kill()


def complaint() -> str:
    """Return why this worker cannot play; empty: it can."""
    forbid_inspection()  # it knows what bots must not, and they may run as the same user
    if multiprocessing.current_process().daemon:
        return (
            "it may start no processes: start it with --no-nanny, or set DASK_DISTRIBUTED__WORKER__DAEMON=False for it"
        )
    return ""


def _begun(slot: str, generation: int) -> _SlotProcess:
    global _reaper
    with _lock:
        if slot.partition("/")[0] in _ended:
            raise RuntimeError("this run is over")
        found = _slots.get(slot)
        if found is not None and found.generation != generation:
            found.process.kill()
            found = None
        if found is None:
            found = _slots[slot] = _SlotProcess(LocalWorker(), generation)
        found.calls += 1
        found.began = time.monotonic()
        if _reaper is None:
            _reaper = threading.Thread(target=_reap, name="arena-slots", daemon=True)
            _reaper.start()
        return found


def _reap() -> None:
    while True:
        time.sleep(IDLE_SECONDS / 10)
        limit = time.monotonic() - IDLE_SECONDS
        with _lock:
            names = [name for name, each in _slots.items() if not each.calls and each.used < limit]
            found = [_slots.pop(name) for name in names]
        for each in found:
            each.process.kill()

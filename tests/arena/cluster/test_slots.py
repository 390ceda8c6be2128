"""Slots and their processes: what becomes of a worker and its calls when single processes end. No cluster is needed."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any

import pytest

from arena.cluster import worker_side
from arena.cluster.scheduler import Timeouts
from arena.cluster.slots import Slot, SlotCalls
from arena.common.processes import BrokenProcess
from arena.game.clock import TimeControl
from arena.referee.config import RefereeConfig
from arena.tournament.workers import WorkerLost

CONFIG = RefereeConfig("kosmos", {"name": "standard"}, TimeControl(), {})


def test_a_process_that_ends_while_it_is_made_ready_costs_its_slot_and_only_several_cost_the_worker() -> None:
    set_aside: list[str] = []

    class Ending(SlotCalls):
        async def _remote(self, *_: Any) -> Any:
            raise BrokenProcess("killed")

    async def prepare_five() -> list[int]:
        loop = asyncio.get_running_loop()

        def note(worker: str, why: str) -> None:
            set_aside.append(worker)

        calls = Ending(None, loop, "run", CONFIG, Timeouts(), lambda worker: 1, note)  # type: ignore[arg-type]
        counts = []
        for number in range(5):
            slot = Slot(calls, "a worker", f"run/{number}")
            with pytest.raises(WorkerLost, match="ended while it was made ready") as lost:
                await calls.prepare(slot)
            assert not lost.value.begun
            assert slot.lost.done()
            counts.append(len(set_aside))
        return counts

    assert asyncio.run(prepare_five()) == [0, 0, 0, 1, 2]


def test_a_call_that_outlived_its_process_leaves_that_of_the_next_one_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Process:
        """Whose first call is under way until a call of the next generation has begun."""

        def submit(self, *_: object) -> Future[str]:
            worker_side._begun("run/1", 1)
            done: Future[str] = Future()
            done.set_result("late")
            return done

        def kill(self) -> None:
            pass

    monkeypatch.setattr(worker_side, "LocalWorker", Process)
    monkeypatch.setattr(worker_side, "_slots", {})
    monkeypatch.setattr(worker_side, "_reaper", object())
    assert worker_side.call_in_slot("run/1", 0, print, ()) == "late"
    assert worker_side.seconds_in_call("run/1") is not None

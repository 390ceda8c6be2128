"""Who comes and goes is followed by what the scheduler says at each look; no mishap leaves anybody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from unittest.mock import AsyncMock

import pytest
from distributed import Client

from arena.cluster import dask_cluster
from arena.cluster.dask_cluster import DaskCluster
from arena.cluster.scheduler import SchedulerLost, SchedulerState, Timeouts
from arena.cluster.slots import Slot
from arena.common.progress import SILENT, Progress, Silent
from arena.tournament.workers import RemoteWorker, WorkforceError

WORKER = "tcp://127.0.0.1:1"
OTHER = "tcp://127.0.0.1:3"


class Followed(DaskCluster):
    """Follows workers without a scheduler: it is gone after these looks."""

    def __init__(self, looks: Sequence[SchedulerState], progress: Progress = SILENT) -> None:
        self._looks = list(looks)
        self._progress = progress
        self.address, self._id, self._run = "tcp://127.0.0.1:2", "id", "run"
        self._loop = asyncio.get_running_loop()
        self._client = None  # type: ignore[assignment]
        self._calls = None  # type: ignore[assignment]
        self._timeouts = Timeouts(poll=0.0)
        self._slots, self._unfit, self._readying, self._ids = {}, {}, {}, {}
        self._slot_tasks = set()
        self._verified = set()
        self._numbers, self._most, self._reported, self._error = 0, None, "", None
        self.readied: list[str] = []
        self.offered: list[Slot] = []
        self.news: list[RemoteWorker | Exception] = []
        self._arrived = self.news.append

    async def _state(self, client: Client) -> SchedulerState:
        await asyncio.sleep(0)
        if not self._looks:
            raise SchedulerLost("is gone")
        return self._looks.pop(0)

    async def _make_ready(self, worker: str) -> None:
        self.readied.append(self._ids[worker])
        self._slots[worker] = []
        del self._readying[worker]

    async def _offer(self, slot: Slot) -> None:
        self.offered.append(slot)


def look(id_: str, threads: int = 1) -> SchedulerState:
    return SchedulerState("id", {WORKER: threads}, {WORKER: id_})


def test_a_worker_that_is_started_anew_at_the_same_address_is_another() -> None:
    async def readied() -> list[str]:
        cluster = Followed([look("first")] * 3 + [look("second")] * 3)
        await cluster._guarded(cluster._watched)
        return cluster.readied

    assert asyncio.run(readied()) == ["first", "second"]


def test_the_first_core_of_a_worker_builds_the_bots_and_the_others_wait_for_it() -> None:
    async def offered() -> list[int]:
        cluster, found = Followed([]), []
        cluster._slots[WORKER] = []
        for _ in range(3):
            await cluster._fill(look("first", threads=3))
            await asyncio.sleep(0)
            found.append(len(cluster.offered))
        cluster.offered[0].prepared = 0
        await cluster._fill(look("first", threads=3))
        await asyncio.sleep(0)
        return [*found, len(cluster.offered)]

    assert asyncio.run(offered()) == [1, 1, 1, 3]


class Connection(Followed):
    """Finds workers of which some hang."""

    def __init__(self, hang: set[str]) -> None:
        super().__init__([SchedulerState("id", {WORKER: 1, OTHER: 1}, {WORKER: "first", OTHER: "second"})])
        self._hang = hang

    async def _why_unfit(self, client: Client, worker: str) -> str:
        if worker in self._hang:
            raise TimeoutError
        return ""


@pytest.mark.parametrize(("hang", "verified"), [(set(), {"first", "second"}), ({OTHER}, {"first"})])
def test_a_worker_that_hangs_keeps_nobody_from_playing(
    monkeypatch: pytest.MonkeyPatch, hang: set[str], verified: set[str]
) -> None:
    monkeypatch.setattr(dask_cluster, "connect", AsyncMock())

    async def connected(hang: set[str]) -> set[str]:
        cluster = Connection(hang)
        await cluster._connected()
        return cluster._verified

    assert asyncio.run(connected(hang)) == verified
    with pytest.raises(WorkforceError, match="no worker of the scheduler"):
        asyncio.run(connected({WORKER, OTHER}))


class Broken(Silent):
    """Cannot say anything."""

    def say(self, text: str) -> None:
        raise OSError("no terminal")


def test_whatever_fails_ends_the_run_and_says_so() -> None:
    async def news() -> list[RemoteWorker | Exception]:
        cluster = Followed([look("first")] * 2 + [look("second")] * 2, Broken())
        await asyncio.wait_for(cluster._guarded(cluster._watched), 60)
        return cluster.news

    [error] = asyncio.run(news())
    assert isinstance(error, WorkforceError)
    assert "no terminal" in str(error)

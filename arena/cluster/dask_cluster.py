"""The workers of a Dask cluster as a tournament's workforce: which of them come, are fit to play, and go.

All that has to do with Dask runs in one thread with an event loop. Each worker gives slots, one for each core:
`arena.cluster.slots` runs calls in them.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from arena.cluster.scheduler import (
    SchedulerLost,
    SchedulerState,
    Timeouts,
    Versions,
    asked_versions,
    checked,
    connect,
    difference,
    is_refused,
    require_dask,
    run_on,
    scheduler_state,
    versions,
)
from arena.cluster.slots import Slot, SlotCalls
from arena.cluster.travelling_bots import archive, missing, store
from arena.cluster.worker_side import complaint, end_slots
from arena.common.printable import counted
from arena.common.progress import Progress
from arena.referee.config import RefereeConfig
from arena.tournament.workers import RemoteWorker, WorkerLost, Workforce, WorkforceError

if TYPE_CHECKING:
    from distributed import Client

_log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

_DEFAULT: Final = Timeouts()


class DaskCluster(Workforce):
    """Connects to a scheduler and uses its workers until it is closed."""

    def __init__(self, address: str, game: str, progress: Progress, timeouts: Timeouts = _DEFAULT) -> None:
        """Connect, wait for a first worker, and compare the versions of all that are there.

        Args:
            address: Of the scheduler.
            game: The game that will be played.
            progress: Gets to know which workers come and go.
            timeouts: How long each thing is waited for.

        Raises:
            WorkforceError: Dask is not installed, the address is not to be used, no scheduler answers there, it has no
                worker, or a worker has other versions than this machine.
        """
        require_dask()
        self.address = checked(address)
        self._game = game
        self._ours = versions(game)
        self._progress = progress
        self._timeouts = timeouts
        self._run = uuid.uuid4().hex
        self._slots: dict[str, list[Slot]] = {}
        """By worker: of those that are ready, the slots that are not lost."""
        self._verified: set[str] = set()
        """The ids of workers that were looked at when this connected."""
        self._ids: dict[str, str] = {}
        """By worker: its id at the latest look. One that is started anew at the same address has another."""
        self._unfit: dict[str, str] = {}
        """Workers that are not used, and why."""
        self._readying: dict[str, asyncio.Task[None]] = {}
        self._slot_tasks: set[asyncio.Task[None]] = set()
        self._without: set[str] = set()
        """Names of machines that are left out."""
        self._numbers = 0
        self._most: int | None = None
        self._reported = ""
        self._error: WorkforceError | None = None
        self._loop = asyncio.new_event_loop()
        # Dask leaves failed tasks behind when what it waited for is given up.
        self._loop.set_exception_handler(lambda _, context: _log.debug("%s", context))
        self._thread = threading.Thread(target=self._loop.run_forever, name="arena-cluster", daemon=True)
        self._thread.start()
        try:
            self._client, self._id = self.begun(self._connected()).result()
        except BaseException:
            self._stop()
            raise

    def __enter__(self) -> DaskCluster:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Close the connection."""
        self.close()

    def close(self) -> None:
        """End what this run has left on the workers, and the connection. Takes `Timeouts.close` seconds at most."""
        with suppress(Exception):
            self.begun(self._closed()).result(2 * self._timeouts.close)
        self._stop()

    def begun(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Do some work in the thread of this cluster."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def leave_out(self, machines: Collection[str]) -> None:
        """Use no worker on machines of these names: see `Workforce`."""
        self._without = set(machines)

    def begin(
        self, config: RefereeConfig, most: int | None, arrived: Callable[[RemoteWorker | Exception], object]
    ) -> None:
        """Make workers ready, and hand over each slot that is: see `Workforce`."""
        self._config, self._most, self._arrived = config, most, arrived
        self._calls = SlotCalls(
            self._client, self._loop, self._run, config, self._timeouts, self._slots_of, self._set_aside
        )
        self.begun(self._guarded(self._watched))

    # In the thread of the cluster

    async def _connected(self) -> tuple[Client, str]:
        client = await connect(self.address, self._timeouts.connect)
        try:
            state = await self._first_workers(client)
            looked = (self._why_unfit(client, worker) for worker in state.threads)
            found = dict(zip(state.threads, await asyncio.gather(*looked, return_exceptions=True), strict=True))
            answered = {worker: why for worker, why in found.items() if isinstance(why, str)}
            if not answered:
                raise WorkforceError(f"no worker of the scheduler at {self.address} answers: {next(iter(found))}")
            if unfit := [why for why in answered.values() if why]:
                more = "" if len(unfit) == 1 else f"; {counted(len(unfit) - 1, 'other worker')} likewise"
                raise WorkforceError(f"{unfit[0]}{more}. Install the same on all machines")
        except BaseException:
            await client.close()
            raise
        self._verified |= {state.ids[worker] for worker in answered}  # others may answer later, and are looked at then
        return client, state.id

    async def _first_workers(self, client: Client) -> SchedulerState:
        limit = self._loop.time() + self._timeouts.worker
        has_said = False
        while not (state := await self._state(client)).threads:
            if not has_said:
                has_said = True
                self._progress.say(f"the scheduler at {self.address} has no worker yet: waiting for one")
            if self._loop.time() > limit:
                raise WorkforceError(
                    f"the scheduler at {self.address} has no worker: start some, as in  dask worker {self.address} "
                    "--no-nanny --nthreads 4"
                )
            await asyncio.sleep(self._timeouts.poll)
        return state

    async def _state(self, client: Client) -> SchedulerState:
        return await scheduler_state(client, self._timeouts.silent)

    async def _why_unfit(self, client: Client, worker: str) -> str:
        """Return why a worker is not used; empty: it can be."""
        if is_refused(worker):
            return f"the worker {worker} is beyond this machine and not encrypted: start it with certificates"
        theirs: Versions = await run_on(client, worker, self._timeouts, asked_versions(self._game))
        if found := difference(worker, theirs, self._ours):
            return found
        why = await run_on(client, worker, self._timeouts, complaint)
        return f"the worker {worker} cannot play: {why}" if why else ""

    async def _guarded(self, work: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Do what nobody waits for. If it fails, the run ends: else somebody might wait for ever for what it brings."""
        try:
            await work(*args, **kwargs)
        except Exception as error:
            _log.debug("the cluster cannot be followed", exc_info=True)
            self._fail(f"the cluster at {self.address} cannot be followed: {error!r}")

    async def _watched(self) -> None:
        """Follow which workers come and go, until the run is over."""
        without_since = self._loop.time()
        while self._error is None:
            try:
                state = await self._state(self._client)
                if state.id != self._id:
                    raise SchedulerLost("was started anew")
            except SchedulerLost as error:
                self._fail(
                    f"the scheduler at {self.address} {error}. The games played so far are kept: when it runs again, "
                    "type the same command again"
                )
                return
            gone = {worker for worker, id_ in self._ids.items() if state.ids.get(worker) != id_}
            self._ids = state.ids
            for worker in [each for each in (*self._slots, *self._readying) if each in gone]:
                self._lose(worker)
            self._unfit = {worker: why for worker, why in self._unfit.items() if worker not in gone}
            for worker in state.threads:
                if worker not in self._slots and worker not in self._unfit and worker not in self._readying:
                    self._readying[worker] = asyncio.create_task(self._guarded(self._make_ready, worker))
            await self._fill(state)
            self._report()
            if self._slots or self._readying:
                without_since = self._loop.time()
            elif self._unfit and all(worker in self._unfit for worker in state.threads) and state.threads:
                self._fail(f"no worker can play: {next(iter(self._unfit.values()))}")
            elif self._loop.time() > without_since + self._timeouts.worker:
                self._fail(
                    f"the cluster at {self.address} has had no worker for {self._timeouts.worker:g} s. The games "
                    "played so far are kept: when it has workers again, type the same command again"
                )
            await asyncio.sleep(max(self._timeouts.poll, len(state.threads) / 500))

    async def _make_ready(self, worker: str) -> None:
        """Bring the bots to a worker. Whatever fails makes it unfit."""
        why = ""
        try:
            if self._ids[worker] not in self._verified:
                why = await self._why_unfit(self._client, worker)
            if not why:
                by_fingerprint = {each.entrant.fingerprint: each for each in self._config.bots.values()}
                for fingerprint in await run_on(self._client, worker, self._timeouts, missing, sorted(by_fingerprint)):
                    packed = await asyncio.to_thread(archive, by_fingerprint[fingerprint])
                    await run_on(self._client, worker, self._timeouts, store, fingerprint, packed)
                self._slots[worker] = []
        except Exception as error:
            why = f"the worker {worker} did not get the bots: {error!r}"
        finally:
            if self._readying.get(worker) is asyncio.current_task():  # else another one is at this address by now
                del self._readying[worker]
        if why:
            self._set_aside(worker, why)

    async def _fill(self, state: SchedulerState) -> None:
        """Prepare slots for the cores that are not used yet."""
        for worker, slots in list(self._slots.items()):
            while len(slots) < state.threads.get(worker, 0) and not self._is_enough():
                if slots and all(slot.prepared < 0 for slot in slots):
                    break  # the first builds the bots, and the others wait for it
                self._numbers += 1
                slot = Slot(self._calls, worker, f"{self._run}/{self._numbers}")
                slots.append(slot)
                slot.lost.add_done_callback(partial(self._forget, slot))
                self._slot_tasks.add(task := asyncio.create_task(self._guarded(self._offer, slot)))
                task.add_done_callback(self._slot_tasks.discard)

    def _is_enough(self) -> bool:
        return self._most is not None and sum(map(len, self._slots.values())) >= self._most

    def _slots_of(self, worker: str) -> int:
        """Return how many slots a worker gives."""
        return len(self._slots.get(worker, ())) or 1

    def _forget(self, slot: Slot, _: asyncio.Future[Exception]) -> None:
        if slot in (slots := self._slots.get(slot.worker, [])):
            slots.remove(slot)

    async def _offer(self, slot: Slot) -> None:
        try:
            await self._calls.prepare(slot)
        except WorkerLost:
            return  # it was said
        name = slot.readiness.machine["name"] if slot.readiness is not None else ""
        if name in self._without:
            self._set_aside(slot.worker, f"the worker {slot.worker} is not used: its machine {name} is left out")
            return
        self._arrived(slot)

    def _lose(self, worker: str) -> None:
        """Give up a worker that is gone."""
        if (readying := self._readying.pop(worker, None)) is not None:
            readying.cancel()
        why = WorkerLost(f"the worker {worker} is gone or silent")
        for slot in self._slots.pop(worker, []):
            slot.lose(why)
        _log.warning("%s", why)
        self._progress.say(f"the worker {worker} is lost: what it was playing is played again elsewhere")

    def _set_aside(self, worker: str, why: str) -> None:
        """Use a worker no more that cannot play."""
        if worker in self._unfit:
            return
        self._unfit[worker] = why
        for slot in self._slots.pop(worker, []):
            slot.lose(WorkerLost(why, begun=False))
        self._progress.say(why)

    def _fail(self, why: str) -> None:
        """Tell everybody who waits that nothing can be played any more."""
        if self._error is not None:
            return
        self._error = WorkforceError(why)
        for slot in chain.from_iterable(self._slots.values()):
            slot.lose(self._error)
        self._arrived(self._error)

    def _report(self) -> None:
        """Say how many workers and cores play, if that has changed."""
        ready = [slots for slots in self._slots.values() if slots]
        said = f"{counted(len(ready), 'worker')} with {counted(sum(map(len, ready)), 'core')}"
        if ready and said != self._reported:
            self._reported = said
            self._progress.say(f"cluster: {said}")

    async def _closed(self) -> None:
        is_cut = self._error is not None
        self._error = self._error or WorkforceError("the run is over")
        if self._slots and not is_cut:
            with suppress(Exception):
                ending = self._client.run(end_slots, self._run, workers=list(self._slots), on_error="ignore")
                await asyncio.wait_for(ending, self._timeouts.close)
        with suppress(Exception):
            await asyncio.wait_for(self._client.close(), 1.0 if is_cut else self._timeouts.close)
        self._client.status = "closed"  # else Dask tries once more when Python ends

    def _stop(self) -> None:
        async def cancelled() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.wait(others, timeout=1) if others else None

        with suppress(Exception):
            self.begun(cancelled()).result(self._timeouts.close)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(self._timeouts.close)
        if not self._thread.is_alive():
            self._loop.close()

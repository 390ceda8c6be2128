"""Slots, each one core of one Dask worker, and the calls that run in their processes.

A call waits for the first of three: its answer, the loss of its worker, or the end of its time.
"""

from __future__ import annotations

import asyncio
import pickle
import uuid
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar, cast

from arena.cluster.scheduler import Timeouts, is_cancelled, run_on
from arena.cluster.worker_side import (
    NOT_PREPARED,
    GamesToPlay,
    Readiness,
    call_in_slot,
    end_slots,
    play,
    portable,
    prepare,
    seconds_in_call,
)
from arena.common.errors import ArenaError
from arena.entrants import BuildFailed
from arena.referee.config import RefereeConfig
from arena.tournament.workers import PlayedGame, RemoteWorker, WorkerLost, play_games
from engine import catalog

if TYPE_CHECKING:
    from distributed import Client

P = ParamSpec("P")
T = TypeVar("T")

_BROKEN: Final = 3
"""So many processes of a worker may end while they are made ready, before it is not used any more."""
_MOST_DECISIONS: Final = 20_000
"""More than a game has, as the tests of all games hold."""


class Slot(RemoteWorker):
    """One core of a Dask worker, with the process that plays there."""

    def __init__(self, calls: SlotCalls, worker: str, name: str) -> None:
        """Make one, in the event loop of the cluster. `name` tells it from all other slots of all runs."""
        self.worker = worker
        self.name = name
        self.generation = 0
        self.prepared = -1
        """Which generation knows the settings."""
        self.readiness: Readiness | None = None
        """What its process said when it was prepared."""
        self.lost: asyncio.Future[Exception] = asyncio.get_running_loop().create_future()
        """Why it takes no more calls."""
        self._calls = calls

    def lose(self, why: Exception) -> None:
        """Take no more calls, in the event loop of the cluster. The first reason holds."""
        if not self.lost.done():
            self.lost.set_result(why)

    def submit(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a call on its core. The future may raise `WorkerLost` or `WorkforceError`."""
        assert not kwargs
        return cast("Future[T]", self._calls.begun(self._calls.call(self, call, args)))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls, and end the process."""
        self.kill()

    def renew(self) -> None:
        """Run the next call in a new process."""
        self.generation += 1

    def kill(self) -> None:
        """End its process."""
        self._calls.begun(self._calls.drop(self, WorkerLost("it was ended", begun=False)))


class SlotCalls:
    """Runs the calls of a run's slots. All but `begun` belongs into the thread of the event loop."""

    def __init__(
        self,
        client: Client,
        loop: asyncio.AbstractEventLoop,
        run: str,
        config: RefereeConfig,
        timeouts: Timeouts,
        slots_of: Callable[[str], int],
        set_aside: Callable[[str, str], object],
    ) -> None:
        """Take what all calls share.

        Args:
            client: Connected to the scheduler.
            loop: In which all of this runs.
            run: The id of the run, with which the names of its slots begin.
            config: What all games share.
            timeouts: How long each thing is waited for.
            slots_of: Returns how many slots a worker gives.
            set_aside: Called with a worker that cannot play, and why.
        """
        self._client = client
        self._loop = loop
        self._run = run
        self._config = portable(config)
        self._allowed = seconds_of_a_game(config)
        self._timeouts = timeouts
        self._slots_of = slots_of
        self._set_aside = set_aside
        self._broken: Counter[str] = Counter()
        """By worker: how many of its processes ended while they were made ready."""

    def begun(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Do some work in the event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def prepare(self, slot: Slot) -> None:
        """Let a slot's process know the settings. Raises `WorkerLost`: slot or worker is of no use then."""
        wanted = (self._config, self._slots_of(slot.worker))
        try:
            slot.readiness = await self._remote(slot, prepare, wanted, self._timeouts.build)
        except WorkerLost:
            raise
        except BrokenExecutor:  # as when the system ends a process for want of memory
            self._broken[slot.worker] += 1
            why = f"a process on the worker {slot.worker} ended while it was made ready"
            if self._broken[slot.worker] > _BROKEN:
                self._set_aside(slot.worker, f"the worker {slot.worker} is not used: again and again {why}")
            lost = WorkerLost(why, begun=False)
            await self.drop(slot, lost)
            raise lost from None
        except Exception as error:
            known = isinstance(error, ArenaError | BuildFailed | OSError)
            why = f"the worker {slot.worker} is not used: {error if known else repr(error)}"
            self._set_aside(slot.worker, why)
            raise WorkerLost(why, begun=False) from None
        slot.prepared = slot.generation

    async def call(self, slot: Slot, call: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        """Run a call of the dispatcher. Games are played by the settings that the slot's process knows already."""
        if slot.lost.done():
            why = slot.lost.result()
            raise WorkerLost(str(why), begun=False) if isinstance(why, WorkerLost) else why
        if call is not play_games:
            return await self._remote(slot, call, arguments, self._timeouts.late)
        _, specs, _ = arguments
        if slot.prepared != slot.generation:
            await self.prepare(slot)
        allowed = self._timeouts.late + self._allowed * len(specs)
        wanted = (self._config.key, GamesToPlay(specs))
        packed = await self._remote(slot, play, wanted, allowed)
        if packed == NOT_PREPARED:
            await self.prepare(slot)
            packed = await self._remote(slot, play, wanted, allowed)
            if packed == NOT_PREPARED:
                raise WorkerLost(f"the worker {slot.worker} forgot what it was told", begun=False)
        ready = slot.readiness
        assert ready is not None
        played: list[PlayedGame] = pickle.loads(packed)
        return [each._replace(machine=ready.machine, isolation=ready.isolation) for each in played]

    async def drop(self, slot: Slot, why: Exception) -> None:
        """Take a slot out of use, and end its process."""
        if slot.lost.done():
            return
        slot.lose(why)
        with suppress(Exception):
            await run_on(self._client, slot.worker, self._timeouts, end_slots, self._run, slot.name)

    async def _remote(self, slot: Slot, call: Callable[..., Any], arguments: Sequence[Any], seconds: float) -> Any:
        """Run a call in the process of a slot. Raises what it does, and `WorkerLost` or `WorkforceError`."""
        task = self._client.submit(
            call_in_slot,
            slot.name,
            slot.generation,
            call,
            arguments,
            key=f"arena-{uuid.uuid4().hex}",
            workers=[slot.worker],
            allow_other_workers=False,
            pure=False,  # the same games may have to be played again
            retries=0,
        )
        answer = asyncio.ensure_future(self._client.gather(task))
        try:
            await self._answered(slot, answer, seconds)
            if answer.done() and not answer.cancelled() and not is_cancelled(answer.exception()):
                return answer.result()
            if not slot.lost.done() and not answer.done():
                late = WorkerLost(f"the worker {slot.worker} gave no answer within {seconds:g} s")
                await self.drop(slot, late)
            elif not slot.lost.done():  # the scheduler has forgotten it: whether it is gone, a look at it will tell
                await asyncio.wait({slot.lost}, timeout=2 * (self._timeouts.silent + self._timeouts.poll))
            raise slot.lost.result() if slot.lost.done() else WorkerLost(f"{slot.worker} lost its work")
        finally:
            answer.cancel()
            task.release()

    async def _answered(self, slot: Slot, answer: asyncio.Future[Any], seconds: float) -> None:
        """Wait for an answer, for the loss of the slot, or until its call has taken so many seconds.

        While a worker is busy with calls of other runs, this one has not begun, and takes no time.
        """
        most, left = self._loop.time() + self._timeouts.queue, seconds
        while True:
            await asyncio.wait({answer, slot.lost}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if answer.done() or slot.lost.done():
                return
            try:
                spent = await run_on(self._client, slot.worker, self._timeouts, seconds_in_call, slot.name)
            except Exception:
                return
            if (spent is None and self._loop.time() > most) or (spent is not None and spent >= seconds):
                return
            left = seconds if spent is None else seconds - spent + 0.01


def seconds_of_a_game(config: RefereeConfig) -> float:
    """Return more seconds than a game takes by its clocks: with the starts of its bots, all banks and all free time.

    The referee pauses where it asks nobody, for as long as an answer took: that may double the time.
    """
    time, seats = config.time, catalog.rules(config.game).players[1]
    return seats * time.start + 2 * (seats * time.bank + _MOST_DECISIONS * time.move)

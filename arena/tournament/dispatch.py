"""Games to workers and records back, as many at once as there are workers.

A game that failed by itself is played again alone: in a new worker, while no other game and no other bot runs.
"""

from __future__ import annotations

import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final, ParamSpec, TypeVar

from arena.common.processes import NeverBegun
from arena.entrants.orphans import end_orphans
from arena.game.game import void_record
from arena.game.spec import GameSpec
from arena.referee.config import RefereeConfig
from arena.referee.trace import TraceError
from arena.tournament.workers import (
    MakeExecutor,
    PlayedGame,
    RemoteWorker,
    WorkerLost,
    Workforce,
    WorkforceError,
    close_referee,
    play_games,
)

_log = logging.getLogger(__name__)

BATCH_SECONDS = 1.0
"""How much play a worker is given at once, if there are few workers."""
FEW_WORKERS: Final = 50
"""With more workers, each is given more at once, so that batches do not come more often than from so many, unless games
are very short: what a batch costs the coordinator depends little on the games in it."""
_MOST = 64
NEWS_SECONDS: Final = 2.0
"""The longest wait for a game to end before control returns to the caller."""
_CLOSE_SECONDS = 20.0
_IDLE_LOSSES = 8
"""So many workers of a run may end while they play nothing; after that their next games fail with them."""
_ORPHANS_SECONDS = 5.0
"""For supervisors whose worker was killed to end their bots, and then for what these left behind."""
MOST_MACHINES_LOST: Final = 3
"""So many machines may be lost over one game before it counts as one that ends its worker."""

Playable = Callable[[GameSpec], bool]
P = ParamSpec("P")
T = TypeVar("T")


class Dispatcher:
    """Keep the workers busy with the games of an iterator."""

    def __init__(
        self,
        config: RefereeConfig,
        jobs: int | None,
        make: MakeExecutor | Workforce,
        one_by_one: bool = False,
        watchable: Path | None = None,
    ) -> None:
        """Start the workers.

        Args:
            config: What all games share.
            jobs: The number of workers. None: as many as the workforce has.
            make: Called for every worker, and again in place of one that broke; or a workforce, whose workers arrive.
            one_by_one: Issue each game by itself from the start; else from the first worker that broke.
            watchable: Where the games can be watched: see `arena.tournament.spectator_feed`.
        """
        self._config = config
        self._watchable = watchable
        self._make = make
        self._workers: list[Executor] = []
        """All of them, at any moment: an interrupt may come between two steps of moving one from idle to busy."""
        self._idle: list[Executor] = []
        self._news: SimpleQueue[Future[list[PlayedGame]] | RemoteWorker | Exception] = SimpleQueue()
        """Batches that have ended, workers that have arrived, and why no more will."""
        self._busy: dict[Future[list[PlayedGame]], tuple[Executor, list[GameSpec], float]] = {}
        self._again: deque[GameSpec] = deque()
        """Games that are played alone."""
        self._first: deque[list[GameSpec]] = deque()
        """Games that are issued before new ones."""
        self._is_alone = False
        """Whether a game is being played alone."""
        self._one_by_one = one_by_one
        """Whether each game is issued by itself, so that only its bots can be to blame if its worker ends."""
        self._idle_losses = 0
        self._machines_lost: Counter[str] = Counter()
        """How many machines were lost over a game."""
        self._seconds_a_game: float | None = None
        if isinstance(make, Workforce):
            make.begin(config, jobs, self._news.put)
        else:
            self._idle += [self._hire(make) for _ in range(jobs or 1)]

    def play(
        self, specs: Iterator[GameSpec | None], left: int | None, playable: Playable
    ) -> Iterator[Sequence[PlayedGame]]:
        """Play these games, and yield those that a worker hands over together, when they have ended.

        If none has ended for two seconds it yields an empty sequence, so that the caller can see to other things.
        A game sent back by `again` is issued before new ones.

        `specs` yields None when the next game depends on one that is being played, and is asked again after that.
        `left`: about how many games there are; `playable` is asked before each is issued.
        """
        done = 0
        while True:
            while self._idle and not self._is_alone:
                if self._have_again(playable):
                    if not self._busy:
                        self._play_alone(self._again.popleft())
                    break
                batch = self._batch(specs, None if left is None else left - done, playable)
                if not batch:
                    break
                self._issue(batch)
            if self._idle and not self._busy:
                return
            try:
                news = self._news.get(timeout=NEWS_SECONDS)
            except Empty:
                yield ()
                continue
            if ended := self._taken(news):
                done += len(ended)
                yield ended

    def requeue(self, spec: GameSpec, alone: bool) -> None:
        """Play this game once more: alone, or only by itself in a worker."""
        if alone:
            self._again.append(spec)
        else:
            self._first.append([spec])

    def close(self) -> None:
        """Let the workers say goodbye to their bots, and end them."""
        done = self._say_goodbye()
        for executor in self._idle:
            if executor in done:
                executor.shutdown(wait=True)
            else:
                _kill(executor)
        end_orphans(_ORPHANS_SECONDS, _ORPHANS_SECONDS)

    def kill(self) -> None:
        """End the workers at once; what they were playing is lost and will be played again."""
        for executor in self._workers:
            _kill(executor)

    def _hire(self, make: MakeExecutor) -> Executor:
        executor = make()
        _log.info("a worker is started")
        self._workers.append(executor)
        return executor

    def _replaced(self, executor: Executor) -> Executor:
        """Return a worker without bots in the place of one whose process is to be ended, or has ended."""
        if isinstance(executor, RemoteWorker):
            executor.renew()
            return executor
        assert not isinstance(self._make, Workforce)
        fresh = self._hire(self._make)
        self._workers.remove(executor)
        _kill(executor)
        return fresh

    def _have_again(self, playable: Playable) -> bool:
        """Return whether a game is to be played alone, without those that need not be played any more."""
        while self._again and not playable(self._again[0]):
            self._again.popleft()
        return bool(self._again)

    def _play_alone(self, spec: GameSpec) -> None:
        """Play a game in a new worker, while the others have no bots."""
        self._say_goodbye()
        self._idle[-1] = self._replaced(self._idle[-1])
        self._issue([spec])
        self._is_alone = True

    def _say_goodbye(self) -> set[Executor]:
        """End the bots of the idle workers, and return the workers that have done that in time."""
        goodbyes = [(executor, _submit(executor, close_referee)) for executor in self._idle]
        wait([goodbye for _, goodbye in goodbyes], timeout=_CLOSE_SECONDS)
        return {executor for executor, goodbye in goodbyes if goodbye.done()}

    def _batch(self, specs: Iterator[GameSpec | None], left: int | None, playable: Playable) -> list[GameSpec]:
        while self._first:
            if batch := [spec for spec in self._first.popleft() if playable(spec)]:
                return batch
        seconds = BATCH_SECONDS * max(1.0, len(self._workers) / FEW_WORKERS)
        size = 1 if self._seconds_a_game is None else int(seconds / max(self._seconds_a_game, 1e-3))
        if self._one_by_one:
            size = 1
        if left is not None:
            # near the end in small steps, so that workers end together
            size = min(size, left // (2 * len(self._workers)))
        batch = []
        while len(batch) < max(1, min(size, _MOST)):
            new = next(specs, None)
            if new is None:
                break
            if playable(new):
                batch.append(new)
        return batch

    def _issue(self, batch: list[GameSpec]) -> None:
        executor = self._idle.pop()
        future = _submit(executor, play_games, self._config, batch, self._watchable)
        self._busy[future] = (executor, batch, time.monotonic())
        future.add_done_callback(self._news.put)
        _log.debug("issued to a worker: %s", ", ".join(spec.id for spec in batch))

    def _taken(self, news: Future[list[PlayedGame]] | RemoteWorker | Exception) -> Sequence[PlayedGame]:
        """Return the games that have ended by this, void ones too."""
        if isinstance(news, Exception):
            raise news
        if isinstance(news, RemoteWorker):
            self._workers.append(news)
            self._idle.append(news)
            return []
        executor, batch, began = self._busy.pop(news)
        was_alone, self._is_alone = self._is_alone, False
        error = news.exception()
        if error is None:
            games = news.result()
            spent = (time.monotonic() - began) / len(batch)
            before = self._seconds_a_game
            self._seconds_a_game = spent if before is None else (before + spent) / 2
            self._idle.append(executor)
            return games
        _log.warning("a worker failed over %s: %r", ", ".join(spec.id for spec in batch), error)
        if isinstance(error, TraceError | WorkforceError):
            raise error  # no other game would fare better
        if isinstance(error, WorkerLost):
            self._workers.remove(executor)
            return self._reissue(batch, error, was_alone)
        lost = 0
        if isinstance(error, BrokenExecutor):
            executor = self._replaced(executor)
            if isinstance(error, NeverBegun) and self._idle_losses < _IDLE_LOSSES:
                self._idle_losses += 1
                self._idle.append(executor)
                if was_alone:
                    self._again.appendleft(batch[0])
                else:
                    self._first.append(batch)
                return []
            if not isinstance(error, NeverBegun):
                lost = len(batch)
                self._one_by_one = True
        self._idle.append(executor)
        return [_void(spec, error, lost) for spec in batch]

    def _reissue(self, batch: Sequence[GameSpec], error: WorkerLost, alone: bool) -> list[PlayedGame]:
        """Have games of a lost machine played again as they were. Return those over which too many were lost, as void.

        Each is issued by itself, so that of games that end machines it becomes plain which they are. One that was being
        played alone is played alone again.
        """
        if error.begun:
            self._machines_lost.update(spec.id for spec in batch)
        for spec in batch:
            if self._machines_lost[spec.id] < MOST_MACHINES_LOST:
                self.requeue(spec, alone)
        return [_void(spec, error, 1) for spec in batch if self._machines_lost[spec.id] >= MOST_MACHINES_LOST]


def _void(spec: GameSpec, error: BaseException, lost: int) -> PlayedGame:
    return PlayedGame.of(void_record(spec, f"the worker failed: {error!r}"), lost=lost)


def _submit(executor: Executor, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Submit as the executor does, but let the future say if it broke while it was idle."""
    try:
        return executor.submit(call, *args, **kwargs)
    except BrokenExecutor as error:
        future: Future[T] = Future()
        future.set_exception(NeverBegun(*error.args))
        return future


def _kill(executor: Executor) -> None:
    kill = getattr(executor, "kill", None)
    if kill is not None:
        kill()
    else:
        executor.shutdown(wait=False, cancel_futures=True)

"""What runs in a Dask worker, which forwards each call to the process of a slot, one for each core, and in those.

So a bot that ends the process that plays it ends no Dask worker, and whatever ends the Dask worker ends the processes.
"""

from __future__ import annotations

import multiprocessing
import pickle
import platform
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from arena.cluster.travelling_bots import TravellingBot, arrived, described
from arena.common.machine import core_speed, machine
from arena.common.printable import printable, shorten
from arena.common.processes import NeverBegun, cores
from arena.common.protection import forbid_inspection
from arena.entrants import BuildFailed, build
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.isolation.probe import choose
from arena.isolation.settings import NONE, IsolationPlan, Level
from arena.referee.config import RefereeConfig
from arena.tournament.capacity import check_capacity, helpers_of_bots, kept_bots
from arena.tournament.workers import LocalWorker, play_games
from engine import catalog
from engine.rules import Data

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


_LONGEST_NAME: Final = 100


@dataclass(frozen=True)
class PortableConfig:
    """A `RefereeConfig` in terms that hold on every machine."""

    key: str
    """Another one for each run."""
    game: str
    edition: Data
    time: TimeControl
    bots: tuple[TravellingBot, ...]
    level: Level
    readable: tuple[str, ...]
    build_network: bool
    network: tuple[str, ...]
    """These four: how bots are kept apart. Variables that a bot gets are those of the worker, and do not travel."""


@dataclass(frozen=True)
class Readiness:
    """What a worker's process says when it is ready to play."""

    machine: dict[str, str]
    isolation: str
    """How it keeps bots apart, as the ledger records it."""


def portable(config: RefereeConfig) -> PortableConfig:
    """Return a referee's settings on this machine as they travel, with a key of their own."""
    built = list(config.bots.values())
    isolation = built[0].isolation if built else NONE
    return PortableConfig(
        key=uuid.uuid4().hex,
        game=config.game,
        edition=config.edition,
        time=config.time,
        bots=tuple(described(each) for each in built),
        level=isolation.level,
        readable=isolation.readable,
        build_network=isolation.build_network,
        network=isolation.network,
    )


_configs: dict[str, RefereeConfig] = {}


def prepare(wanted: PortableConfig, jobs: int) -> Readiness:
    """In the process that will play: build the bots, which have arrived, and keep the settings of the referee.

    Args:
        wanted: What is to be played.
        jobs: How many slots this worker has.

    Raises:
        BuildFailed: A bot cannot be built on this machine. The text names it.
        EntrantError, IsolationError, PlanError: Its sources, this machine's isolation or its room do not suffice.
        OSError: The system lacks something.
    """
    isolation = choose(IsolationPlan(wanted.level, list(wanted.readable)), wanted.build_network, wanted.network)
    entrants = [arrived(bot) for bot in wanted.bots]
    helpers = helpers_of_bots(isolation, entrants)
    at_once = max(jobs, cores())
    players = catalog.rules(wanted.game).players[1]
    check_capacity(jobs, players, helpers)
    bots = {}
    for entrant in entrants:
        try:
            bots[entrant.name] = build(entrant, isolation=isolation)
        except BuildFailed as error:
            raise BuildFailed(f"{entrant.name} could not be built: {error}", error.killed) from None
    kept = kept_bots(at_once, players, helpers)
    _configs.clear()
    _configs[wanted.key] = RefereeConfig(wanted.game, wanted.edition, wanted.time, bots, kept=kept)
    named = {"name": shorten(printable(platform.node()), _LONGEST_NAME), **machine(), "speed": core_speed()}
    return Readiness(named, isolation.recorded)


class GamesToPlay:
    """Games on their way to a worker. Dask may log what it is given: this shows nothing, seeds least."""

    __slots__ = ("_packed",)

    def __init__(self, specs: Sequence[GameSpec]) -> None:
        """Pack the games."""
        self._packed = pickle.dumps(list(specs))

    def __repr__(self) -> str:
        """Return a text that says nothing of them."""
        return "<games>"

    def specs(self) -> list[GameSpec]:
        """Return the games."""
        found: list[GameSpec] = pickle.loads(self._packed)
        return found


NOT_PREPARED: Final = b""
"""In place of games that were played: the process that should play is a new one, and does not know the settings."""


def play(key: str, games: GamesToPlay) -> bytes:
    """In the process that plays: play these games by the settings of this key, and return what was played, packed.

    Returns `NOT_PREPARED` if it does not know them. That is no exception, as Dask would log it as a failure. Raises
    what `play_games` does.
    """
    if (config := _configs.get(key)) is None:
        return NOT_PREPARED
    return pickle.dumps(play_games(config, games.specs()))

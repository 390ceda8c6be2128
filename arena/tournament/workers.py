"""Workers behind the `concurrent.futures.Executor` interface, so that a cluster's can take their place.

Those on other machines come and go while a tournament is played.
"""

from __future__ import annotations

import contextlib
import gc
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from pathlib import Path
from typing import NamedTuple

import msgspec

from arena.common.errors import ArenaError
from arena.common.private_folders import remove_folders
from arena.common.processes import ProcessPool, do_nothing
from arena.common.protection import adopt_orphans
from arena.entrants.shortage import raise_limits
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.ledger import GameRecord, GameSummary, PackedGame, PageDataRecord, pack_game, summary_of
from arena.ledger.packing import PackedCellError
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.replays.cache import pack_page_data, source_hash
from arena.tournament.spectator_feed import SpectatorFeed
from engine import catalog

MakeExecutor = Callable[[], Executor]
"""A new executor that runs one call at a time. One that has `kill()` is ended by it when a run is interrupted."""

_referee: tuple[RefereeConfig, Referee] | None = None
_feed: SpectatorFeed | None = None


class PlayedGame(NamedTuple):
    """A game that a worker has played. Make it by `of`."""

    summary: GameSummary
    page_data: PageDataRecord | None
    """None if it cannot be built; `arena publish` then says why."""
    lost: int = 0
    """Of a void game: how many games were lost together because the worker ended; 0: it did not."""
    machine: Mapping[str, str] | None = None
    """On which machine it was played, as `arena.common.machine` describes it; None: on that of the coordinator."""
    isolation: str | None = None
    """How its bots were kept apart there, as the ledger records it."""
    packed: PackedGame | None = None
    """The game as the ledger writes it. None: it is void or too long to be recorded, as the error of `summary` says."""

    @classmethod
    def of(cls, record: GameRecord, page_data: PageDataRecord | None = None, lost: int = 0) -> PlayedGame:
        """Pack a game where it was played: there are many workers, and only one process that writes all games."""
        summary = summary_of(record)
        if record.ending == "void":
            return cls(summary, None, lost)
        try:
            return cls(summary, page_data, packed=pack_game(record))
        except PackedCellError as error:
            return cls(msgspec.structs.replace(summary, error=f"too long to be recorded: {error}"), None)


class LocalWorker(ProcessPool):
    """One process on this machine: if it breaks, it is plain whose games are lost. Its bots end with it."""

    def __init__(self, begin: Callable[[], object] = do_nothing) -> None:
        """Start the process; it calls `begin` first. Raises `OSError`."""
        super().__init__(1, begin=begin, end=remove_folders)


def play_games(config: RefereeConfig, specs: Sequence[GameSpec], watchable: Path | None = None) -> list[PlayedGame]:
    """In a worker: play these games with bots that stay for the next ones.

    Args:
        config: What all games share.
        specs: The games.
        watchable: Where they can be watched: see `arena.tournament.spectator_feed`.
    """
    global _referee
    game_steps: defaultdict[str, list[GameStep]] = defaultdict(list)
    if _referee is not None and _referee[0] != config:
        close_referee()
    if _referee is None:
        raise_limits()
        adopt_orphans()
        source_hash(catalog.rules(config.game))  # of what is loaded now, whatever is edited while it plays
        _referee = (config, Referee(config))
        collect_seldom()
    feed = None if watchable is None else _feed_in(watchable, config)
    if feed is not None:
        feed.follow(specs, game_steps)
    try:
        records = _referee[1].play(specs, lambda spec, game_step: game_steps[spec.id].append(game_step))
    except BaseException:
        # Whatever went wrong, the next games get a new referee and new bots.
        with contextlib.suppress(Exception):
            close_referee()
        raise
    if feed is not None:
        feed.end(records)
    # Now nobody's time runs: no bot pays for this.
    return [PlayedGame.of(record, _page_data(config, record, game_steps.pop(record.id, []))) for record in records]


def _feed_in(folder: Path, config: RefereeConfig) -> SpectatorFeed:
    global _feed
    if _feed is None or _feed.folder != folder:
        _feed = SpectatorFeed(folder, catalog.rules(config.game), config.edition)
    return _feed


def _page_data(config: RefereeConfig, record: GameRecord, game_steps: list[GameStep]) -> PageDataRecord | None:
    if record.ending != "void":
        with contextlib.suppress(BaseException):  # whatever a plug-in raises: the game counts all the same
            return pack_page_data(record, catalog.rules(config.game), config.edition, game_steps)
    return None


def collect_seldom() -> None:
    """Spare garbage collection what is loaded by now, and most of its rounds: a referee leaves hardly any cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)


def close_referee() -> None:
    """In a worker: say goodbye to the bots."""
    global _referee
    if _referee is not None:
        referee, _referee = _referee[1], None
        referee.close()


class WorkerLost(BrokenExecutor):
    """A machine is gone, silent or late. No bot is blamed: its games are played again as they were, elsewhere."""

    def __init__(self, text: str, begun: bool = True) -> None:
        """Keep what is known. `begun`: whether it may have begun the call."""
        super().__init__(text, begun)
        self.begun = begun

    def __str__(self) -> str:
        """Return why."""
        return str(self.args[0])


class WorkforceError(ArenaError):
    """Nobody is left to play games, or nobody may play them. The text says why and what to do."""


class RemoteWorker(Executor, ABC):
    """One core of another machine. It runs one call at a time; a call that is lost with it raises `WorkerLost`."""

    @abstractmethod
    def renew(self) -> None:
        """Run the next call in a new process, without the bots of the one before."""

    @abstractmethod
    def kill(self) -> None:
        """End what it runs."""


class Workforce(ABC):
    """Gives a tournament its workers."""

    @abstractmethod
    def leave_out(self, machines: Collection[str]) -> None:
        """Use no worker on machines of these names. Call it before `begin`."""

    @abstractmethod
    def begin(
        self, config: RefereeConfig, most: int | None, arrived: Callable[[RemoteWorker | Exception], object]
    ) -> None:
        """Make workers ready for these games, and hand over each that is ready, now and whenever one is found.

        Args:
            config: What all games share.
            most: The most workers at the same time. None: all that there are.
            arrived: Called from another thread with a worker; with a `WorkforceError` if there can be none any more.
        """

"""Workers behind the `concurrent.futures.Executor` interface, so that a cluster's can take their place."""

from __future__ import annotations

import contextlib
import gc
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import NamedTuple

from arena.common.processes import ProcessPool, do_nothing
from arena.entrants.shortage import raise_limits
from arena.ledger import GameRecord, StoryRecord
from arena.match.spec import GameOrder
from arena.match.transcript import Moment
from arena.referee.config import Setup
from arena.referee.referee import Host
from arena.referee.transport import remove_folders
from arena.replays.cache import tell, told_by
from engine import catalog

MakeExecutor = Callable[[], Executor]
"""A new executor that runs one call at a time. One that has `kill()` is ended by it when a run is interrupted."""

_host: tuple[Setup, Host] | None = None


class Played(NamedTuple):
    """A game that a worker has played."""

    record: GameRecord
    story: StoryRecord | None
    """None: it cannot be told. Why, publishing will say."""


class LocalWorker(ProcessPool):
    """One process on this machine: if it breaks, it is plain whose games are lost. Its bots end with it."""

    def __init__(self, begin: Callable[[], object] = do_nothing) -> None:
        """Start it; it calls `begin` first. Raises `OSError`."""
        super().__init__(1, begin=begin, end=remove_folders)


def play_games(setup: Setup, orders: Sequence[GameOrder]) -> list[Played]:
    """In a worker: play these games with bots that stay for the next ones."""
    global _host
    moments: defaultdict[str, list[Moment]] = defaultdict(list)
    if _host is not None and _host[0] != setup:
        close_host()
    if _host is None:
        raise_limits()
        told_by(catalog.game(setup.game))  # of what is loaded now, whatever is edited while it plays
        _host = (setup, Host(setup))
        collect_seldom()
    try:
        records = _host[1].play(orders, lambda order, moment: moments[order.id].append(moment))
    except BaseException:
        # Whatever went wrong, the next games get a new referee and new bots.
        with contextlib.suppress(Exception):
            close_host()
        raise
    # Now nobody's time runs: no bot pays for this.
    return [Played(record, _story(setup, record, moments.pop(record.id, []))) for record in records]


def _story(setup: Setup, record: GameRecord, moments: list[Moment]) -> StoryRecord | None:
    if record.ending != "void":
        with contextlib.suppress(BaseException):  # whatever a plug-in raises: the game counts all the same
            return tell(record, catalog.game(setup.game), setup.edition, moments)
    return None


def collect_seldom() -> None:
    """Spare garbage collection what is loaded by now, and most of its rounds: a referee leaves hardly any cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 100)


def close_host() -> None:
    """In a worker: say goodbye to the bots."""
    global _host
    if _host is not None:
        host, _host = _host[1], None
        host.close()

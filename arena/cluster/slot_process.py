"""What the process of a slot is told before its first game, and how it plays. It runs below Dask's worker."""

from __future__ import annotations

import pickle
import platform
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.cluster.travelling_bots import TravellingBot, arrived, described
from arena.common.machine import core_speed, machine
from arena.common.printable import printable, shorten
from arena.common.processes import cores
from arena.entrants import BuildFailed, build
from arena.game.clock import TimeControl
from arena.game.spec import GameSpec
from arena.isolation.probe import choose
from arena.isolation.settings import NONE, IsolationPlan, Level
from arena.referee.config import RefereeConfig
from arena.tournament.capacity import check_capacity, helpers_of_bots, kept_bots
from arena.tournament.workers import play_games
from engine import catalog
from engine.rules import Data

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
    """These three: how bots are kept apart."""


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
    isolation = choose(IsolationPlan(wanted.level, list(wanted.readable)), wanted.build_network)
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

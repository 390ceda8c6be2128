"""Put everything together that a table needs: bots, persons, ledger, hints and what comes after a game."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from arena.common.labels import MARK
from arena.common.printable import printable
from arena.common.processes import ProcessPool
from arena.common.progress import Progress
from arena.entrants import BuildFailed, Built, Entrant, EntrantError, build
from arena.entrants.expand import unique_name
from arena.formats.seated import SEATED
from arena.game.clock import TimeControl
from arena.isolation.settings import Isolation
from arena.ledger import GameRecord
from arena.play.games import in_background, play_games
from arena.play.hints import HintBots
from arena.play.mistakes import MistakeFinder
from arena.play.recorded import opened_table
from arena.play.table import PlayTable, TableSettings
from arena.tournament.folders import HOME
from arena.tournament.identity import Identity
from arena.tournament.plan import PlanError
from arena.web.visitors import Visitor
from engine.rules import Data, Rules

_log = logging.getLogger(__name__)

_LONGEST_NAME: Final = 40


@dataclass(frozen=True)
class PlayPlan:
    """Who plays what, and how."""

    rules: Rules
    edition: Data
    bots: Sequence[Entrant]
    persons: Sequence[str]
    time: TimeControl
    """The bots' time control."""
    isolation: Isolation
    move: float | None = None
    """Seconds that a person has for each decision; None: any time."""
    seat: int | None = None
    """The first person's; None: as it is drawn."""
    seed: bytes | None = None
    ledger: str | None = None
    """The ledger's folder; None: one for this game, beside the tournaments."""
    is_fresh: bool = False
    hints: Entrant | None = None
    """The bot that gives hints."""
    has_tutorial: bool = False


def check_seats(rules: Rules, players: int, seat: int | None) -> None:
    """Raise `PlanError` if the game is not for so many players, or has no such seat."""
    low, high = rules.players
    if not low <= players <= high:
        raise PlanError(f"{players} players: {rules.name} is for {low} to {high}")
    if seat is not None and seat >= players:
        raise PlanError(f"seat {seat}: there are the seats 0 to {players - 1}")


def person_names(text: str | None, default: str = "person") -> list[str]:
    """Read `Ann,Bob`. Raises `PlanError` for a name that cannot be one."""
    names = [part.strip() for part in (default if text is None else text).split(",")]
    for name in names:
        if not name or printable(name) != name or MARK in name or len(name) > _LONGEST_NAME:
            raise PlanError(f"persons: {printable(name)!r} is no name: 1 to {_LONGEST_NAME} characters, without {MARK}")
    if len(set(names)) < len(names):
        raise PlanError("persons: two of them have the same name")
    return names


def beside(persons: Sequence[str], bots: Sequence[Entrant]) -> list[Entrant]:
    """Give bots names that no person has."""
    taken, named = set(persons), []
    for each in bots:
        named.append(replace(each, name=unique_name(each.name, taken)))
        taken.add(named[-1].name)
    return named


Front = Callable[[PlayTable, TableSettings], Any]
"""Makes the context of the pages or the terminal; it enters a `Looking`."""


class Looking:
    """What a front wants to be asked and to know while games are played."""

    def look(self) -> None:
        """Raise what ends the games."""

    def replay(self, ledger: Path, game_id: str) -> str | None:
        """Return where a game that was recorded can be looked at; None: nowhere. Called in a thread."""
        return None


@contextmanager
def _hints(plan: PlayPlan) -> Iterator[HintBots | None]:
    built = None if plan.hints is None else _built(plan.hints, plan.isolation)
    if built is None:
        yield None
        return
    bots = HintBots(built, plan.time)
    try:
        yield bots
    finally:
        bots.close()


def run(plan: PlayPlan, visitors: Mapping[str, Visitor], front: Front, progress: Progress) -> None:
    """Play games until the table is left, or interrupted.

    Args:
        plan: What is played.
        visitors: By person: where it plays.
        front: What the persons see.
        progress: Gets what happens before the first game.
    """
    settings = TableSettings(plan.rules, plan.edition, plan.move, plan.has_tutorial)
    with ExitStack() as stack:
        recorded = stack.enter_context(
            opened_table(
                *(_identity(plan), plan.ledger, HOME / f"play-{plan.rules.name}", plan.is_fresh),
                *(plan.bots, plan.persons, plan.isolation, progress),
            )
        )
        hints = stack.enter_context(_hints(plan))
        table = PlayTable(settings, visitors, hints)
        looking: Looking = stack.enter_context(front(table, settings))
        folder = recorded.ledger.folder
        after = _Afterwards(plan, table, looking, folder)
        stack.callback(after.close)

        def on_over(record: GameRecord) -> Mapping[str, Any]:
            after.begin(record)
            return after.where(record, None)

        play_games(table, settings, recorded, plan.time, plan.seat, looking.look, on_over)


class _Afterwards:
    """What is done after a game while persons look at its end: its replay, and where choices cost most."""

    def __init__(self, plan: PlayPlan, table: PlayTable, looking: Looking, folder: Path) -> None:
        self._plan = plan
        self._table = table
        self._looking = looking
        self._folder = folder
        self._pool: ProcessPool | None = None
        self._is_closed = False

    def where(self, record: GameRecord, replay: str | None) -> dict[str, Any]:
        return {"id": record.id, "ledger": str(self._folder), "replay": replay}

    def begin(self, record: GameRecord) -> None:
        in_background("replay", lambda: self._publish(record))
        if self._plan.hints is not None:
            seats = self._table.seats()
            in_background("mistakes", lambda: self._weigh(record, seats))

    def close(self) -> None:
        self._is_closed = True
        if self._pool is not None:
            self._pool.kill()

    def _publish(self, record: GameRecord) -> None:
        replay = self._looking.replay(self._folder, record.id)
        if replay is not None:
            self._table.over_again(record, self.where(record, replay))

    def _weigh(self, record: GameRecord, seats: Sequence[int]) -> None:
        plan = self._plan
        assert plan.hints is not None
        try:
            self._pool = self._pool or ProcessPool(1)
            finder = MistakeFinder(_built(plan.hints, plan.isolation), plan.rules, plan.edition, plan.time, self._pool)
            for seat in seats:
                finder.find(record, seat, lambda found, seat=seat: self._table.mistakes(record, seat, found))  # type: ignore[misc]
        except Exception as error:  # whatever a plug-in raises, or a pool that was ended
            if self._is_closed:
                return
            _log.warning("mistakes cannot be found: %r", error)
            for seat in seats:
                self._table.mistakes(
                    record, seat, {"done": True, "bot": plan.hints.name, "error": "no bot could be asked"}
                )


def _identity(plan: PlayPlan) -> Identity:
    low, high = plan.rules.players
    return Identity(
        game=plan.rules.name,
        edition=dict(plan.edition),
        players=list(range(low, high + 1)),
        time=plan.time,
        seed=plan.seed,
        format=SEATED,
    )


def _built(entrant: Entrant, isolation: Isolation) -> Built:
    try:
        return build(entrant, isolation=isolation)
    except BuildFailed as error:
        raise EntrantError(f"{entrant.name}: {error}") from None

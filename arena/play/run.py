"""Put everything together that a table needs: bots, persons, ledger, hints and what comes after a game."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.analysis.analysis import GameAnalysis, marked_choices
from arena.analysis.playouts import Budget
from arena.analysis.run import AnalysisCache, Analyst
from arena.common.errors import ArenaError
from arena.common.labels import MARK
from arena.common.printable import printable
from arena.common.processes import ProcessPool
from arena.common.progress import Progress
from arena.entrants import Entrant, must_build
from arena.entrants.expand import unique_name
from arena.formats.seated import SEATED
from arena.game.clock import TimeControl
from arena.game.game import LEFT
from arena.game.spec import GameSpec
from arena.game.transcript import GameStep
from arena.isolation.settings import Isolation
from arena.ledger import GameRecord, PageDataRecord, Partners
from arena.play.hints import HintBots
from arena.play.recorded import RecordedTable, opened_table
from arena.play.table import PlayTable, TableSettings
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.time.pause_queue import UNLIMITED_SECONDS
from arena.replays.cache import pack_page_data
from arena.tournament.folders import HOME
from arena.tournament.identity import Identity, dealing_of, with_partners
from arena.tournament.plan import PlanError
from arena.web.visitors import Visitor
from engine.rules import Data, Rules

_LOOK_SECONDS: Final = 0.5
_REPORTED: Final = 8
"""After so many weighed choices the worst so far are reported."""
_MOST: Final = 12
"""Of a person's choices that would have been better otherwise."""
APART_PAUSE: Final = 20.0
"""Seconds: the longest pause for a person whom others cannot see. Who plays alone against bots waits less."""


class LostPersonError(ArenaError):
    """A person at the table cannot be asked any more."""


OnOver = Callable[[GameRecord], Mapping[str, Any]]
"""Called with a game that was recorded; returns what pages are to know of where it is."""


def play_games(
    table: PlayTable,
    settings: TableSettings,
    recorded: RecordedTable,
    time: TimeControl,
    seat: int | None,
    look: Callable[[], object],
    on_over: OnOver,
) -> None:
    """Play until the table is left.

    Args:
        table: The table.
        settings: Its settings.
        recorded: Its ledger.
        time: The bots' time control.
        seat: The first person's in the first game; None: as it is drawn.
        look: Called again and again, during games and between them; it raises what ends the games.
        on_over: Called after each game.

    Raises:
        LostPersonError: A person cannot be asked any more.
    """
    config = _config(table, settings, recorded, time)
    with Referee(config, pin=False, sources=table.persons) as referee:
        while not table.is_left:
            spec = recorded.next_game(seat)
            seat = None  # from now on all move on by a seat
            table.set_up(spec)
            _wait(table, look)
            if not table.is_left:
                _play(referee, table, settings, recorded, spec, look, on_over)
                if table.lost is not None:
                    raise LostPersonError(f"the game cannot ask {table.lost} any more: {_last_line(table.failure)}")
                _wait(table, look)


def _config(table: PlayTable, settings: TableSettings, recorded: RecordedTable, time: TimeControl) -> RefereeConfig:
    persons = frozenset(table.persons)
    own = {} if settings.move is None else dict.fromkeys(persons, persons_time(time, settings.move))
    return RefereeConfig(
        game=settings.rules.name,
        edition=settings.edition,
        time=time,
        bots=dict(recorded.built),
        unlimited=persons if settings.move is None else frozenset(),
        unlimited_pause=APART_PAUSE if len(table.visitors) > 1 else UNLIMITED_SECONDS,
        own_time=own,
    )


def persons_time(time: TimeControl, move: float) -> TimeControl:
    """Return the time control of a person: so many seconds for each decision, and no bank."""
    return msgspec.structs.replace(time, move=move, bank=0.0)


def _play(
    referee: Referee,
    table: PlayTable,
    settings: TableSettings,
    recorded: RecordedTable,
    spec: GameSpec,
    look: Callable[[], object],
    on_over: OnOver,
) -> None:
    def on_step(spec: GameSpec, game_step: GameStep) -> None:
        recorded.keep(game_step)
        table.on_step(spec, game_step)

    def is_left() -> bool:
        look()
        return table.is_left or table.failure is not None

    recorded.begin(spec)
    try:
        [record] = referee.play([spec], on_step, None, table.on_thinking, is_left)
    except KeyboardInterrupt:
        if table.is_left:  # else the arena is killed, and the game may go on later
            recorded.record_void(spec, LEFT)
        raise
    except (ArenaError, OSError):
        recorded.record_void(spec, LEFT)
        raise
    if record.ending == "void":
        error = table.failure or record.error
        recorded.record_void(spec, error)
        table.void(_last_line(error))
        return
    recorded.record(record, _page_data(table, settings, record))
    table.over(record, on_over(record))


def _page_data(table: PlayTable, settings: TableSettings, record: GameRecord) -> PageDataRecord | None:
    with suppress(Exception):  # whatever a plug-in raises: the game counts all the same
        return pack_page_data(record, settings.rules, settings.edition, table.game_steps)
    return None


def _last_line(error: str | None) -> str:
    return (error or "").strip().rpartition("\n")[2]


def _wait(table: PlayTable, look: Callable[[], object]) -> None:
    while not table.is_left and not table.wait_for_all(_LOOK_SECONDS):
        look()


def in_background(name: str, work: Callable[[], object]) -> threading.Thread:
    """Do some work in a thread that does not keep the process from ending."""
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    return thread


_log = logging.getLogger(__name__)

_LONGEST_NAME: Final = 40
_PAGES: Final = "pages.json"


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
        raise PlanError(f"seat {seat + 1}: there are the seats 1 to {players}")


def person_names(text: str | None) -> list[str]:
    """Read `Ann,Bob`. Raises `PlanError` for a name that cannot be one."""
    names = [part.strip() for part in ("person" if text is None else text).split(",")]
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

    def check_serving(self) -> None:
        """Raise what ends the games."""

    def replay(self, ledger: Path, game_id: str) -> str | None:
        """Return where a game that was recorded can be looked at; None: nowhere. Called in a thread."""
        return None


@contextmanager
def _hints(plan: PlayPlan) -> Iterator[HintBots | None]:
    built = None if plan.hints is None else must_build(plan.hints, plan.isolation)
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
    with ExitStack() as stack:
        recorded = stack.enter_context(
            opened_table(
                *(_identity(plan), plan.ledger, HOME / f"play-{plan.rules.name}", plan.is_fresh),
                *(plan.bots, plan.persons, plan.isolation, progress),
            )
        )
        pages = recorded.ledger.folder / _PAGES
        if not recorded.is_resumed:
            pages.unlink(missing_ok=True)
        if recorded.note:
            progress.say(recorded.note)
        settings = TableSettings(plan.rules, plan.edition, plan.move, plan.has_tutorial, recorded.note, pages)
        hints = stack.enter_context(_hints(plan))
        table = PlayTable(settings, visitors, hints)
        looking: Looking = stack.enter_context(front(table, settings))
        folder = recorded.ledger.folder
        after = _Afterwards(plan, table, looking, folder)
        stack.callback(after.close)

        def on_over(record: GameRecord) -> Mapping[str, Any]:
            after.begin(record)
            return after.where(record, None)

        play_games(table, settings, recorded, plan.time, plan.seat, looking.check_serving, on_over)


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
        if self._plan.rules.capabilities.worlds:
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
        try:
            self._pool = self._pool or ProcessPool(1)
            with AnalysisCache(self._folder, writing=True) as cache:
                analyst = Analyst(plan.rules, plan.edition, Budget(), cache=cache)
                for number, analysis in enumerate(analyst.analyse(record, seats, self._pool), start=1):
                    if number % _REPORTED == 0 or {*seats} <= {*analysis.seats}:
                        for seat in seats:
                            self._table.mistakes(record, seat, _mistakes(analysis, seat))
        except Exception as error:  # whatever a plug-in raises, or a pool that was ended
            if self._is_closed:
                return
            _log.warning("mistakes cannot be found: %r", error)
            for seat in seats:
                self._table.mistakes(record, seat, {"done": True, "error": "the game cannot be analysed"})


def _mistakes(analysis: GameAnalysis, seat: int) -> dict[str, Any]:
    """Return the worst choices of a person, as far as they were weighed."""
    own = [each for each in marked_choices(analysis) if each["seat"] == seat]
    return {
        "done": seat in analysis.seats,
        "weighed": len(analysis.of(seat)),
        "of": analysis.unit,
        "moves": sorted(own, key=lambda each: -float(each["lost"]))[:_MOST],
    }


def _identity(plan: PlayPlan) -> Identity:
    low, high = plan.rules.players
    counts = list(range(low, high + 1))
    # All sit at the table for themselves.
    partners: Partners | None = "drawn" if plan.rules.capabilities.teams else None
    return Identity(
        game=plan.rules.name,
        edition=dict(plan.edition),
        players=counts,
        time=plan.time,
        seed=plan.seed,
        format=SEATED,
        dealing=with_partners(dealing_of(plan.rules, "own", 0), plan.rules, counts, partners),
    )

"""Play games at a table, one after another, until it is left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from arena.common.errors import ArenaError
from arena.game.clock import TimeControl
from arena.game.game import LEFT
from arena.game.spec import GameSpec
from arena.ledger import GameRecord, PageDataRecord
from arena.play.recorded import RecordedTable
from arena.play.table import PlayTable, TableSettings
from arena.referee.config import RefereeConfig
from arena.referee.referee import Referee
from arena.referee.time.pause_queue import UNLIMITED_SECONDS
from arena.replays.cache import pack_page_data

_LOOK_SECONDS: Final = 0.5
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
        seat: The first person's; None: as it is drawn.
        look: Called again and again, during games and between them; it raises what ends the games.
        on_over: Called after each game.

    Raises:
        LostPersonError: A person cannot be asked any more.
    """
    config = _config(table, settings, recorded, time)
    with Referee(config, pin=False, sources=table.persons) as referee:
        while not table.is_left:
            spec = recorded.next_game(seat)
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
    def is_left() -> bool:
        look()
        return table.is_left or table.failure is not None

    recorded.begin(spec)
    try:
        [record] = referee.play([spec], table.on_step, None, table.on_thinking, is_left)
    except (KeyboardInterrupt, ArenaError, OSError):
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

"""What a worker writes down of the games that it plays while somebody watches: their public events.

In the folder of a tournament that is being played lies the folder `running`. In it are a named pipe, `watch`, and one
file for each worker, `<process id>.json`. A spectator opens the pipe to write, which wakes the workers; they
write their files about once a second until nobody has it open any more. Nothing is ever sent through the pipe.

A file is built up of what everybody may read: the scene at the start, and the events that `arena.game.transcript`
shows to a spectator. They are one list: where a decision ends and the next begins may depend on hidden cards, since a
seat with a single choice is not asked.
"""

from __future__ import annotations

from typing import Final

import msgspec

from arena.game.transcript import GameStep, visible
from arena.ledger.records import Ending
from engine.rules import Data

FOLDER: Final = "running"
WATCH: Final = "watch"
RETIRED: Final = "retired"
LARGEST: Final = 8 << 20
"""The most bytes of a worker's file. A game that makes it longer is not shown any more."""


class PublicEvent(msgspec.Struct, array_like=True):
    """An event of a game that everybody may read, or the note that a seat has retired."""

    kind: str
    """That of the step that it belongs to, or `RETIRED`."""
    what: Data
    """Of a retirement `{"seat": number}`."""


class GameEnd(msgspec.Struct):
    """How a game ended."""

    ending: Ending
    ranks: list[int]
    scores: list[dict[str, int]]


class ShownGame(msgspec.Struct, omit_defaults=True):
    """A game in a worker's file."""

    key: str
    """Another one for each time that it is played."""
    id: str
    bots: list[str]
    start: Data | None
    """The scene before its first event; None for a game without pictures."""
    events: list[PublicEvent]
    end: GameEnd | None = None
    """None: it is being played."""


def public_events(game_step: GameStep) -> list[PublicEvent]:
    """Return what everybody may read of a step."""
    step = game_step.step
    found = [PublicEvent(step.kind, event.what) for event in game_step.events if visible(event, None)]
    return [*found, PublicEvent(RETIRED, {"seat": step.seat})] if step.kind == "retire" else found

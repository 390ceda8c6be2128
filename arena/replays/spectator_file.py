"""What a worker writes down of the matches that it plays while somebody watches: their public events.

In the folder of a tournament that is being played lies the folder `running`. In it are a named pipe, `watch`, and one
file for each worker, `<process id>.json`. Whoever wants to watch opens the pipe to write, which wakes the workers; they
write their files about once a second until nobody has it open any more. Nothing is ever sent through the pipe.

A file is built up of what everybody may read: the scene at the start, and the events that `arena.match.transcript`
shows to a spectator. They are one list: where a decision ends and the next begins may depend on hidden cards, since a
seat with a single choice is not asked.
"""

from __future__ import annotations

from typing import Final

import msgspec

from arena.ledger.records import Ending
from arena.match.transcript import MatchStep, visible
from engine.game import Data

FOLDER: Final = "running"
WATCH: Final = "watch"
RETIRED: Final = "retired"
LARGEST: Final = 8 << 20
"""The most bytes of a worker's file. A match that makes it longer is not shown any more."""


class PublicEvent(msgspec.Struct, array_like=True):
    """An event of a match that everybody may read, or the note that a seat has retired."""

    kind: str
    """That of the step that it belongs to, or `RETIRED`."""
    what: Data
    """Of a retirement `{"seat": number}`."""


class MatchEnd(msgspec.Struct):
    """How a match ended."""

    ending: Ending
    ranks: list[int]
    scores: list[dict[str, int]]


class ShownMatch(msgspec.Struct, omit_defaults=True):
    """A match in a worker's file."""

    key: str
    """Another one for each time that it is played."""
    id: str
    bots: list[str]
    start: Data | None
    """The scene before its first event; None for a game without pictures."""
    events: list[PublicEvent]
    end: MatchEnd | None = None
    """None: it is being played."""


def public_events(match_step: MatchStep) -> list[PublicEvent]:
    """Return what everybody may read of a step."""
    step = match_step.step
    found = [PublicEvent(step.kind, event.what) for event in match_step.events if visible(event, None)]
    return [*found, PublicEvent(RETIRED, {"seat": step.seat})] if step.kind == "retire" else found

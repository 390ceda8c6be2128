"""The public part of a game while it is played, for a board that goes on with it, and the files that it is made of.

In the folder of a tournament that is being played lies the folder `running`. In it are a named pipe, `watch`, and one
file for each worker, `<process id>.json`, in which it writes down the public events of the games that it plays while
somebody watches. A spectator opens the pipe to write, which wakes the workers; they write their files about once a
second until nobody has it open any more. Nothing is ever sent through the pipe.

A file is built up of what everybody may read: the scene at the start, and the events that `arena.game.transcript`
shows to a spectator. They are one list: where a decision ends and the next begins may depend on hidden cards, since a
seat with a single choice is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from arena.game.transcript import GameStep, visible
from arena.ledger.records import Ending, GameRecord
from arena.replays.public_part import PublicPart
from arena.replays.words import Words
from engine.picture import Illustrated
from engine.rules import Data, Rules

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
    seen: Data | None = None
    """Of a game without pictures what changed in a spectator's view, with the last event of a step."""


class GameEnd(msgspec.Struct):
    """How a game ended."""

    ending: Ending
    ranks: list[int]
    scores: list[dict[str, int | float]]


class ShownGame(msgspec.Struct, omit_defaults=True):
    """A game in a worker's file."""

    key: str
    """Another one for each time that it is played."""
    id: str
    bots: list[str]
    start: Data | None
    """The scene before its first event; None for a game without pictures."""
    events: list[PublicEvent]
    seen: Data | None = None
    """Of a game without pictures, what a spectator sees before its first event."""
    end: GameEnd | None = None
    """None: it is being played."""


def public_events(game_step: GameStep) -> list[PublicEvent]:
    """Return what everybody may read of a step, without what a spectator sees after it."""
    step = game_step.step
    found = [PublicEvent(step.kind, event.what) for event in game_step.events if visible(event, None)]
    return [*found, PublicEvent(RETIRED, {"seat": step.seat})] if step.kind == "retire" else found


PIECE: Final = 32
"""Steps of a piece: of a game that goes on only the last one changes."""


class RunningGame:
    """Follows a game through its public events."""

    def __init__(self, shown: ShownGame, rules: Rules, edition: Data) -> None:
        """Begin before its first event."""
        self.key = shown.key
        self.id = shown.id
        self.bots = shown.bots
        self.end: Data | None = None
        """How it ended, by the keys of the public part; None: it is being played."""
        self._start = shown.start
        self._seen = shown.seen
        self._edition = edition
        self._rules = rules
        self._part = PublicPart(
            shown.bots,
            edition,
            Words(rules, shown.bots),
            rules if isinstance(rules, Illustrated) and shown.start is not None else None,
            shown.start,
            shown.seen,
        )
        self._taken = 0

    def take_events(self, shown: ShownGame) -> int:
        """Take in what is new of it, and return from which step on. A plug-in's game may raise anything."""
        before = self.steps
        for event in shown.events[self._taken :]:
            if event.kind == RETIRED:
                self._part.retired.append(event.what["seat"])
            else:
                self._part.add(event.kind, event.what, event.seen)
        self._taken = max(self._taken, len(shown.events))
        if shown.end is not None and self.end is None:
            self.end = self._ended(shown.end)
        return before

    @property
    def turn(self) -> str:
        """Return the name of the turn that was begun last; empty before the first."""
        return next((step[4] for step in reversed(self._part.steps) if step[4] is not None), "")

    @property
    def steps(self) -> int:
        """Return the number of its public steps so far."""
        return len(self._part.steps)

    def head(self) -> Data:
        """Return what does not change."""
        return {
            "id": self.id,
            "game": self._rules.name,
            "edition": str(self._edition.get("name", "")),
            "players": len(self.bots),
            "bots": self.bots,
            "start": self._start,
            **({} if self._seen is None else {"seen": self._seen}),
        }

    def pieces(self, since: int = 0) -> Iterator[tuple[int, Data]]:
        """Yield its pieces with their numbers, from the one on that has the step `since`."""
        for number in range(since // PIECE, -(-self.steps // PIECE)):
            yield number, self._part.piece(number * PIECE, (number + 1) * PIECE)

    def _ended(self, end: GameEnd) -> Data:
        players = len(self.bots)
        record = GameRecord(
            self.id, 0, players, 0, 0, "", self.bots, end.ending, end.ranks, end.scores, [], [], [], [], "", ""
        )
        data = self._part.data(record, over=True)
        keys = ("ending", "ranks", "scores", "retired", "outcome", "reasons", "turning_points")
        found = {key: data[key] for key in keys if key in data}
        return {**found, "chances": data.get("chances", [])[-1:]}

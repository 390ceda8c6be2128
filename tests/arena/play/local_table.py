"""A table within this process: a game whose bots take the first action, and persons who act by the test."""

from __future__ import annotations

from typing import Any

import msgspec

from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.play.table import PlayTable, TableSettings
from arena.protocol.messages import Act
from arena.web.visitors import Visitor
from engine import catalog


class LocalTable:
    """Persons by name, each with the visitor at which it plays; bots fill the other seats."""

    def __init__(
        self, places: dict[str, Visitor], seats: list[str], game: str = "ravensburger", hints: Any = None
    ) -> None:
        rules = catalog.rules(game)
        self.edition = rules.edition(rules.editions()[0])
        self.table = PlayTable(TableSettings(rules, self.edition), places, hints)
        for name, person in self.table.persons.items():
            person.choose = lambda game_id, turn, index, name=name: self._answer(name, turn, index)  # type: ignore[method-assign, misc]
        self.seats = seats
        self.spec = GameSpec("p2-b0000-r0", 0, len(seats), 0, 0, bytes(16).hex(), seats)
        self.begin()

    def begin(self) -> None:
        """Set up a game and begin it, as far as the first question to a person."""
        unlimited = frozenset(range(len(self.seats)))
        rules = self.table._settings.rules
        self.game = Game(rules, self.edition, self.spec, TimeControl(), unlimited, self.table.on_step)
        self.table.set_up(self.spec)
        for name in self.table.persons:
            self.table.hear(name, msgspec.to_builtins(self.game.start(self.seats.index(name))))

    def go_on(self) -> None:
        """Play the bots' moves up to the next question to a person, which the table hears."""
        while (seat := self.game.awaited) is not None:
            decide = self.game.decide()
            self.table.on_thinking(self.spec, seat)
            if self.seats[seat] in self.table.persons:
                self.table.hear(self.seats[seat], msgspec.to_builtins(decide))
                return
            self.game.answer(seat, Act("", decide.turn, 0), 0.0)

    def _answer(self, name: str, turn: int, index: int) -> None:
        self.game.answer(self.seats.index(name), Act("", turn, index), 0.0)


def now(visitor: Visitor) -> dict[str, Any]:
    """What holds for a visitor, by event."""
    return {each.event: msgspec.json.decode(each.text()) for each in visitor.bulletin.newer_than(0)}

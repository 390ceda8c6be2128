"""A game of `ravensburger` as `engine.rules.State` has it: at a decision, or at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.ravensburger import turn
from engine.ravensburger.cards import ACTION, EMPTY, EVENT, MODES
from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.types.actions import RavensburgerAction
from engine.ravensburger.types.view import RavensburgerView
from engine.ravensburger.view import build_view
from engine.rules import Action, Event

PREFERENCES: Final = ("exchange", "draw", "discard", "retreat", "stay", "carry_out", "end")
"""What is done when no card is played: the first of these that is offered. Everything else is declined."""


class RavensburgerState(RavensburgerPosition):
    """A game of `ravensburger` at a decision with two or more actions, or at its end."""

    __slots__ = ()

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.table.phase == "over" else self.table.decider

    @property
    def phase(self) -> str:
        """The name of the decision."""
        return self.table.phase

    def options_after(self, action: RavensburgerAction, log: list[Event]) -> list[RavensburgerAction]:
        """Carry out an action and all that follows without a choice, and return the options of the next decision."""
        return turn.play(self, action, log)

    def view(self, seat: int | None) -> RavensburgerView:
        """Return what `seat` (None: a spectator) may know."""
        hand = None if seat is None else self.hands[seat]
        decks = (self.decks[ACTION].view(seat), self.decks[EVENT].view(seat))
        return build_view(self.table, hand, seat, decks, self.edition.event_names)

    def substitute_action(self) -> int:
        """Return the index of the substitute's action (R-55). IndexError: the game is over.

        It plays one decision after a strike, and every decision of a seat that was retired, until the game ends. It
        plays the card or purse that moves forward the least, but not into the goal. If there is none it follows
        `PREFERENCES`. It leaves the rose where it lies, and at the start takes the first mode.
        """
        table = self.table
        found: Sequence[Action] = self._options
        kinds = [action["do"] for action in found]
        if kinds[0] == "rose":
            return 0 if table.rose == EMPTY else [action["to"] for action in found].index(MODES[table.rose])
        square = table.square[table.decider]
        steps = {
            index: action["to"] - square
            for index, action in enumerate(found)
            if action["do"] == "play" and square < action.get("to", -1) < self.edition.goal
        }
        if steps:
            return min(steps, key=steps.__getitem__)
        return next(kinds.index(kind) for kind in PREFERENCES if kind in kinds)

    def stand_here(self) -> None:
        """Stay at the question on top, however many actions it has."""
        self._options = turn.options(self)

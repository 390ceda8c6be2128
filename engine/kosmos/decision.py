"""A game of `kosmos` as `engine.rules.State` has it: at a decision, or at its end."""

from __future__ import annotations

from engine.kosmos import turn
from engine.kosmos.cards import EVENT, TRAVEL
from engine.kosmos.state import KosmosPosition
from engine.kosmos.types.actions import KosmosAction
from engine.kosmos.types.view import KosmosView
from engine.kosmos.view import build_view
from engine.rules import Event


class KosmosState(KosmosPosition):
    """A game of `kosmos` at a decision with two or more actions, or at its end."""

    __slots__ = ()

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.table.phase == "over" else self.table.on_turn

    @property
    def phase(self) -> str:
        """The name of the decision."""
        return self.table.phase

    def options_after(self, action: KosmosAction, log: list[Event]) -> list[KosmosAction]:
        """Carry out an action and all that follows without a choice, and return the options of the next decision."""
        return turn.play(self, action, log)

    def view(self, seat: int | None) -> KosmosView:
        """Return what `seat` (None: a spectator) may know."""
        hand = None if seat is None else self.hands[seat]
        decks = (self.decks[TRAVEL].view(seat), self.decks[EVENT].view(seat))
        return build_view(self.table, hand, seat, decks, self.edition.chits_face_down)

    def substitute_action(self) -> int:
        """Return the index of the substitute's action: the list of any phase begins with it (K-85).

        It plays one decision after a strike, and every decision of a seat that was retired, until the game ends:

            take    the leftmost card that may be taken
            action  pass
            travel  stay
            reroll  keep the roll
            chit    decline
            escape  suffer the days
            limit   discard the first card in card order
        """
        return 0

    def penalize(self, seat: int) -> list[Event]:
        """Charge the edition's days for inattention and return the events."""
        log: list[Event] = []
        self.lose(seat, self.edition.inattention_days, "penalty", log)
        return log

    def stand(self, log: list[Event]) -> None:
        """Go on to the first decision with two or more actions."""
        self._options = turn.advance(self, log)

    def stand_here(self) -> None:
        """Stay at the decision of the present phase, however many actions it has."""
        self._options = turn.options(self)

"""A game of `kosmos` as `engine.rules.State` has it: at a decision, or at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.kosmos import ranking, turn
from engine.kosmos.cards import EVENT, TRAVEL
from engine.kosmos.state import KosmosPosition
from engine.kosmos.types.actions import KosmosAction
from engine.kosmos.types.events import kosmos_event
from engine.kosmos.types.view import KosmosView
from engine.kosmos.view import build_view
from engine.rules import Event, ForcedMove


class KosmosState(KosmosPosition):
    """A game of `kosmos` at a decision with two or more actions, or at its end."""

    __slots__ = ("_options",)

    _options: list[KosmosAction]

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.table.phase == "over" else self.table.on_turn

    @property
    def phase(self) -> str:
        """The name of the decision."""
        return self.table.phase

    def forced_moves(self) -> Sequence[ForcedMove]:
        """Return the moves after the last action that were forced, as only their seats know."""
        return self.forced

    def actions(self) -> Sequence[KosmosAction]:
        """Return the legal actions of the seat to act, in a stable order."""
        return self._options

    def play(self, index: int) -> list[Event]:
        """Play the action with this index and return the events up to the next decision. IndexError: no such action."""
        if not 0 <= index < len(self._options):
            raise IndexError(f"there is no action {index}: there are {len(self._options)}")
        log: list[Event] = []
        self.forced = ()
        self._options = turn.play(self, self._options[index], log)
        return log

    def view(self, seat: int | None) -> KosmosView:
        """Return what `seat` (None: a spectator) may know."""
        hand = None if seat is None else self.hands[seat]
        decks = (self.decks[TRAVEL].view(seat), self.decks[EVENT].view(seat))
        return build_view(self.table, hand, seat, decks, self.edition.chits_face_down)

    def ranks(self) -> list[int]:
        """Return the rank of each seat (K-80 to K-83)."""
        return ranking.ranks(self)

    def scores(self) -> list[dict[str, int]]:
        """Return days, arrived, cities and gold of each seat."""
        return ranking.scores(self)

    def copy(self) -> KosmosState:
        """Return an independent state."""
        clone = KosmosState(0, self.edition, self.chance)
        self.copy_into(clone)
        clone._options = self._options
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where the rules are compiled, `__init__` is called first."""
        return KosmosState, (0, self.edition, self.chance), self.__getstate__()

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

    def retire(self, seat: int) -> list[Event]:
        """Note that the game no longer waits for this seat to arrive; it stays in the game (K-85)."""
        if seat in self.table.retired:
            return []
        self.table.retired.append(seat)
        return [kosmos_event(None, {"event": "retired", "seat": seat})]

    def stand(self, log: list[Event]) -> None:
        """Go on to the first decision with two or more actions."""
        self._options = turn.advance(self, log)

    def stand_here(self) -> None:
        """Stay at the decision of the present phase, however many actions it has."""
        self._options = turn.options(self)

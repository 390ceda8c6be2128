"""`ravensburger` behind the interface of `engine.game`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.chance import FIRST_PLAYER, Chance
from engine.game import Data, Event, ForcedMove, Parameter
from engine.ravensburger import edition as editions
from engine.ravensburger import guide, outcome, picture, ranking, turn, words
from engine.ravensburger.cards import ACTION, EVENT
from engine.ravensburger.determinize import determinize
from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.substitute import substitute_action
from engine.ravensburger.types.actions import RavensburgerAction
from engine.ravensburger.types.events import ravensburger_event
from engine.ravensburger.types.view import RavensburgerView
from engine.ravensburger.view import build_view


class RavensburgerState(RavensburgerPosition):
    """A game of `ravensburger` at a decision with two or more actions, or at its end."""

    __slots__ = ("_options",)

    _options: list[RavensburgerAction]

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.table.phase == "over" else self.table.decider

    @property
    def phase(self) -> str:
        """The name of the decision."""
        return self.table.phase

    def forced_moves(self) -> Sequence[ForcedMove]:
        """Return the moves after the last action that were forced, as only their seats know."""
        return self.forced

    def actions(self) -> Sequence[RavensburgerAction]:
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

    def view(self, seat: int | None) -> RavensburgerView:
        """Return what `seat` (None: a spectator) may know."""
        hand = None if seat is None else self.hands[seat]
        decks = (self.decks[ACTION].view(seat), self.decks[EVENT].view(seat))
        return build_view(self.table, hand, seat, decks, self.edition.event_names)

    def ranks(self) -> list[int]:
        """Return the rank of each seat (R-52, R-53)."""
        return ranking.ranks(self)

    def scores(self) -> list[dict[str, int]]:
        """Return square, arrived and cards of each seat."""
        return ranking.scores(self)

    def copy(self) -> RavensburgerState:
        """Return an independent state."""
        clone = RavensburgerState.__new__(RavensburgerState)
        self.copy_into(clone)
        clone._options = self._options
        return clone

    def substitute_action(self) -> int:
        """Return the index of the substitute's action (R-55). IndexError: the game is over."""
        return substitute_action(self, self._options)

    def penalize(self, seat: int) -> list[Event]:
        """Charge nothing: the rule document names no penalty."""
        return []

    def retire(self, seat: int) -> list[Event]:
        """Note that the substitute decides for this seat, which stays in the game (R-55)."""
        if seat in self.table.retired:
            return []
        self.table.retired.append(seat)
        return [ravensburger_event(None, {"event": "retired", "seat": seat})]

    def stand_here(self) -> None:
        """Stay at the question on top, however many actions it has."""
        self._options = turn.options(self)


class Ravensburger:
    """Wolfgang Kramer's race around the world, in all its editions."""

    name: Final = "ravensburger"
    players: Final = (2, 6)

    def editions(self) -> list[str]:
        """Return the names of the editions, the default one first."""
        return list(editions.NAMED)

    def edition(self, name: str | Path) -> dict[str, Any]:
        """Return the whole resolved edition of that name or in that TOML file. Raises `EditionError`."""
        return editions.resolve(name)[0]

    def parameters(self, name: str | Path) -> list[Parameter]:
        """Return the settings of that edition, for people. Raises `EditionError`."""
        return editions.parameters(*editions.resolve(name))

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the game does not know."""
        return editions.EDITIONS.strip_unknown(edition)

    def start(self, players: int, edition: Data, chance: Chance) -> RavensburgerState:
        """Shuffle, and draw at random the start player, who places the rose before any card is dealt (R-10)."""
        if not self.players[0] <= players <= self.players[1]:
            raise ValueError(f"ravensburger is for 2 to 6 players, not {players}")
        rules = editions.verified(edition)
        state = RavensburgerState(players, rules, chance)
        state.decks[ACTION].set_up(rules.action_cards[:], chance)
        state.decks[EVENT].set_up(rules.event_cards[:], chance)
        table = state.table
        table.first = table.on_turn = chance.below(FIRST_PLAYER, players)
        table.pending.append(("setup",))
        state.stand_here()
        return state

    def determinize(self, view: Data, edition: Data, chance: Chance) -> RavensburgerState:
        """Return a state that `view` allows, with the hidden cards and all future draws taken from `chance`."""
        state = RavensburgerState(len(view["square"]), editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    def opening(self, view: Data) -> Sequence[Data]:
        """Return nothing: before the first move nothing happens that a spectator may see."""
        return []

    words = staticmethod(words.words)

    # The interface of `engine.picture`.
    board = staticmethod(picture.board)
    scene = staticmethod(picture.scene)
    scene_changes = staticmethod(picture.scene_changes)
    hand = staticmethod(picture.hand)
    hand_after = staticmethod(picture.hand_after)
    strengths = staticmethod(outcome.strengths)
    begins = staticmethod(outcome.begins)
    reasons = staticmethod(outcome.reasons)
    question = staticmethod(guide.question)
    barred = staticmethod(guide.barred)
    outcome = staticmethod(outcome.outcome)  # the last one: from here on the name stands for this

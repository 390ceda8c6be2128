"""`kosmos` behind the interface of `engine.game`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from engine.chance import FIRST_PLAYER, Chance
from engine.game import Data, Event, ForcedMove, Parameter
from engine.kosmos import edition as editions
from engine.kosmos import guide, outcome, picture, ranking, turn, words
from engine.kosmos.cards import EVENT, TRAVEL, TRAVEL_COUNTS
from engine.kosmos.determinize import determinize
from engine.kosmos.round import round_event, start_round
from engine.kosmos.state import START_CARDS, KosmosPosition
from engine.kosmos.substitute import SUBSTITUTE_ACTION
from engine.kosmos.types.actions import KosmosAction
from engine.kosmos.types.events import kosmos_event
from engine.kosmos.types.view import KosmosView
from engine.kosmos.view import build_view


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
        clone = KosmosState.__new__(KosmosState)
        self.copy_into(clone)
        clone._options = self._options
        return clone

    def substitute_action(self) -> int:
        """Return the index of the substitute's action (K-85)."""
        return SUBSTITUTE_ACTION

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


class Kosmos:
    """Michael Rieneck's race around the world, in all its editions."""

    name: Final = "kosmos"
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

    def start(self, players: int, edition: Data, chance: Chance) -> KosmosState:
        """Shuffle, deal, draw the first player at random, and begin the first round (K-10 to K-12)."""
        if not self.players[0] <= players <= self.players[1]:
            raise ValueError(f"kosmos is for 2 to 6 players, not {players}")
        rules = editions.verified(edition)
        state = KosmosState(players, rules, chance)
        table = state.table
        cards = ([card for card, count in enumerate(TRAVEL_COUNTS) for _ in range(count)], rules.event_cards(players))
        for deck in (TRAVEL, EVENT):
            state.decks[deck].set_up(cards[deck], chance)
        for colour, stream in enumerate(("red chits", "blue chits")):
            mixed = rules.chits[colour][:]
            chance.shuffle(stream, mixed)
            state.lay_chits(colour, mixed)
        dealt: list[Event] = []  # dropped: the first view shows all of it
        for seat in range(players):
            for _ in range(START_CARDS):
                state.draw(seat, TRAVEL, dealt)
        table.marker = chance.below(FIRST_PLAYER, players)  # K-11
        start_round(state, dealt)
        state.stand(dealt)
        return state

    def determinize(self, view: Data, edition: Data, chance: Chance) -> KosmosState:
        """Return a state that `view` allows, with the hidden cards and all future draws taken from `chance`."""
        state = KosmosState(len(view["city"]), editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    def opening(self, view: Data) -> Sequence[Data]:
        """Return the first round and its display (K-21)."""
        return [round_event(view["round"], view["first"], view["display"])]

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

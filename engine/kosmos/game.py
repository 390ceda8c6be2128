"""`kosmos` as the arena sees it: the contract of `engine.game`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.chance import Chance
from engine.game import Action, Data, Event, Parameter
from engine.kosmos import edition as editions
from engine.kosmos import picture, ranking, turn, words
from engine.kosmos.cards import EVENT, TRAVEL, TRAVEL_COUNTS
from engine.kosmos.determinize import determinize
from engine.kosmos.round import round_event, start_round
from engine.kosmos.state import START_CARDS, KosmosPosition
from engine.kosmos.view import build_view

SUBSTITUTE: Final = 0
"""The passive action stands first in every list (K-85)."""


class KosmosState(KosmosPosition):
    """A game of `kosmos` at a decision with two or more actions, or at its end."""

    __slots__ = ("_options",)

    _options: list[Action]

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.table.phase == "over" else self.table.on_turn

    def actions(self) -> Sequence[Action]:
        """The legal actions of the seat to act, in a stable order."""
        return self._options

    def play(self, index: int) -> list[Event]:
        """Play action `index`; the events up to the next decision. IndexError: no such action."""
        if not 0 <= index < len(self._options):
            raise IndexError(f"there is no action {index}: there are {len(self._options)}")
        log: list[Event] = []
        self._options = turn.play(self, self._options[index], log)
        return log

    def view(self, seat: int | None) -> Data:
        """What `seat` (None: a spectator) may know."""
        hand = None if seat is None else self.hands[seat]
        decks = (self.decks[TRAVEL].view(seat), self.decks[EVENT].view(seat))
        return build_view(self.table, hand, seat, decks, self.edition.chits_face_down)

    def ranks(self) -> list[int]:
        """One rank a seat (K-80 to K-83)."""
        return ranking.ranks(self)

    def scores(self) -> list[dict[str, int]]:
        """Days, arrived, cities and gold of every seat."""
        return ranking.scores(self)

    def copy(self) -> KosmosState:
        """An independent state."""
        clone = KosmosState.__new__(KosmosState)
        self.copy_into(clone)
        clone._options = self._options
        return clone

    def default_action(self) -> int:
        """K-85."""
        return SUBSTITUTE

    def penalize(self, seat: int) -> list[Event]:
        """The edition's days for inattention."""
        log: list[Event] = []
        self.lose(seat, self.edition.inattention_days, "penalty", log)
        return log

    def retire(self, seat: int) -> list[Event]:
        """K-85: the seat stays in the game, and the game no longer waits for it to arrive."""
        if seat in self.table.retired:
            return []
        self.table.retired.append(seat)
        return [Event(None, {"event": "retired", "seat": seat})]

    def stand(self, log: list[Event]) -> None:
        """Go on to the first decision that has to be asked."""
        self._options = turn.advance(self, log)

    def stand_here(self) -> None:
        """Stand at the decision of the present phase, whatever the number of its actions."""
        self._options = turn.options(self)


class Kosmos:
    """Michael Rieneck's race around the world, in its editions."""

    name: Final = "kosmos"
    players: Final = (2, 6)

    def editions(self) -> list[str]:
        """The named editions, the default one first."""
        return list(editions.NAMED)

    def edition(self, name: str | Path) -> Data:
        """The whole resolved edition of that name or in that TOML file. Raises `EditionError`."""
        return editions.resolve(name)[0]

    def parameters(self, name: str | Path) -> list[Parameter]:
        """The settings of that edition, for people. Raises `EditionError`."""
        return editions.parameters(*editions.resolve(name))

    def strip_unknown(self, edition: Data) -> Data:
        """Copy a resolved edition without the fields that this version of the game does not know."""
        return editions.EDITIONS.strip_unknown(edition)

    def start(self, players: int, edition: Data, chance: Chance) -> KosmosState:
        """K-10 to K-12: shuffle, deal, draw the first player by lot, and begin the first round."""
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
        dealt: list[Event] = []  # all of it stands in the first view
        for seat in range(players):
            for _ in range(START_CARDS):
                state.draw(seat, TRAVEL, dealt)
        table.marker = chance.below("first player", players)  # K-11
        start_round(state, dealt)
        state.stand(dealt)
        return state

    def determinize(self, view: Data, edition: Data, chance: Chance) -> KosmosState:
        """A state that this view allows, hidden cards and future chances drawn from `chance`."""
        state = KosmosState(len(view["city"]), editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    def opening(self, view: Data) -> Sequence[Data]:
        """Return the first round with its display (K-21)."""
        return [round_event(view["round"], view["first"], view["display"])]

    words = staticmethod(words.words)

    # As `engine.picture` has it.
    board = staticmethod(picture.board)
    scene = staticmethod(picture.scene)
    scene_changes = staticmethod(picture.scene_changes)
    hand = staticmethod(picture.hand)
    hand_after = staticmethod(picture.hand_after)

"""`ravensburger` as the arena sees it: the contract of `engine.game`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.chance import Chance
from engine.game import Action, Data, Event, Parameter
from engine.ravensburger import edition as editions
from engine.ravensburger import picture, ranking, turn, words
from engine.ravensburger.cards import ACTION, EVENT
from engine.ravensburger.default_policy import default_action
from engine.ravensburger.determinize import determinize
from engine.ravensburger.state import RavensburgerPosition
from engine.ravensburger.view import build_view


class RavensburgerState(RavensburgerPosition):
    """A game of `ravensburger` at a decision with two or more actions, or at its end."""

    __slots__ = ("_options",)

    _options: list[Action]

    @property
    def to_act(self) -> int | None:
        """The seat that decides now; None when the game is over."""
        return None if self.table.phase == "over" else self.table.decider

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
        decks = (self.decks[ACTION].view(seat), self.decks[EVENT].view(seat))
        return build_view(self.table, hand, seat, decks, self.edition.event_names)

    def ranks(self) -> list[int]:
        """One rank a seat (R-52, R-53)."""
        return ranking.ranks(self)

    def scores(self) -> list[dict[str, int]]:
        """Square, arrived and cards of every seat."""
        return ranking.scores(self)

    def copy(self) -> RavensburgerState:
        """An independent state."""
        clone = RavensburgerState.__new__(RavensburgerState)
        self.copy_into(clone)
        clone._options = self._options
        return clone

    def default_action(self) -> int:
        """R-55. IndexError: the game is over."""
        return default_action(self, self._options)

    def penalize(self, seat: int) -> list[Event]:
        """Nothing: the document knows no price for it."""
        return []

    def retire(self, seat: int) -> list[Event]:
        """R-55: the seat stays in the game, and the substitute is asked for it."""
        if seat in self.table.retired:
            return []
        self.table.retired.append(seat)
        return [Event(None, {"event": "retired", "seat": seat})]

    def stand_here(self) -> None:
        """Stand at the question that is on top, whatever the number of its actions."""
        self._options = turn.options(self)


class Ravensburger:
    """Wolfgang Kramer's race around the world, in its editions."""

    name: Final = "ravensburger"
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

    def start(self, players: int, edition: Data, chance: Chance) -> RavensburgerState:
        """R-10: shuffle, draw the start player by lot, who places the rose before any card is dealt."""
        if not self.players[0] <= players <= self.players[1]:
            raise ValueError(f"ravensburger is for 2 to 6 players, not {players}")
        rules = editions.verified(edition)
        state = RavensburgerState(players, rules, chance)
        state.decks[ACTION].set_up(rules.action_cards[:], chance)
        state.decks[EVENT].set_up(rules.event_cards[:], chance)
        table = state.table
        table.first = table.on_turn = chance.below("first player", players)
        table.pending.append(("setup",))
        state.stand_here()
        return state

    def determinize(self, view: Data, edition: Data, chance: Chance) -> RavensburgerState:
        """A state that this view allows, hidden cards and future chances drawn from `chance`."""
        state = RavensburgerState(len(view["square"]), editions.typed(edition), chance)
        determinize(state, view)
        state.stand_here()
        return state

    def opening(self, view: Data) -> Sequence[Data]:
        """Return nothing: all that happens before the first move is done by hands that nobody sees."""
        return []

    words = staticmethod(words.words)

    # As `engine.picture` has it.
    board = staticmethod(picture.board)
    scene = staticmethod(picture.scene)
    scene_changes = staticmethod(picture.scene_changes)
    hand = staticmethod(picture.hand)
    hand_after = staticmethod(picture.hand_after)

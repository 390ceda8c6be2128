"""What the states of our own rules have in common: an open table, a hand for each seat, hidden decks, the options.

`engine.base` has the same for plug-ins: they are interpreted, and nothing interpreted inherits from what is compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from engine.chance import Chance
from engine.hidden_deck import HiddenDeck, new_event
from engine.rules import Event, ForcedMove


class _Copied(Protocol):
    def copy(self) -> Self: ...


class _Open(_Copied, Protocol):
    retired: list[int]


Edition = TypeVar("Edition")
Table = TypeVar("Table", bound=_Open)
Hand = TypeVar("Hand", bound=_Copied)
Option = TypeVar("Option")


class Position(Generic[Edition, Table, Hand, Option]):
    """A whole position, with what `engine.rules.State` asks of it as far as it is the same in all of our games."""

    __slots__ = ("_options", "chance", "decks", "edition", "forced", "hands", "players", "table")

    table: Table
    hands: list[Hand]
    decks: list[HiddenDeck]
    _options: list[Option]

    def __init__(self, players: int, edition: Edition, chance: Chance) -> None:
        """Make a position without a table, hands and decks, which the rules add.

        Args:
            players: Their number. 0 is for `copy` and pickle, which fill the position: it has no attributes yet.
            edition: The resolved edition.
            chance: The source of all random numbers.
        """
        if players:
            self.players = players
            self.edition = edition
            self.chance = chance
            self.forced: tuple[ForcedMove, ...] = ()

    def copy(self) -> Self:
        """Return an independent position."""
        clone = type(self)(0, self.edition, self.chance)
        clone.players = self.players
        clone.edition = self.edition
        clone.table = self.table.copy()
        clone.hands = [hand.copy() for hand in self.hands]
        clone.decks = [self.decks[0].copy(), self.decks[1].copy()]
        clone.chance = self.chance.copy()
        clone.forced = self.forced
        clone._options = self._options
        return clone

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where the rules are compiled, `__init__` is called first."""
        return type(self), (0, self.edition, self.chance), self.__getstate__()

    def forced_moves(self) -> Sequence[ForcedMove]:
        """Return the moves after the last action that were forced, as only their seats know."""
        return self.forced

    def actions(self) -> Sequence[Option]:
        """Return the legal actions of the seat to act, in a stable order."""
        return self._options

    def play(self, index: int) -> list[Event]:
        """Play the action with this index and return the events up to the next decision. IndexError: no such action."""
        if not 0 <= index < len(self._options):
            raise IndexError(f"there is no action {index}: there are {len(self._options)}")
        log: list[Event] = []
        self.forced = ()
        self._options = self.options_after(self._options[index], log)
        return log

    def options_after(self, action: Option, log: list[Event]) -> list[Option]:
        """Carry out an action and all that follows without a choice, and return the options of the next decision."""
        raise NotImplementedError

    def penalize(self, seat: int) -> list[Event]:
        """Charge nothing."""
        return []

    def retire(self, seat: int) -> list[Event]:
        """Note that the substitute decides for this seat, which stays in the game."""
        if seat in self.table.retired:
            return []
        self.table.retired.append(seat)
        return [new_event(None, {"event": "retired", "seat": seat})]

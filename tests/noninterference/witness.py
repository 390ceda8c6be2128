"""Who saw which card: what a second world must keep and what it may change, and what of it is special to a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from random import Random
from types import ModuleType
from typing import Any, Protocol
from unittest.mock import patch

from engine.chance import Chance
from engine.hidden_deck import HiddenDeck
from engine.rules import Event, Rules, State

Place = tuple[str, int, int]
"""Name of the deck, number of its shuffle, place in it (the last is drawn first)."""
Move = tuple[int, Mapping[str, Any]]
"""Seat and action, asked for or made because there was no other."""


class Position(State, Protocol):
    """What both our games let a witness see."""

    table: Any
    decks: list[HiddenDeck]


@dataclass
class Witness:
    """Sees every card drawn, and every move."""

    moves: list[Move] = field(default_factory=list)
    open: set[Place] = field(default_factory=set)
    held: dict[Place, tuple[int, int]] = field(default_factory=dict)
    """Cards drawn unseen and not shown since: seat and card."""
    lacks: list[tuple[frozenset[Place], frozenset[int]]] = field(default_factory=list)
    """Cards that a hand proved to hold none of, and where what it held came from."""
    drawn: dict[Place, tuple[int, int]] = field(default_factory=dict)
    """Cards drawn unseen: by whom, and when, counted in cards drawn and shown."""
    shown: dict[Place, int] = field(default_factory=dict)
    """When all saw such a card."""

    def copy(self) -> Witness:
        """What it knows now."""
        kept = self.moves[:], self.open.copy(), self.held.copy(), self.lacks[:], self.drawn.copy(), self.shown.copy()
        return Witness(*kept)

    def took(self, deck: HiddenDeck) -> None:
        """The top card left its deck: seen by all, unless `drew` says otherwise."""
        self.open.add((deck.name, deck.record.shuffle, len(deck.order)))

    def drew(self, deck: HiddenDeck, seat: int, card: int) -> None:
        """A seat alone has seen the card that was taken last."""
        place = deck.name, deck.record.shuffle, len(deck.order)
        self.open.remove(place)
        self.held[place] = seat, card
        self.drawn[place] = seat, self._now()

    def showed(self, seat: int, deck: str, card: int) -> None:
        """A card that was not known to be in that hand; the one drawn first, if there are several of its kind."""
        self.reveal(next(place for place, held in self.held.items() if place[0] == deck and held == (seat, card)))

    def laid_off(self, deck: str) -> None:
        """All hands show their cards of that deck."""
        for place in [place for place in self.held if place[0] == deck]:
            self.reveal(place)

    def lacked(self, seat: int, deck: str, cards: Sequence[int]) -> None:
        """A hand proved to hold none of these cards."""
        places = frozenset(place for place, (holder, _) in self.held.items() if holder == seat and place[0] == deck)
        self.lacks.append((places, frozenset(cards)))

    def lacked_at(self, place: Place) -> frozenset[int]:
        """What a card that is held cannot be."""
        return frozenset().union(*(cards for places, cards in self.lacks if place in places))

    def reveal(self, place: Place) -> None:
        """All know what is held there."""
        del self.held[place]
        self.open.add(place)
        self.shown[place] = self._now()

    def _now(self) -> int:
        return len(self.drawn) + len(self.shown)

    def unseen_by(self, seat: int | None, place: Place) -> bool:
        return place not in self.open and (place not in self.held or self.held[place][0] != seat)


@contextmanager
def watching_decks(witness: Witness) -> Iterator[None]:
    """Let all decks tell a witness; nothing else of them changes."""
    take, drew, show, gather, settle = (
        HiddenDeck.take_top_card,
        HiddenDeck.drew,
        HiddenDeck.show,
        HiddenDeck.gather,
        HiddenDeck._settle,
    )

    def _take(deck: HiddenDeck, chance: Chance, log: list[Event]) -> int:
        card = take(deck, chance, log)
        witness.took(deck)
        return card

    def _drew(deck: HiddenDeck, seat: int, card: int) -> None:
        witness.drew(deck, seat, card)
        drew(deck, seat, card)

    def _show(deck: HiddenDeck, seat: int, card: int) -> None:
        if card not in deck.known[seat]:
            witness.showed(seat, deck.name, card)
        show(deck, seat, card)

    def _gather(deck: HiddenDeck, cards: list[int], chance: Chance, log: list[Event]) -> None:
        witness.laid_off(deck.name)
        gather(deck, cards, chance, log)

    def _settle(deck: HiddenDeck) -> None:
        before = [Counter(known) for known in deck.known]
        settle(deck)
        for seat, known in enumerate(deck.known):  # of a shuffle that is settled everyone knows who holds what
            for card in (Counter(known) - before[seat]).elements():
                witness.showed(seat, deck.name, card)

    with patch.multiple(HiddenDeck, take_top_card=_take, drew=_drew, show=_show, gather=_gather, _settle=_settle):
        yield


@dataclass(frozen=True)
class Watched:
    """A game as these tests need it."""

    rules: Rules
    state: type[Any]
    decks: tuple[str, ...]
    """The names of the decks, each in the stream of its shuffles."""
    witnessing: Callable[[Witness], AbstractContextManager[None]]
    """Has the engine tell a witness; nothing else of it changes."""
    hands: Callable[[Any], list[list[int]]]
    """By seat: all its cards, in the order in which one is picked blindly."""
    choose: Callable[[Any, Random], int]
    """An index at random, such that a game gets somewhere."""
    may_fail: Callable[[Any], bool]
    """Whether the seat is asked here in every world, and the substitute does the same in all."""
    turn: ModuleType
    """Where the game lists its options (`options`) and goes on to the next question (`advance`)."""
    leak_card: int
    """A card of whose whereabouts a single bit is a leak, as `hands` has it."""
    milestones: Callable[[Any], Mapping[str, bool]]
    """What is rare, or makes it late in the game: whether it is so."""
    face_down: Callable[[Any], dict[str, list[int]]] = lambda state: {}
    """Other things shuffled unseen, by their chance stream: the places whose things nobody has seen yet."""
    never_held: frozenset[int] = frozenset()
    """Cards that are in no hand, as they act at once."""

"""What has to hold in every position of `kosmos`, and how tests play random games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine import catalog
from engine.chance import Seeded, derive
from engine.kosmos.cards import CHITS, COINS, EMPTY, FACE_DOWN, FIRST_EVENT, GREY_DAYS, LONDON, TRAVEL_COUNTS
from engine.kosmos.decision import KosmosState
from engine.rules import Data, Event
from tests.engine.plays import random_play as random_play

KOSMOS = catalog.rules("kosmos")
EDITIONS = ("standard", "en", "ru", "nim")
COUNTS = (2, 3, 4, 5, 6)
PHASES = ("take", "action", "travel", "reroll", "chit", "escape", "limit")
TRAVEL_CARDS = Counter(dict(enumerate(TRAVEL_COUNTS)))


def start(edition: Data, players: int, *label: str | int) -> KosmosState:
    """A game whose chance follows from the label."""
    state = KOSMOS.start(players, edition, Seeded(derive(b"kosmos in tests.", *label)))
    assert isinstance(state, KosmosState)
    return state


def snapshot(state: KosmosState) -> str:
    """Everything that a state holds, but for its chance."""
    seats = [*range(state.players), None]
    hands = [[hand.travel, hand.events] for hand in state.hands]
    decks = [[deck.order, deck.draws] for deck in state.decks]
    return json.dumps([decks, hands, list(state.actions()), [state.view(seat) for seat in seats]])


def all_cards(state: KosmosState) -> Counter[int]:
    """Every card, wherever it lies."""
    cards = Counter(card for card in state.table.display if card != EMPTY)
    for deck in state.decks:
        cards.update(deck.order)
        cards.update(deck.discards)
    for hand in state.hands:
        cards.update(hand.travel)
        cards.update(hand.events)
    return cards


def check_sizes(state: KosmosState) -> None:
    """The cheap part, after every decision: numbers of cards and coins, and that somebody can choose."""
    table = state.table
    shown = len(table.display) - table.display.count(EMPTY)
    held = sum(len(hand.travel) for hand in state.hands)
    assert len(state.decks[0].order) + len(state.decks[0].discards) + held + shown == 60
    assert sum(table.gold) + table.supply == COINS
    assert table.supply >= 0
    assert min(table.gold) >= 0
    actions = state.actions()
    assert (len(actions) == 0) if state.to_act is None else (len(actions) >= 2)


def check_whole(state: KosmosState) -> None:
    """Every card is there once, public numbers are true, cards that act at once are in no hand."""
    table = state.table
    cards = all_cards(state)
    assert Counter({card: n for card, n in cards.items() if card < FIRST_EVENT}) == TRAVEL_CARDS
    events = Counter({card: n for card, n in cards.items() if card >= FIRST_EVENT})
    assert events == Counter(state.edition.event_cards(state.players))
    for counts, hidden, beside in zip(table.face_down, state.chits, (table.red, table.blue), strict=True):
        assert [chit is not None for chit in hidden] == [chit == FACE_DOWN for chit in beside]
        assert counts == [hidden.count(kind) for kind in CHITS]
    assert [len(hand.travel) for hand in state.hands] == table.travel_cards
    assert [len(hand.events) for hand in state.hands] == table.event_cards
    for seat, hand in enumerate(state.hands):
        assert not set(hand.events) & set(GREY_DAYS)
        for deck, cards_of_deck in zip(state.decks, (hand.travel, hand.events), strict=True):
            assert cards_of_deck == sorted(cards_of_deck) == deck.held(seat)
            assert not Counter(deck.known[seat]) - Counter(cards_of_deck)


def check_offers(actions: list[Mapping[str, Any]]) -> None:
    """Each action is offered once: two that differ in nothing but how their cards are used are the same (K-49)."""
    seen = [json.dumps({key: value for key, value in action.items() if key != "uses"}) for action in actions]
    assert len(set(seen)) == len(seen), [entry for entry, count in Counter(seen).items() if count > 1]


class Chits:
    """Counts the chits that leave the board, by the events that say so."""

    def __init__(self, state: KosmosState) -> None:
        self._refusable = state.edition.refuse_chits
        self._board = self._places(state)
        self._left = Counter(chit for chit in self._board if chit in CHITS)
        assert self._left == Counter(chit for colour in state.edition.chits for chit in colour)
        assert sum(self._left.values()) == 2 * (LONDON - 1)

    def see(self, state: KosmosState, events: list[Event]) -> None:
        """After one decision: what lies there is what lay there less what was taken or, where none may stay, left."""
        left = [
            event.what["chit"]
            for event in events
            if event.what["event"] == "chit" and (event.what["taken"] or not self._refusable)
        ]
        assert set(left) <= set(CHITS)
        self._left.subtract(left)
        board = self._places(state)
        if left or board != self._board:
            self._board = board
            assert +self._left == Counter(chit for chit in board if chit in CHITS)

    @staticmethod
    def _places(state: KosmosState) -> list[str | None]:
        """The chits beside each city, those that lie face down behind those that lie open; None and others: no chit."""
        return [*state.table.red, *state.table.blue, *state.chits[0], *state.chits[1]]

"""What has to hold in every position of `ravensburger`."""

from __future__ import annotations

from collections import Counter

from engine.chance import Seeded, derive
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION, EMPTY, EVENT
from engine.ravensburger.decision import RavensburgerState
from engine.rules import Data

EDITIONS = ("standard", "expert")
COUNTS = (2, 3, 4, 5, 6)


def start(edition: Data, players: int, *label: str | int) -> RavensburgerState:
    """A game whose chance follows from the label."""
    return RULES.start(players, edition, Seeded(derive(b"ravensburger in tests.", *label)))


def action_cards(state: RavensburgerState) -> Counter[int]:
    """Every action card, wherever it lies."""
    hands = [card for hand in state.hands for card in hand.cards]
    return Counter([*state.decks[ACTION].order, *state.decks[ACTION].discards, *hands])


def event_cards(state: RavensburgerState) -> Counter[int]:
    """Every event card, wherever it lies."""
    hands = [card for hand in state.hands for card in (hand.event, hand.drawn) if card != EMPTY]
    return Counter([*state.decks[EVENT].order, *state.decks[EVENT].discards, *hands])


def check_sizes(state: RavensburgerState) -> None:
    """The cheap part, after every decision: numbers of cards, squares on the board, and that somebody can choose."""
    table = state.table
    held = sum(len(hand.cards) for hand in state.hands)
    assert len(state.decks[ACTION].order) + len(state.decks[ACTION].discards) + held == len(state.edition.action_cards)
    aside = sum((hand.event != EMPTY) + (hand.drawn != EMPTY) for hand in state.hands)
    assert len(state.decks[EVENT].order) + len(state.decks[EVENT].discards) + aside == len(state.edition.event_cards)
    assert min(table.square) >= 0
    assert max(table.square) <= state.edition.goal
    actions = state.actions()
    assert (len(actions) == 0) if state.to_act is None else (len(actions) >= 2)


def check_whole(state: RavensburgerState) -> None:
    """Every card is there once, public numbers are true, and what is known to be in a hand is there."""
    table = state.table
    assert action_cards(state) == Counter(state.edition.action_cards)
    assert event_cards(state) == Counter(state.edition.event_cards)
    assert [len(hand.cards) for hand in state.hands] == table.cards
    assert [hand.event != EMPTY for hand in state.hands] == table.kept
    assert sum(square == state.edition.goal for square in table.square) <= (state.to_act is None)
    for seat, hand in enumerate(state.hands):
        events = sorted(card for card in (hand.event, hand.drawn) if card != EMPTY)
        for deck, cards in zip(state.decks, (hand.cards, events), strict=True):
            assert cards == sorted(cards) == deck.held(seat)
            assert not Counter(deck.known[seat]) - Counter(cards)


def check_offers(state: RavensburgerState) -> None:
    """Each action is offered once."""
    seen = [tuple(action.values()) for action in state.actions()]
    assert len(set(seen)) == len(seen), seen

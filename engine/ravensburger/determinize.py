"""A whole position that a view allows, with the hidden cards and all future draws made anew.

See `engine.determinization`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.hidden_deck import DeckView
from engine.ravensburger.cards import ACTION, CODES, DECKS, EMPTY, EVENT, MODES, RETREAT
from engine.ravensburger.state import RavensburgerPosition, RavensburgerPublicState, Task
from engine.rules import Data


def determinize(position: RavensburgerPosition, view: Data) -> None:
    """Fill an empty position from a view. ValueError: no world agrees with the view."""
    events = position.edition.event_codes
    _set_table(position, view)
    _deal(position, view, ACTION, CODES)
    _deal(position, view, EVENT, events)
    if view["seat"] is not None:
        hand = position.hands[view["seat"]]
        hand.cards = [CODES[name] for name in view["hand"]]
        hand.event = EMPTY if view["event"] is None else events[view["event"]]
        hand.drawn = EMPTY if view["drawn"] is None else events[view["drawn"]]
    _set_turn(position, view)


def _set_table(position: RavensburgerPosition, view: Data) -> None:
    table = position.table
    table.round = view["round"]
    table.first = view["first"]
    table.on_turn = 0 if view["on_turn"] is None else view["on_turn"]
    table.rose = EMPTY if view["rose"] is None else MODES.index(view["rose"])
    for name in ("square", "cards", "kept", "retired"):
        setattr(table, name, list(view[name]))


def _deal(position: RavensburgerPosition, view: Data, deck: int, codes: Mapping[str, int]) -> None:
    """Fill a deck and the hands with its cards; a rival's hand gets what it drew and has not shown."""
    name = DECKS[deck]
    known = [tuple(codes[card] for card in cards if card in codes) for cards in view["known"]]
    discards = [codes[card] for card in view["piles"][name]]
    seen = DeckView(view["decks"][name], discards, known, view["hidden"][name])
    hands = position.decks[deck].determinize(seen, view["seat"], position.chance)
    for seat, (hand, cards) in enumerate(zip(position.hands, hands, strict=True)):
        if deck == ACTION:
            hand.cards = cards
        elif cards and position.table.kept[seat]:
            hand.event = cards[0]
        elif cards:
            hand.drawn = cards[0]


def _set_turn(position: RavensburgerPosition, view: Data) -> None:
    table = position.table
    turn = view["turn"]
    if turn is None:
        table.pending = _somewhere(position, view)
        return
    for name in ("further", "stage", "leap", "waiting", "moved", "beyond", "kept_now", "orders"):
        setattr(table, name, turn[name])
    table.pending = [tuple(task) for task in turn["pending"]]


def _somewhere(position: RavensburgerPosition, view: Data) -> list[Task]:
    """Return tasks for a question that only another seat can be asked.

    A view does not say what another seat is asked, so any such question will do.
    """
    table: RavensburgerPublicState = position.table
    if view["phase"] == "over":
        return [("over",)]
    if not table.round:
        return [("setup",)]
    card: list[Task] = [("further",), ("card_done",)]
    if position.hands[table.on_turn].drawn != EMPTY:
        return [*card, ("event",)]
    if table.on_turn == view["seat"]:
        return [*card, ("defend", (table.on_turn + 1) % position.players, RETREAT, "handcuffs")]
    return [("turn",)]

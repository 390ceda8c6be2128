"""A whole position that a view allows, with hidden cards and what is to come drawn anew (`engine.determinization`)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.deck_knowledge import DeckKnowledge
from engine.determinization import determinize_deck
from engine.game import Data
from engine.ravensburger.cards import ACTION, CODES, DECKS, EMPTY, EVENT, MODES, RETREAT
from engine.ravensburger.state import EVENT_OFFSET, RavensburgerPosition, RavensburgerPublicState, Task


def determinize(position: RavensburgerPosition, view: Data) -> None:
    """Fill a bare position from a view; ValueError: no world agrees with it."""
    events = position.edition.event_codes
    _set_table(position, view)
    for deck in (ACTION, EVENT):
        _set_record(position, view, deck)
        _deal(position, view["seat"], deck)
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
    events = position.edition.event_codes
    table.known = [
        [CODES[name] if name in CODES else events[name] + EVENT_OFFSET for name in names] for names in view["known"]
    ]
    table.decks = [view["decks"][deck] for deck in DECKS]
    table.piles = [[CODES[name] for name in view["piles"]["action"]], [events[name] for name in view["piles"]["event"]]]


def _set_record(position: RavensburgerPosition, view: Data, deck: int) -> None:
    """The public record of unseen draws, and the draws of the view's own seat."""
    hidden: dict[str, Any] = view["hidden"][DECKS[deck]]
    record = DeckKnowledge(position.players, position.kinds(deck), 0, [])
    record.shuffle = hidden["shuffle"]
    record.pools = {int(shuffle): list(pool) for shuffle, pool in hidden["pools"].items()}
    record.drawn = [list(drawn) for drawn in hidden["drawn"]]
    record.shown = [list(zip(notes[::2], notes[1::2], strict=True)) for notes in hidden["shown"]]
    record.lacked = [
        [(tuple(kinds), before, earlier) for kinds, before, earlier in notes] for notes in hidden["lacked"]
    ]
    position.table.unseen.append(record)
    if view["seat"] is not None:
        position.hands[view["seat"]].draws[deck] = list(hidden["yours"])


def _deal(position: RavensburgerPosition, seat: int | None, deck: int) -> None:
    """Lay out the unseen cards of a deck; what a rival drew and has not shown is in its hand."""
    table = position.table
    record = table.unseen[deck]
    own = [] if seat is None else position.hands[seat].draws[deck]
    draws, position.decks[deck] = determinize_deck(record, seat, own, position.chance)
    for other, hand in enumerate(position.hands):
        if other == seat:
            continue
        hand.draws[deck] = draws[other]
        shown = Counter(kind for kind, _ in record.shown[other])
        held = list((Counter(draws[other]) - shown).elements())
        if deck == ACTION:
            hand.cards = sorted(held + [card for card in table.known[other] if card < EVENT_OFFSET])
            continue
        held += [card - EVENT_OFFSET for card in table.known[other] if card >= EVENT_OFFSET]
        if held and table.kept[other]:
            hand.event = held[0]
        elif held:
            hand.drawn = held[0]


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
    """A view does not say what another seat is being asked: any question will do that only others can be asked."""
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

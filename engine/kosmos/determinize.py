"""A whole position that a view allows, hidden cards and everything to come drawn anew (see `engine.determinization`).

Cards that act at once are never dealt to a hand.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from engine.deck_knowledge import DeckKnowledge
from engine.determinization import determinize_deck
from engine.game import Data
from engine.kosmos.cards import (
    CHITS,
    CITIES,
    CODES,
    COLOURS,
    DECKS,
    EMPTY,
    EVENT,
    FACE_DOWN,
    FIRST_EVENT,
    GREY_DAYS,
    PLACE_NAMES,
    TRAVEL,
)
from engine.kosmos.state import KINDS, OFFSETS, KosmosPosition

AT_ONCE: Final = ((), tuple(card - FIRST_EVENT for card in GREY_DAYS))
"""By deck: the kinds that act when they are drawn, and so are never in a hand."""


def determinize(position: KosmosPosition, view: Data) -> None:
    """Fill a bare position from a view; ValueError: no world agrees with it."""
    _set_table(position, view)
    if view["face_down"] is not None:
        _lay_chits(position, view["face_down"])
    for deck in (TRAVEL, EVENT):
        _set_record(position, view, deck)
        _deal(position, view["seat"], deck)
    seat = view["seat"]
    if seat is not None:
        cards = sorted(CODES[name] for name in view["hand"])
        position.hands[seat].travel = [card for card in cards if card < FIRST_EVENT]
        position.hands[seat].events = [card for card in cards if card >= FIRST_EVENT]


def _set_table(position: KosmosPosition, view: Data) -> None:
    table = position.table
    for name in (
        "phase", "round", "first", "marker", "marker_taken", "travelling", "home_before", "supply", "balloon", "legs"
    ):  # fmt: skip
        setattr(table, name, view[name])
    for name in ("waiting", "city", "days", "gold", "travel_cards", "event_cards", "arrived", "retired"):
        setattr(table, name, list(view[name]))
    table.on_turn = 0 if view["on_turn"] is None else view["on_turn"]
    table.detective = CITIES.index(view["detective"])
    table.display = [EMPTY if card is None else CODES[card] for card in view["display"]]
    table.taken = EMPTY if view["taken"] is None else PLACE_NAMES.index(view["taken"])
    if view["leg"] is not None:
        table.leg_days, table.leg_roll = view["leg"]["days"], view["leg"]["roll"]
    if view["chit"] is not None:
        table.asking = COLOURS.index(view["chit"]["colour"])
    table.known = [[CODES[card] for card in cards] for cards in view["known"]]
    table.red = list(view["red"])
    table.blue = list(view["blue"])
    table.decks = [view["decks"][deck] for deck in DECKS]
    table.piles = [[CODES[card] for card in view["piles"][deck]] for deck in DECKS]


def _lay_chits(position: KosmosPosition, counts: dict[str, dict[str, int]]) -> None:
    """The chits that nobody has seen, beside the cities where one of their colour lies face down."""
    for colour, beside in enumerate((position.table.red, position.table.blue)):
        of_kind = counts[COLOURS[colour]]
        position.table.face_down[colour] = [of_kind[kind] for kind in CHITS]
        chits = [kind for kind in CHITS for _ in range(of_kind[kind])]
        position.chance.shuffle("imagined chits", chits)
        cities = [city for city, chit in enumerate(beside) if chit == FACE_DOWN]
        if len(cities) != len(chits):
            raise ValueError(f"no world found that agrees with the view: {len(cities)} chits, counted are {len(chits)}")
        for city, chit in zip(cities, chits, strict=True):
            position.chits[colour][city] = chit


def _set_record(position: KosmosPosition, view: Data, deck: int) -> None:
    """The public record of unseen draws: a seat's view leaves out its own draws, which are put back."""
    hidden: dict[str, Any] = view["hidden"][DECKS[deck]]
    offset = OFFSETS[deck]
    record = DeckKnowledge(position.players, KINDS[deck], offset, [])
    record.shuffle = hidden["shuffle"]
    record.pools = {int(shuffle): list(pool) for shuffle, pool in hidden["pools"].items()}
    record.drawn = [list(drawn) for drawn in hidden["drawn"]]
    record.shown = [[(CODES[card] - offset, before) for card, before in shown] for shown in hidden["shown"]]
    if view["seat"] is not None:
        own = [CODES[card] - offset for card in hidden["yours"]]
        position.hands[view["seat"]].draws[deck] = own
        for shuffle, kind in zip(record.drawn[view["seat"]], own, strict=True):
            record.pools[shuffle][kind] += 1
    position.table.unseen.append(record)


def _deal(position: KosmosPosition, seat: int | None, deck: int) -> None:
    """Lay out the unseen cards of a deck; what a rival drew and has not shown is in its hand."""
    record = position.table.unseen[deck]
    own = [] if seat is None else position.hands[seat].draws[deck]
    draws, rest = determinize_deck(record, seat, own, position.chance, AT_ONCE[deck])
    for other in range(position.players):
        if other == seat:
            continue
        position.hands[other].draws[deck] = draws[other]
        shown = Counter(kind for kind, _ in record.shown[other])
        held = list((Counter(draws[other]) - shown).elements())
        known = [card for card in position.table.known[other] if (card >= FIRST_EVENT) == bool(deck)]
        position.hands[other].cards(deck)[:] = sorted([kind + OFFSETS[deck] for kind in held] + known)
    position.decks[deck] = [kind + OFFSETS[deck] for kind in rest]

"""A whole position that a view allows, with the hidden cards and all future draws made anew.

See `engine.determinization`. Cards that act when they are drawn are never dealt to a hand.
"""

from __future__ import annotations

from typing import Final

from engine.chance import fractions, mix
from engine.hidden_deck import DeckView
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
    NAMES,
    PLACE_NAMES,
    TRAVEL,
)
from engine.kosmos.state import KosmosPosition
from engine.rules import Data

AT_ONCE: Final = ((), tuple(GREY_DAYS))
"""By deck: the cards that act when they are drawn and therefore are never in a hand."""


def determinize(position: KosmosPosition, view: Data) -> None:
    """Fill an empty position from a view. ValueError: no world agrees with the view."""
    _set_table(position, view)
    if view["face_down"] is not None:
        _lay_chits(position, view["face_down"])
    for deck in (TRAVEL, EVENT):
        _deal(position, view, deck)
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
    table.red = list(view["red"])
    table.blue = list(view["blue"])


def _lay_chits(position: KosmosPosition, counts: dict[str, dict[str, int]]) -> None:
    """Place the unseen chits at random beside the cities where a chit of their colour lies face down."""
    random = fractions(position.chance, "imagined chits")
    for colour, beside in enumerate((position.table.red, position.table.blue)):
        of_kind = counts[COLOURS[colour]]
        position.table.face_down[colour] = [of_kind[kind] for kind in CHITS]
        chits = [kind for kind in CHITS for _ in range(of_kind[kind])]
        mix(random, chits)
        cities = [city for city, chit in enumerate(beside) if chit == FACE_DOWN]
        if len(cities) != len(chits):
            why = f"{len(cities)} chits lie face down, but {len(chits)} are counted"
            raise ValueError(f"no world found that agrees with the view: {why}")
        for city, chit in zip(cities, chits, strict=True):
            position.chits[colour][city] = chit


def _deal(position: KosmosPosition, view: Data, deck: int) -> None:
    """Fill a deck and the hands with its cards; a rival's hand gets what it drew and has not shown."""
    name = DECKS[deck]
    first, end = (0, FIRST_EVENT) if deck == TRAVEL else (FIRST_EVENT, len(NAMES))
    known = [tuple(CODES[card] for card in cards if first <= CODES[card] < end) for cards in view["known"]]
    discards = [CODES[card] for card in view["piles"][name]]
    seen = DeckView(view["decks"][name], discards, known, view["hidden"][name])
    hands = position.decks[deck].determinize(seen, view["seat"], position.chance, AT_ONCE[deck])
    for hand, cards in zip(position.hands, hands, strict=True):
        hand.cards(deck)[:] = cards

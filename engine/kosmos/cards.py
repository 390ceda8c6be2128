"""The cards, chits and places of `kosmos`: their numbers in the engine and their names outside it (K-01 to K-03)."""

from __future__ import annotations

from typing import Final, get_args

from engine.kosmos.types.names import Card, Chit, Colour, Deck, EventCard, GreyCard, Place, PlaceOrDeck, TravelCard

TRAVEL: Final = 0
EVENT: Final = 1
DECKS: Final[tuple[Deck, ...]] = get_args(Deck)

TRAIN_VALUES: Final = (2, 3, 4, 5, 6)
SHIP_VALUES: Final = (4, 5, 6, 7, 8)

TRAVEL_NAMES: Final[tuple[TravelCard, ...]] = get_args(TravelCard)
TRAVEL_COUNTS: Final = (5, 6, 7, 8, 4, 4, 6, 7, 8, 5)
"""How many there are of each travel card, in the order of `TRAVEL_NAMES` (K-01)."""

VALUES: Final = TRAIN_VALUES + SHIP_VALUES
FIRST_SHIP: Final = 5
"""Travel cards with a lower code are trains."""

FIRST_EVENT: Final = 10
"""Cards with a lower code are travel cards."""

# The order of K-50 to K-62.
EVENT_NAMES: Final[tuple[EventCard, ...]] = get_args(EventCard)
DISTRACTION: Final = 10
OFFER: Final = 11
SWAP: Final = 12
ELEPHANT: Final = 13
DETECTIVE: Final = 14
PRINCESS: Final = 15
OPPORTUNITY: Final = 16
BALLOON: Final = 17
CONNECTIONS: Final = 18
SUBMARINE: Final = 19
PROPELLER: Final = 20
STORM: Final = 21
DELAY: Final = 22
GREY_DAYS: Final = {STORM: 2, DELAY: 1}
"""The days that a grey card costs everyone who is still travelling (K-61, K-62)."""
GREY_NAMES: Final[dict[int, GreyCard]] = {STORM: "storm", DELAY: "delay"}

NAMES: Final[tuple[Card, ...]] = (*TRAVEL_NAMES, *EVENT_NAMES)
CODES: Final[dict[str, int]] = {name: code for code, name in enumerate(NAMES)}

# K-22: the places above the display and their actions, from left to right.
PLACES: Final[tuple[Place, ...]] = get_args(Place)
PLACE_GOLD: Final = 0
PLACE_BALLOON: Final = 1
PLACE_EVENT: Final = 2
PLACE_DETECTIVE: Final = 3
PLACE_FIRST: Final = 4
PLACE_EXCHANGE: Final = 5
PLACE_DECK: Final = 6
"""Stands for taking the top card of the travel deck instead of a displayed card (K-31)."""
PLACE_NAMES: Final[tuple[PlaceOrDeck, ...]] = (*PLACES, "deck")
EMPTY: Final = -1
"""No card at a place, nothing taken, or no question asked."""

CHITS: Final[tuple[Chit, ...]] = get_args(Chit)
CHIT_GOLD, CHIT_TRAVEL, CHIT_EVENT, CHIT_DELAY = CHITS
FACE_DOWN: Final = "face_down"
"""Stands for a chit that nobody has seen (K-10)."""
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
RED: Final = 0
BLUE: Final = 1

LONDON: Final = 10
"""Progress of a player who is home; the start is 0 (K-05)."""
CITIES: Final = (
    "London",
    "Paris",
    "Brindisi",
    "Suez",
    "Bombay",
    "Calcutta",
    "Hong Kong",
    "Yokohama",
    "San Francisco",
    "New York",
    "London",
)
CITY_CODES: Final = {name: code for code, name in enumerate(CITIES[:LONDON])}
BRINDISI: Final = 2
COINS: Final = 24
HAND_LIMIT: Final = 6
DAYS: Final = 80


def deck_of(card: int) -> int:
    """Return the deck that a card belongs to."""
    return TRAVEL if card < FIRST_EVENT else EVENT

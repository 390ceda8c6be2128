"""What a seat, or a spectator, may know (10.7)."""

from __future__ import annotations

from typing import TypedDict

from engine.hidden_deck import Hidden
from engine.kosmos.types.names import Card, Chit, ChitOrFaceDown, Colour, Phase, PlaceOrDeck
from engine.rules import BySeat, Index, Seat


class KosmosLeg(TypedDict):
    """A leg whose roll may be repeated."""

    days: int
    roll: int


class KosmosOpenChit(TypedDict):
    """The chit that is asked about."""

    colour: Colour
    chit: Chit


class KosmosFaceDown(TypedDict):
    """How many chits of each kind nobody has seen, by colour."""

    red: dict[str, int]
    blue: dict[str, int]


class KosmosDecks(TypedDict):
    """How many cards are left, by deck."""

    travel: int
    event: int


class KosmosPiles(TypedDict):
    """The discarded cards by deck, the top last."""

    travel: list[Card]
    event: list[Card]


class KosmosHiddenByDeck(TypedDict):
    """What is known of the cards that are not seen, by deck."""

    travel: Hidden
    event: Hidden


class KosmosView(TypedDict):
    """All that a seat, or a spectator, may know."""

    seat: Seat | None
    on_turn: Seat | None
    phase: Phase
    round: int
    first: Seat
    marker: Seat
    marker_taken: bool
    waiting: list[Seat]
    travelling: int
    home_before: int
    detective: str
    supply: int
    display: list[Card | None]
    taken: PlaceOrDeck | None
    balloon: bool
    legs: int
    leg: KosmosLeg | None
    chit: KosmosOpenChit | None
    city: BySeat[Index]
    days: BySeat[int]
    gold: BySeat[int]
    travel_cards: BySeat[int]
    event_cards: BySeat[int]
    known: BySeat[list[Card]]
    arrived: list[Seat]
    retired: list[Seat]
    hand: list[Card] | None
    red: list[ChitOrFaceDown | None]
    blue: list[ChitOrFaceDown | None]
    face_down: KosmosFaceDown | None
    decks: KosmosDecks
    piles: KosmosPiles
    hidden: KosmosHiddenByDeck

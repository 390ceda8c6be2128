"""What has happened, as it is sent to the seats that may know it (10.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NotRequired, TypedDict

from engine.hidden_deck import ShuffleEvent, new_event
from engine.kosmos.types.actions import KosmosUse
from engine.kosmos.types.names import (
    Card,
    Chit,
    Colour,
    Deck,
    DetectiveCard,
    EscapeCard,
    GoldReason,
    GreyCard,
    LossReason,
    Place,
    PlaceOrDeck,
    SwapCard,
)
from engine.rules import Event, Index, Seat


class KosmosRoundEvent(TypedDict):
    event: Literal["round"]
    round: int
    first: Seat
    display: list[Card | None]


class KosmosLoseEvent(TypedDict):
    event: Literal["lose"]
    seat: Seat
    days: int
    why: LossReason


class KosmosTakeEvent(TypedDict):
    event: Literal["take"]
    seat: Seat
    place: PlaceOrDeck
    card: Card | None


class KosmosDrawEvent(TypedDict):
    event: Literal["draw"]
    seat: Seat
    deck: Deck


class KosmosDrewEvent(TypedDict):
    event: Literal["drew"]
    seat: Seat
    card: Card


class KosmosGoldEvent(TypedDict):
    event: Literal["gold"]
    seat: Seat
    gold: int
    why: GoldReason


class KosmosDetectiveEvent(TypedDict):
    event: Literal["detective"]
    seat: Seat
    to: str
    by: Literal[DetectiveCard, "action"]


class KosmosMarkerEvent(TypedDict):
    event: Literal["marker"]
    seat: Seat
    why: Literal["action", "passed"]


class KosmosCardsEvent(TypedDict):
    event: Literal["exchange", "lay_off"]
    seat: Seat
    cards: list[Card]


class KosmosSwapEvent(TypedDict):
    event: Literal["swap"]
    seat: Seat
    by: SwapCard
    places: list[Place]
    cards: list[Card]


class KosmosTravelEvent(TypedDict):
    event: Literal["travel"]
    seat: Seat
    to: str
    cards: list[Card]
    days: int
    die: bool
    events: list[Card]
    uses: list[KosmosUse]


class KosmosRollEvent(TypedDict):
    event: Literal["roll"]
    seat: Seat
    roll: int


class KosmosPlainEvent(TypedDict):
    event: Literal["reroll", "retired"]
    seat: Seat


class KosmosArriveEvent(TypedDict):
    event: Literal["arrive"]
    seat: Seat
    city: str
    progress: Index
    days: int


class KosmosTurnOverEvent(TypedDict):
    event: Literal["turn_over"]
    city: str
    red: NotRequired[Chit]
    blue: NotRequired[Chit]


class KosmosChitEvent(TypedDict):
    event: Literal["chit"]
    seat: Seat
    city: str
    colour: Colour
    chit: Chit
    taken: bool


class KosmosEscapeEvent(TypedDict):
    event: Literal["escape"]
    seat: Seat
    by: EscapeCard


class KosmosDiscardEvent(TypedDict):
    event: Literal["discard"]
    seat: Seat
    card: Card
    why: Literal["limit", "sell"]


class KosmosGreyEvent(TypedDict):
    event: Literal["grey"]
    seat: Seat
    card: GreyCard


class KosmosHomeEvent(TypedDict):
    event: Literal["home"]
    seat: Seat
    place: int
    days: int


class KosmosClearEvent(TypedDict):
    event: Literal["clear"]
    cards: list[Card]


class KosmosOverEvent(TypedDict):
    event: Literal["over"]
    ranks: list[int]


KosmosEvent = (
    KosmosRoundEvent
    | KosmosLoseEvent
    | KosmosTakeEvent
    | KosmosDrawEvent
    | KosmosDrewEvent
    | KosmosGoldEvent
    | KosmosDetectiveEvent
    | KosmosMarkerEvent
    | KosmosCardsEvent
    | KosmosSwapEvent
    | KosmosTravelEvent
    | KosmosRollEvent
    | KosmosPlainEvent
    | KosmosArriveEvent
    | KosmosTurnOverEvent
    | KosmosChitEvent
    | KosmosEscapeEvent
    | KosmosDiscardEvent
    | KosmosGreyEvent
    | KosmosHomeEvent
    | KosmosClearEvent
    | KosmosOverEvent
    | ShuffleEvent
)


kosmos_event: Final[Callable[[int | None, KosmosEvent], Event]] = new_event
"""Make an event of this game: mypy holds its data to `KosmosEvent`."""

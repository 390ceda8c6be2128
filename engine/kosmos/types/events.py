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
from engine.rules import Event, Index


class KosmosRoundEvent(TypedDict):
    event: Literal["round"]
    round: int
    first: Index
    display: list[Card | None]


class KosmosLoseEvent(TypedDict):
    event: Literal["lose"]
    seat: Index
    days: int
    why: LossReason


class KosmosTakeEvent(TypedDict):
    event: Literal["take"]
    seat: Index
    place: PlaceOrDeck
    card: Card | None


class KosmosDrawEvent(TypedDict):
    event: Literal["draw"]
    seat: Index
    deck: Deck


class KosmosDrewEvent(TypedDict):
    event: Literal["drew"]
    seat: Index
    card: Card


class KosmosGoldEvent(TypedDict):
    event: Literal["gold"]
    seat: Index
    gold: int
    why: GoldReason


class KosmosDetectiveEvent(TypedDict):
    event: Literal["detective"]
    seat: Index
    to: str
    by: Literal[DetectiveCard, "action"]


class KosmosMarkerEvent(TypedDict):
    event: Literal["marker"]
    seat: Index
    why: Literal["action", "passed"]


class KosmosCardsEvent(TypedDict):
    event: Literal["exchange", "lay_off"]
    seat: Index
    cards: list[Card]


class KosmosSwapEvent(TypedDict):
    event: Literal["swap"]
    seat: Index
    by: SwapCard
    places: list[Place]
    cards: list[Card]


class KosmosTravelEvent(TypedDict):
    event: Literal["travel"]
    seat: Index
    to: str
    cards: list[Card]
    days: int
    die: bool
    events: list[Card]
    uses: list[KosmosUse]


class KosmosRollEvent(TypedDict):
    event: Literal["roll"]
    seat: Index
    roll: int


class KosmosPlainEvent(TypedDict):
    event: Literal["reroll", "retired"]
    seat: Index


class KosmosArriveEvent(TypedDict):
    event: Literal["arrive"]
    seat: Index
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
    seat: Index
    city: str
    colour: Colour
    chit: Chit
    taken: bool


class KosmosEscapeEvent(TypedDict):
    event: Literal["escape"]
    seat: Index
    by: EscapeCard


class KosmosDiscardEvent(TypedDict):
    event: Literal["discard"]
    seat: Index
    card: Card
    why: Literal["limit", "sell"]


class KosmosGreyEvent(TypedDict):
    event: Literal["grey"]
    seat: Index
    card: GreyCard


class KosmosHomeEvent(TypedDict):
    event: Literal["home"]
    seat: Index
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

"""The actions that are offered (10.5)."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from engine.kosmos.types.names import (
    Card,
    CardOrAction,
    Chit,
    Colour,
    Deck,
    DetectiveCard,
    EscapeCard,
    Place,
    PlaceOrDeck,
    SwapCard,
)

KosmosUse = TypedDict("KosmosUse", {"card": CardOrAction, "as": Card, "on": Card | None})
"""What an event card, or the ride of the place `balloon`, does on a leg."""


class KosmosTakeAction(TypedDict):
    do: Literal["take"]
    place: PlaceOrDeck
    card: NotRequired[Card]


class KosmosSwapAction(TypedDict):
    do: Literal["swap"]
    by: SwapCard
    places: list[Place]


class KosmosDetectiveAction(TypedDict):
    do: Literal["detective"]
    by: DetectiveCard
    to: str


class KosmosSellAction(TypedDict):
    do: Literal["sell"]
    card: Card
    gold: int


class KosmosBuyAction(TypedDict):
    do: Literal["buy"]
    deck: Deck
    gold: int


class KosmosPassAction(TypedDict):
    do: Literal["pass"]


class KosmosGoldAction(TypedDict):
    do: Literal["gold"]


class KosmosEventAction(TypedDict):
    do: Literal["event"]


class KosmosMoveDetectiveAction(TypedDict):
    do: Literal["move_detective"]
    to: str


class KosmosFirstAction(TypedDict):
    do: Literal["first"]


class KosmosExchangeAction(TypedDict):
    do: Literal["exchange"]
    cards: list[Card]


class KosmosStayAction(TypedDict):
    do: Literal["stay"]


class KosmosTravelAction(TypedDict):
    do: Literal["travel"]
    to: str
    cards: list[Card]
    days: int
    die: bool
    events: list[Card]
    uses: list[KosmosUse]


class KosmosKeepAction(TypedDict):
    do: Literal["keep"]
    roll: int


class KosmosRerollAction(TypedDict):
    do: Literal["reroll"]
    gold: int


class KosmosDeclineAction(TypedDict):
    do: Literal["decline"]
    chit: Chit
    colour: Colour


class KosmosAcceptAction(TypedDict):
    do: Literal["accept"]
    chit: Chit
    colour: Colour


class KosmosSufferAction(TypedDict):
    do: Literal["suffer"]
    days: int


class KosmosEscapeAction(TypedDict):
    do: Literal["escape"]
    by: EscapeCard


class KosmosDiscardAction(TypedDict):
    do: Literal["discard"]
    card: Card


KosmosAction = (
    KosmosTakeAction
    | KosmosSwapAction
    | KosmosDetectiveAction
    | KosmosSellAction
    | KosmosBuyAction
    | KosmosPassAction
    | KosmosGoldAction
    | KosmosEventAction
    | KosmosMoveDetectiveAction
    | KosmosFirstAction
    | KosmosExchangeAction
    | KosmosStayAction
    | KosmosTravelAction
    | KosmosKeepAction
    | KosmosRerollAction
    | KosmosDeclineAction
    | KosmosAcceptAction
    | KosmosSufferAction
    | KosmosEscapeAction
    | KosmosDiscardAction
)

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


class KosmosPlainAction(TypedDict):
    """Any of the actions of which there is nothing more to say."""

    do: Literal["pass", "gold", "event", "first", "stay"]


class KosmosMoveDetectiveAction(TypedDict):
    do: Literal["move_detective"]
    to: str


class KosmosExchangeAction(TypedDict):
    do: Literal["exchange"]
    cards: list[Card]


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


class KosmosChitAction(TypedDict):
    do: Literal["decline", "accept"]
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
    | KosmosPlainAction
    | KosmosMoveDetectiveAction
    | KosmosExchangeAction
    | KosmosTravelAction
    | KosmosKeepAction
    | KosmosRerollAction
    | KosmosChitAction
    | KosmosSufferAction
    | KosmosEscapeAction
    | KosmosDiscardAction
)

"""What has happened, as it is sent to the seats that may know it (11.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NotRequired, TypedDict

from engine.hidden_deck import ShuffleEvent, new_event
from engine.ravensburger.types.names import ActionCard, Deck, DiscardReason, Mode, MoveReason
from engine.rules import Event, Seat


class RavensburgerRoundEvent(TypedDict):
    event: Literal["round"]
    round: int


class RavensburgerPlainEvent(TypedDict):
    event: Literal["turn", "exchange", "purse", "keep", "home", "retired"]
    seat: Seat


class RavensburgerRoseEvent(TypedDict):
    event: Literal["rose"]
    seat: Seat
    to: Mode


class RavensburgerPlayEvent(TypedDict):
    event: Literal["play"]
    seat: Seat
    card: ActionCard
    to: NotRequired[int]
    victim: NotRequired[Seat]


RavensburgerMoveEvent = TypedDict(
    "RavensburgerMoveEvent",
    {"event": Literal["move"], "seat": Seat, "from": int, "to": int, "by": MoveReason},
)


class RavensburgerAnnounceEvent(TypedDict):
    event: Literal["announce"]
    seat: Seat
    count: int


class RavensburgerDrawEvent(TypedDict):
    event: Literal["draw"]
    seat: Seat
    deck: Deck


class RavensburgerDrewEvent(TypedDict):
    event: Literal["drew"]
    seat: Seat
    deck: Deck
    card: str


class RavensburgerDiscardEvent(TypedDict):
    event: Literal["discard"]
    seat: Seat
    card: ActionCard
    why: DiscardReason


class RavensburgerLeapEvent(TypedDict):
    event: Literal["leap"]
    seat: Seat
    taken: bool


class RavensburgerOrderEvent(TypedDict):
    event: Literal["order"]
    seat: Seat
    card: str
    kept: bool


class RavensburgerOverEvent(TypedDict):
    event: Literal["over"]
    ranks: list[int]


RavensburgerEvent = (
    RavensburgerRoundEvent
    | RavensburgerPlainEvent
    | RavensburgerRoseEvent
    | RavensburgerPlayEvent
    | RavensburgerMoveEvent
    | RavensburgerAnnounceEvent
    | RavensburgerDrawEvent
    | RavensburgerDrewEvent
    | RavensburgerDiscardEvent
    | RavensburgerLeapEvent
    | RavensburgerOrderEvent
    | RavensburgerOverEvent
    | ShuffleEvent
)


ravensburger_event: Final[Callable[[int | None, RavensburgerEvent], Event]] = new_event
"""Make an event of this game: mypy holds its data to `RavensburgerEvent`."""

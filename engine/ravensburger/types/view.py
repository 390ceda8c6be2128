"""What a seat, or a spectator, may know (11.7)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from engine.hidden_deck import Hidden
from engine.ravensburger.types.names import ActionCard, Mode, Phase
from engine.rules import BySeat, Seat, Stack


class RavensburgerTurn(TypedDict):
    """How far the turn has come."""

    further: int
    stage: bool
    leap: bool
    waiting: bool
    moved: bool
    beyond: bool
    kept_now: bool
    orders: int
    pending: Stack[list[str | int]]


class RavensburgerDecks(TypedDict):
    """How many cards are left, by deck."""

    action: int
    event: int


class RavensburgerPiles(TypedDict):
    """The discarded cards by deck, the top last."""

    action: list[ActionCard]
    event: list[str]


class RavensburgerHiddenByDeck(TypedDict):
    """What is known of the cards that are not seen, by deck."""

    action: Hidden
    event: Hidden


class RavensburgerView(TypedDict):
    """All that a seat, or a spectator, may know."""

    seat: Seat | None
    on_turn: Seat | None
    phase: Phase | None
    turn: RavensburgerTurn | None
    round: int
    first: Seat
    rose: Mode | None
    square: BySeat[int]
    cards: BySeat[int]
    kept: BySeat[bool]
    known: BySeat[list[Annotated[str, ActionCard]]]
    retired: list[Seat]
    hand: list[ActionCard] | None
    event: str | None
    drawn: str | None
    decks: RavensburgerDecks
    piles: RavensburgerPiles
    hidden: RavensburgerHiddenByDeck

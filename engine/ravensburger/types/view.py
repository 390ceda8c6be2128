"""What a seat, or a spectator, may know (11.7)."""

from __future__ import annotations

from typing import TypedDict

from engine.hidden_deck import Hidden
from engine.ravensburger.types.names import ActionCard, Mode, Phase
from engine.rules import Index


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
    pending: list[list[str | int]]


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

    seat: Index | None
    on_turn: Index | None
    phase: Phase | None
    turn: RavensburgerTurn | None
    round: int
    first: Index
    rose: Mode | None
    square: list[int]
    cards: list[int]
    kept: list[bool]
    known: list[list[str]]
    retired: list[Index]
    hand: list[ActionCard] | None
    event: str | None
    drawn: str | None
    decks: RavensburgerDecks
    piles: RavensburgerPiles
    hidden: RavensburgerHiddenByDeck

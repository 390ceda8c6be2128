"""The resolved edition, as `start` sends it (11.3)."""

from __future__ import annotations

from typing import TypedDict

from engine.ravensburger.types.names import Effect


class RavensburgerParameters(TypedDict):
    """The settings of an edition."""

    goal_hand_limit: int
    backwards: bool
    keep_events: bool
    event_squares: bool
    max_rounds: int


class RavensburgerBoard(TypedDict):
    """The squares that are special."""

    goal: int
    rose: list[int]
    stage: list[int]
    spyglass: list[int]
    handcuffs: list[int]
    stage_names: list[str]


class RavensburgerCards(TypedDict):
    """How often each action card comes; those of a mode by their values, 1 to 5."""

    coach: list[int]
    train: list[int]
    steamer: list[int]
    elephant: list[int]
    rose: int
    handcuffs: int
    purse: int


class RavensburgerEventCard(TypedDict):
    """An event card, what it orders, and how often it is in the deck."""

    card: str
    effect: Effect
    steps: int
    cards: int
    count: int


class RavensburgerEditionData(TypedDict):
    """The whole resolved rules of an edition."""

    name: str
    parameters: RavensburgerParameters
    board: RavensburgerBoard
    cards: RavensburgerCards
    events: list[RavensburgerEventCard]

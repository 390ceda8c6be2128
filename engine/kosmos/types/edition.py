"""The resolved edition, as `start` sends it (10.3)."""

from __future__ import annotations

from typing import Literal, TypedDict

from engine.kosmos.types.names import Mode


class KosmosParameters(TypedDict):
    """The settings of an edition."""

    chits_face_down: bool
    blue_chit: Literal["last", "second"]
    refuse_chits: bool
    decline_chit_cards: bool
    over_limit: Literal["choose", "blind"]
    india_events: bool
    home_cards: Literal["top", "bottom"]
    late_first_loses: bool
    balloon_breaks_pairs: bool
    inattention_days: int
    max_rounds: int
    max_rounds_of_two: int


class KosmosBoard(TypedDict):
    """The cities, and what the legs between them ask for."""

    cities: list[str]
    legs: list[Literal["elephant"] | list[list[Mode]]]


class KosmosChits(TypedDict):
    """How many chits of each kind there are, by colour."""

    red: dict[str, int]
    blue: dict[str, int]


class KosmosEditionData(TypedDict):
    """The whole resolved rules of an edition."""

    name: str
    parameters: KosmosParameters
    board: KosmosBoard
    events: dict[str, int]
    chits: KosmosChits

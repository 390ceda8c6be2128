"""The actions that are offered (11.5)."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from engine.ravensburger.types.names import ActionCard, Mode
from engine.rules import Seat


class RavensburgerPlayAction(TypedDict):
    do: Literal["play"]
    card: ActionCard
    to: NotRequired[int]
    victim: NotRequired[Seat]


class RavensburgerPlainAction(TypedDict):
    """Any of the actions of which there is nothing more to say."""

    do: Literal["event", "exchange", "end", "carry_out", "keep", "leap", "stay", "retreat", "purse"]


class RavensburgerDrawAction(TypedDict):
    do: Literal["draw"]
    count: int


class RavensburgerRoseAction(TypedDict):
    do: Literal["rose"]
    to: Mode


class RavensburgerDiscardAction(TypedDict):
    do: Literal["discard"]
    card: ActionCard


RavensburgerAction = (
    RavensburgerPlayAction
    | RavensburgerPlainAction
    | RavensburgerDrawAction
    | RavensburgerRoseAction
    | RavensburgerDiscardAction
)

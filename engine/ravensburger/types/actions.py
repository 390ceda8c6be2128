"""The actions that are offered (11.5)."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from engine.ravensburger.types.names import ActionCard, Mode
from engine.rules import Index


class RavensburgerPlayAction(TypedDict):
    do: Literal["play"]
    card: ActionCard
    to: NotRequired[int]
    victim: NotRequired[Index]


class RavensburgerEventAction(TypedDict):
    do: Literal["event"]


class RavensburgerDrawAction(TypedDict):
    do: Literal["draw"]
    count: int


class RavensburgerExchangeAction(TypedDict):
    do: Literal["exchange"]


class RavensburgerEndAction(TypedDict):
    do: Literal["end"]


class RavensburgerRoseAction(TypedDict):
    do: Literal["rose"]
    to: Mode


class RavensburgerDiscardAction(TypedDict):
    do: Literal["discard"]
    card: ActionCard


class RavensburgerCarryOutAction(TypedDict):
    do: Literal["carry_out"]


class RavensburgerKeepAction(TypedDict):
    do: Literal["keep"]


class RavensburgerLeapAction(TypedDict):
    do: Literal["leap"]


class RavensburgerStayAction(TypedDict):
    do: Literal["stay"]


class RavensburgerRetreatAction(TypedDict):
    do: Literal["retreat"]


class RavensburgerPurseAction(TypedDict):
    do: Literal["purse"]


RavensburgerAction = (
    RavensburgerPlayAction
    | RavensburgerEventAction
    | RavensburgerDrawAction
    | RavensburgerExchangeAction
    | RavensburgerEndAction
    | RavensburgerRoseAction
    | RavensburgerDiscardAction
    | RavensburgerCarryOutAction
    | RavensburgerKeepAction
    | RavensburgerLeapAction
    | RavensburgerStayAction
    | RavensburgerRetreatAction
    | RavensburgerPurseAction
)

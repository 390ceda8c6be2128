"""The messages between referee and bots, version 1.0; `protocol.md` is the norm, this is our reading of it.

The referee's messages are encoded from these structs, a bot's frames are decoded into them. Strings and numbers of a
bot are bounded here, so that nothing unbounded reaches a log, a ledger or a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

PROTOCOL = (1, 0)
"""Major and minor version that the referee speaks."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Short = Annotated[str, msgspec.Meta(max_length=64)]
Note = Annotated[str, msgspec.Meta(max_length=500)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Hello(msgspec.Struct, tag="hello", tag_field="type", frozen=True):
    """Bot: who it is; the first message on every connection."""

    protocol: tuple[Count, Count]
    name: Name
    version: Short = ""
    language: Short = ""
    games: Annotated[list[Name], msgspec.Meta(max_length=64)] = []
    parallel: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    deterministic: bool = False


class Act(msgspec.Struct, tag="act", tag_field="type", frozen=True):
    """Bot: its answer to one `decide`."""

    game_id: Short
    turn: Count
    index: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    note: Note | None = None
    metrics: Annotated[dict[Name, float], msgspec.Meta(max_length=32)] | None = None


class ProtocolLimits(msgspec.Struct, frozen=True):
    """What a bot's frames and faults are measured by; sizes in bytes."""

    frame: int
    decide: int
    strikes: int


class Welcome(msgspec.Struct, tag="welcome", tag_field="type", frozen=True):
    """Referee: the answer to `hello`."""

    protocol: tuple[int, int]
    limits: ProtocolLimits


class Clock(msgspec.Struct, frozen=True):
    """A seat's time, all in milliseconds: free for each decision, and the bank for what exceeds it."""

    move: int
    bank: int


class Start(msgspec.Struct, tag="start", tag_field="type", frozen=True):
    """Referee: a game begins. `clock` None: no limit."""

    game_id: str
    game: str
    edition: Mapping[str, Any]
    seat: int
    players: int
    clock: Clock | None
    bot_seed: int


class Decide(msgspec.Struct, tag="decide", tag_field="type", frozen=True):
    """Referee: choose one of `actions`. `clock` shows what is left now; None: no limit."""

    game_id: str
    turn: int
    events: Sequence[Mapping[str, Any]]
    view: Mapping[str, Any]
    actions: Sequence[Mapping[str, Any]]
    clock: Clock | None


class Fault(msgspec.Struct, tag="fault", tag_field="type", frozen=True):
    """Referee: what was wrong with what the bot sent, or did not send."""

    game_id: str | None
    turn: int | None
    code: str
    text: str
    strikes_left: int | None


class End(msgspec.Struct, tag="end", tag_field="type", frozen=True):
    """Referee: a game is over; ranks and scores by seat."""

    game_id: str
    ending: str
    ranks: list[int]
    scores: list[dict[str, int]]


class Bye(msgspec.Struct, tag="bye", tag_field="type", frozen=True):
    """Referee: no more games; the bot may end."""


FromBot = Hello | Act
FromReferee = Welcome | Start | Decide | Fault | End | Bye

"""The messages between referee and bots, version 1.0. `protocol.md` is normative, and these structs implement it.

The referee's messages are encoded from these structs, and a bot's frames are decoded into them. Strings and numbers of
a bot are bounded here, so that nothing unbounded reaches a log, a ledger or a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

PROTOCOL = (1, 0)
"""Major and minor version that the referee speaks."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
GameName = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Short = Annotated[str, msgspec.Meta(max_length=64)]
Note = Annotated[str, msgspec.Meta(max_length=500)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
From0 = Annotated[int, msgspec.Meta(ge=0)]
Bits64 = Annotated[int, msgspec.Meta(ge=0, extra_json_schema={"maximum": 2**64 - 1})]


class Hello(msgspec.Struct, tag="hello", tag_field="type", frozen=True):
    """Bot: who it is; the first message on every connection."""

    protocol: tuple[Count, Count]
    """Major and minor version of the protocol that the bot speaks."""
    name: Name
    """The bot's own name, for people."""
    version: Short = ""
    """The bot's version."""
    language: Short = ""
    """The programming language it is written in."""
    games: Annotated[list[GameName], msgspec.Meta(max_length=64)] = []
    """The names of the games it plays; an empty list means any game."""
    parallel: Annotated[int, msgspec.Meta(ge=1, le=64)] = 1
    """How many games it can play at once."""
    deterministic: bool = False
    """Whether it answers the same when asked the same."""


class Act(msgspec.Struct, tag="act", tag_field="type", frozen=True):
    """Bot: its answer to one `decide`."""

    game_id: Short
    """As in the `decide`."""
    turn: Count
    """As in the `decide`."""
    index: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    """Which of its `actions`, counted from 0."""
    note: Note | None = None
    """A remark for the record."""
    metrics: Annotated[dict[Name, float], msgspec.Meta(max_length=32)] | None = None
    """Named numbers for the record."""


class ProtocolLimits(msgspec.Struct, frozen=True):
    """What a bot's frames and faults are measured by; sizes in bytes."""

    frame: int
    """The largest frame that the bot may send, in bytes."""
    decide: int
    """The largest frame that the bot will be sent, in bytes."""
    strikes: int
    """Strikes that a seat has in a game."""


class Welcome(msgspec.Struct, tag="welcome", tag_field="type", frozen=True):
    """Referee: the answer to `hello`."""

    protocol: tuple[int, int]
    """Major and minor version that the referee speaks."""
    limits: ProtocolLimits
    """The limits that hold here."""


class Clock(msgspec.Struct, frozen=True):
    """A seat's time, all in milliseconds: free for each decision, and the bank for what exceeds it."""

    move: int
    """Milliseconds that every decision has for itself."""
    bank: int
    """Milliseconds left for what decisions take beyond `move`."""


class Start(msgspec.Struct, tag="start", tag_field="type", frozen=True):
    """Referee: a game begins."""

    game_id: str
    """Names this game in all further messages."""
    game: str
    """Which game is played."""
    edition: Mapping[str, Any]
    """The whole resolved rules of the edition."""
    seat: From0
    """The bot's seat, from 0."""
    players: From0
    """How many seats there are."""
    clock: Clock | None
    """The time for this game; null means that there is no limit."""
    bot_seed: Bits64
    """64 random bits for this game and seat."""


class Decide(msgspec.Struct, tag="decide", tag_field="type", frozen=True):
    """Referee: choose one of `actions`."""

    game_id: str
    """Which game."""
    turn: int
    """Counts this seat's decisions in this game, from 1."""
    events: Sequence[Mapping[str, Any]]
    """What has happened since the last `decide` of this seat, as far as it may know."""
    view: Mapping[str, Any]
    """All that this seat may know now."""
    actions: Sequence[Mapping[str, Any]]
    """What may be chosen: two or more actions."""
    clock: Clock | None
    """The time that is left; null means that there is no limit."""


class Fault(msgspec.Struct, tag="fault", tag_field="type", frozen=True):
    """Referee: what was wrong with what the bot sent, or did not send."""

    game_id: str | None
    """The game that it is charged to; null if there is none."""
    turn: int | None
    """This seat's latest decision in that game; null if it had none."""
    code: str
    """The name of the fault."""
    text: str
    """What was wrong, in words for people."""
    strikes_left: int | None
    """Strikes that are left in that game."""


class End(msgspec.Struct, tag="end", tag_field="type", frozen=True):
    """Referee: a game is over; ranks and scores by seat."""

    game_id: str
    """Which game."""
    ending: str
    """How it ended: `finished` by the rules, or `walkover`."""
    ranks: list[int]
    """By seat: 1 is best, equal numbers tie."""
    scores: list[dict[str, int | float]]
    """By seat: the game's own figures; that which the game is played for may have a fraction."""


class Bye(msgspec.Struct, tag="bye", tag_field="type", frozen=True):
    """Referee: no more games; the bot may end."""


FromBot = Hello | Act
FromReferee = Welcome | Start | Decide | Fault | End | Bye

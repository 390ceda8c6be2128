"""What the golden vectors hold: messages of both directions, frames that are none, and the data of our games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgpack

from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, encode
from arena.protocol.messages import (
    PROTOCOL,
    Bye,
    Clock,
    Decide,
    End,
    Fault,
    FromReferee,
    ProtocolLimits,
    Start,
    Welcome,
)
from engine.chance import Seeded, derive
from generators.vectors.games import SOURCES, data_of
from generators.vectors.session import GAME_ID, HELLO, KOSMOS, session

ACT: dict[str, Any] = {"type": "act", "game_id": GAME_ID, "turn": 7, "index": 3}


class Vector(NamedTuple):
    """Bytes and what they mean."""

    name: str
    sender: str
    """`bot`, `referee`, or `data` for what is only part of a message."""
    frame: bytes
    meaning: Any


class Broken(NamedTuple):
    """Bytes that are no message of a bot, and why."""

    name: str
    frame: bytes
    why: str


# Messages


def messages() -> Iterator[Vector]:
    """Every message, with and without what is optional."""
    for name, message in _bot_messages().items():
        yield Vector(name, "bot", msgpack.packb(message), message)
    for name, sent in _referee_messages().items():
        frame = encode(sent)
        yield Vector(name, "referee", frame, msgpack.unpackb(frame))
    for number, each in enumerate(session(), start=1):
        yield Vector(f"session-{number:02}-{each.message['type']}", each.sender, each.frame, each.message)


def _bot_messages() -> dict[str, Mapping[str, Any]]:
    return {
        "hello-least": {"type": "hello", "protocol": [1, 0], "name": "b"},
        "hello-whole": {**HELLO, "name": "Größte Weltreise", "parallel": 64, "games": ["kosmos", "other"]},
        "hello-later-minor": {**HELLO, "protocol": [1, 9], "colour": {"of": ["later", 1.5, None]}},
        "act-least": ACT,
        "act-whole": {**ACT, "note": "über Suez", "metrics": {"days": 71.5, "nodes": 12000.0}},
        "act-nulls": {**ACT, "note": None, "metrics": None},
        "act-metrics-of-whole-numbers": {**ACT, "metrics": {"nodes": 12000}},
        "act-index-negative": {**ACT, "index": -1},
        "act-index-smallest": {**ACT, "index": -(2**63)},
        "act-index-largest": {**ACT, "index": 2**63 - 1},
        "act-turn-largest": {**ACT, "turn": 2**31 - 1},
        "act-later-minor": {**ACT, "confidence": 0.5},
    }


def _referee_messages() -> dict[str, FromReferee]:
    game_id = "p4-b0012-r3"
    edition = KOSMOS.edition("ru")
    scores = [{"days": 74, "arrived": 1, "cities": 10, "gold": 2}, {"days": 83, "arrived": 0, "cities": 8, "gold": 0}]
    return {
        "welcome": Welcome(PROTOCOL, ProtocolLimits(FRAME_LIMIT, DECIDE_LIMIT, 3)),
        "start": Start(game_id, "kosmos", edition, 3, 4, Clock(50, 5000), 2**64 - 1),
        "start-without-clock": Start(game_id, "kosmos", edition, 0, 6, None, 0),
        "fault": Fault(game_id, 12, "late", "no answer within 5.050 s", 2),
        "fault-outside-a-decision": Fault(game_id, None, "stale", "an answer before the game began", 3),
        "fault-outside-a-game": Fault(None, None, "malformed", "Input data was truncated", None),
        "end-finished": End(GAME_ID, "finished", [1, 2], scores),
        "end-walkover": End(GAME_ID, "walkover", [2, 1], scores),
        "bye": Bye(),
    } | _decides(game_id)


def _decides(game_id: str) -> dict[str, FromReferee]:
    """A question in `kosmos` with and without a clock."""
    state = KOSMOS.start(3, KOSMOS.edition("standard"), Seeded(derive(b"vectors of kosmos", "decide")))
    seat = state.to_act
    return {
        "decide": Decide(game_id, 1, [], state.view(seat), state.actions(), Clock(50, 4210)),
        "decide-without-clock": Decide(game_id, 1, [], state.view(seat), state.actions(), None),
    }


# Frames that are no message


def malformed() -> Iterator[Broken]:
    """What a referee must answer with the fault `malformed`."""
    whole = msgpack.packb(ACT)
    hello = {"type": "hello", "protocol": [1, 0], "name": "b"}
    yield Broken("empty", b"", "no bytes at all")
    yield Broken("not-msgpack", b"\xc1", "a byte that msgpack never uses")
    yield Broken("json", b'{"type":"act"}', "JSON is no msgpack")
    yield Broken("truncated", whole[:-1], "the last byte is missing")
    yield Broken("trailing", whole + b"\x00", "a byte too many")
    yield Broken("array", msgpack.packb(["act", GAME_ID, 7, 3]), "not a map")
    yield Broken("key-no-string", msgpack.packb({**ACT, 1: 2}), "a key that is no string")
    wrong = whole.replace(GAME_ID.encode(), GAME_ID[:-1].encode() + b"\xff")
    yield Broken("not-utf8", wrong, "a string that is not UTF-8")
    yield Broken("endless-list", b"\x82\xa4type\xa5hello\xa5games\xdd\xff\xff\xff\xff", "says 4 294 967 295 elements")
    changes: dict[str, tuple[Mapping[str, Any], str]] = {
        "no-type": ({key: ACT[key] for key in ("game_id", "turn", "index")}, "`type` is missing"),
        "unknown-type": ({**ACT, "type": "move"}, "no message of a bot has that type"),
        "referee-type": ({**ACT, "type": "bye"}, "only the referee sends that"),
        "act-no-index": ({key: ACT[key] for key in ("type", "game_id", "turn")}, "`index` is missing"),
        "act-index-float": ({**ACT, "index": 3.0}, "a float, even a whole one, is no index"),
        "act-index-string": ({**ACT, "index": "3"}, "a string is no index"),
        "act-index-bool": ({**ACT, "index": True}, "a boolean is no index"),
        "act-index-null": ({**ACT, "index": None}, "nothing is no index"),
        "act-index-huge": ({**ACT, "index": 2**63}, "beyond 64 bits with sign"),
        "act-turn-negative": ({**ACT, "turn": -1}, "turns count from 1"),
        "act-turn-float": ({**ACT, "turn": 7.0}, "a float is no turn"),
        "act-game-bytes": ({**ACT, "game_id": GAME_ID.encode()}, "bin where a str is asked for"),
        "act-note-long": ({**ACT, "note": "x" * 501}, "a note has at most 500 characters"),
        "act-metric-nan": ({**ACT, "metrics": {"days": float("nan")}}, "not a finite number"),
        "act-metric-infinite": ({**ACT, "metrics": {"days": float("inf")}}, "not a finite number"),
        "act-metric-string": ({**ACT, "metrics": {"days": "71"}}, "not a number"),
        "act-metrics-many": ({**ACT, "metrics": {str(n): n for n in range(33)}}, "at most 32 metrics"),
        "hello-no-protocol": ({"type": "hello", "name": "b"}, "`protocol` is missing"),
        "hello-protocol-text": ({**hello, "protocol": "1.0"}, "`protocol` is two numbers"),
        "hello-protocol-three": ({**hello, "protocol": [1, 0, 0]}, "`protocol` is two numbers"),
        "hello-no-name": ({**hello, "name": ""}, "a name has 1 to 64 characters"),
        "hello-name-long": ({**hello, "name": "b" * 65}, "a name has 1 to 64 characters"),
        "hello-name-escape": ({**hello, "name": "\x1b[31mb"}, "a name has no control characters"),
        "hello-parallel-0": ({**hello, "parallel": 0}, "`parallel` is 1 to 64"),
        "hello-parallel-65": ({**hello, "parallel": 65}, "`parallel` is 1 to 64"),
        "hello-games-many": ({**hello, "games": ["g"] * 65}, "at most 64 games"),
        "hello-game-long": ({**hello, "games": ["g" * 201]}, "the name of a game has at most 200 characters"),
    }
    for name, (message, why) in changes.items():
        yield Broken(name, msgpack.packb(message), why)


# The data of our games


def data(name: str) -> Iterator[Vector]:
    """The editions, views, actions and events of a game."""
    for datum in data_of(SOURCES[name]):
        yield Vector(datum.name, "data", datum.frame, datum.meaning)

"""The worked session of `protocol.md`: a whole, short game of `kosmos` from the first frame to the last.

The referee's frames come from the referee's own table, the bot's from `msgpack` as a bot would pack them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgpack

from arena.game.bot_messages import public_id
from arena.game.clock import TimeControl
from arena.game.game import Game
from arena.game.spec import GameSpec
from arena.protocol.codec import DECIDE_LIMIT, FRAME_LIMIT, decode, encode
from arena.protocol.messages import PROTOCOL, Act, Bye, FromReferee, ProtocolLimits, Welcome
from engine import catalog
from engine.rules import Action

KOSMOS = catalog.rules("kosmos")
SEED = "23" * 16
ID = "p2-b0000-r0"
GAME_ID = public_id(bytes.fromhex(SEED), ID)
TIME = TimeControl()
BOT, RIVAL = 1, 0
SECONDS = 0.0125
"""What every decision takes in this session."""

HELLO: dict[str, Any] = {
    "type": "hello",
    "protocol": list(PROTOCOL),
    "name": "fogg",
    "version": "1.2",
    "language": "C++",
    "games": ["kosmos"],
    "parallel": 1,
    "deterministic": True,
}


class Frame(NamedTuple):
    """One frame of the session: who sent it, the bytes, what they mean, and a word about it."""

    sender: Literal["bot", "referee"]
    frame: bytes
    message: Mapping[str, Any]
    remark: str


def session() -> Iterator[Frame]:
    """The frames in order."""
    yield _from_bot(HELLO, "the bot has connected and says who it is.")
    yield _from_referee(Welcome(PROTOCOL, ProtocolLimits(FRAME_LIMIT, DECIDE_LIMIT, TIME.strikes)), "it is welcome.")
    game = Game(KOSMOS, KOSMOS.edition("standard"), GameSpec(ID, 0, 2, 0, 0, SEED, ["", ""]), TIME)
    yield _from_referee(game.start(BOT), "a game of two begins, the bot has seat 1.")
    _let_rival_play(game)

    yield _from_referee(game.decide(), "the rival has had its turn; which card now?")
    extra = {"note": "an event card, then Paris", "metrics": {"expected_days": 71.5}}
    yield _answer(game, {"do": "take", "place": "event"}, "the one under `event`, with a remark for the record.", extra)
    yield _from_referee(game.decide(), "what to do with the place? The events tell of the card just taken.")
    yield _answer(game, {"do": "event"}, "draw an event card.")
    yield _from_referee(game.decide(), "how to travel? The card drawn stands in a private event, and in the hand.")

    asked = game.asked(BOT)
    assert asked is not None
    wrong = {"type": "act", "game_id": asked.game_id, "turn": asked.turn, "index": 99}
    yield _from_bot(wrong, "a mistake: there is no such action.")
    fault = game.answer(BOT, _as_act(wrong), SECONDS)
    assert fault is not None
    yield _from_referee(fault, "a strike; the substitute has played instead.")

    game.decide()
    game.fault(RIVAL, "crash", "exit code 1")
    yield _from_referee(game.end(), "the rival's process has ended, and one living seat is left.")
    yield _from_referee(Bye(), "there is nothing more to play.")


def _let_rival_play(game: Game) -> None:
    """The rival takes what stands first, and travels where it can."""
    while game.awaited == RIVAL:
        asked = game.decide()
        travels = [index for index, action in enumerate(asked.actions) if action["do"] == "travel"]
        game.answer(RIVAL, Act(asked.game_id, asked.turn, travels[0] if travels else 0), SECONDS)


def _answer(game: Game, wanted: Action, remark: str, extra: Mapping[str, Any] | None = None) -> Frame:
    asked = game.asked(BOT)
    assert asked is not None
    index = next(i for i, action in enumerate(asked.actions) if wanted.items() <= action.items())
    frame = _from_bot(
        {"type": "act", "game_id": asked.game_id, "turn": asked.turn, "index": index, **(extra or {})}, remark
    )
    assert game.answer(BOT, _as_act(frame.message), SECONDS) is None
    return frame


def _as_act(message: Mapping[str, Any]) -> Act:
    act = decode(msgpack.packb(message))
    assert isinstance(act, Act)
    return act


def _from_bot(message: Mapping[str, Any], remark: str) -> Frame:
    return Frame("bot", msgpack.packb(message), message, remark)


def _from_referee(message: FromReferee, remark: str) -> Frame:
    frame = encode(message)
    return Frame("referee", frame, msgpack.unpackb(frame), remark)

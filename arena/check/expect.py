"""Whether a frame is the answer that was asked for, and if not, what exactly is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

import msgspec

from arena.check import rules
from arena.check.report import Rule, looks_like_text
from arena.check.session import Bench, Came, Message
from arena.protocol.codec import FRAME_LIMIT, Malformed, decode
from arena.protocol.messages import Act, Hello

_FIELD: Final = re.compile(r"`\$\.(\w+)|`(\w+)`$")
_SECOND_THOUGHTS: Final = 1.0
"""Seconds in which the right answer may still follow a wrong one."""


def answer(bench: Bench, allowed: float, stray: Rule = rules.TWICE) -> tuple[Act, float]:
    """The bot's next answer to one of the open decisions, and the seconds that it took.

    Raises `Failed`; by the rule `stray` if the right answer comes, but something else before it.
    """
    while True:
        came = bench.receive(allowed)
        if came is None:
            rule = bench.conduct or (rules.LATE if bench.has_answered else rules.NO_ANSWER)
            bench.fail(f"no answer within {allowed:.3g} s of its own time", rule)
        act = message(bench, came)
        if isinstance(act, Hello):
            bench.fail("a hello instead of an answer", rules.NO_ANSWER, came)
        if act.game_id not in bench.excused:
            break
        bench.excused.discard(act.game_id)
    question = bench.open.get(act.game_id)
    if question is None or field(question, "turn") != act.turn:
        _astray(bench, act, came, stray)
    count = len(field(question, "actions"))
    if not 0 <= act.index < count:
        bench.fail(f"index {act.index}, there are {count} actions: 0 to {count - 1}", rules.ILLEGAL, came)
    del bench.open[act.game_id]
    bench.has_answered = True
    if came.seconds > allowed + _TOLERANCE:
        bench.fail(
            f"answered after {came.seconds:.3f} s of its own time, allowed were {allowed:.3f} s", rules.LATE, came
        )
    return act, came.seconds


_TOLERANCE: Final = 0.1
"""Seconds: how exactly a bot's own time can be told."""


def message(bench: Bench, came: Came) -> Hello | Act:
    """The message in a frame. Raises `Failed`."""
    frame = came.frame
    if frame is None:
        bench.fail("a message of several frames", rules.PARTS, came)
    if len(frame) > FRAME_LIMIT:
        bench.fail(f"a frame of {len(frame)} bytes, allowed are {FRAME_LIMIT}", rules.OVERSIZE, came)
    try:
        return decode(frame)
    except Malformed as error:
        rule = _rule_for(frame, str(error))
        what = "a text, no msgpack" if rule is rules.TEXT else str(error)
        bench.fail(f"malformed: {what}", rule, came)


def data(message: Message) -> dict[str, Any]:
    """A message as plain data."""
    return dict(message) if isinstance(message, Mapping) else msgspec.to_builtins(message)


def field(question: Message, name: str) -> Any:
    """A field of a message, whether it is one of ours or of a later version."""
    return question[name] if isinstance(question, Mapping) else getattr(question, name)


def _astray(bench: Bench, act: Act, came: Came, stray: Rule) -> NoReturn:
    """An answer to something else: either it is one too many, or the right one with the wrong marks."""
    asked = ", ".join(f"turn {field(each, 'turn')} of game {game_id}" for game_id, each in bench.open.items())
    what = f"an answer for turn {act.turn} of game {act.game_id}, asked is {asked}"
    seen = [came]
    while (later := bench.receive(_SECOND_THOUGHTS)) is not None:
        seen.append(later)
        following = message(bench, later)
        if isinstance(following, Act):
            question = bench.open.get(following.game_id)
            if question is not None and field(question, "turn") == following.turn:
                bench.fail(f"{what}; the right answer came besides", stray, *seen[:3])
    bench.fail(what, stray if stray is rules.PARALLEL else rules.TURN, *seen[:3])


def _rule_for(frame: bytes, error: str) -> Rule:
    """What the protocol says about a frame that is no message."""
    if looks_like_text(frame):
        return rules.TEXT
    try:
        meaning = msgspec.msgpack.decode(frame)
    except UnicodeDecodeError:
        return rules.ENCODING
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return rules.MSGPACK
    if not isinstance(meaning, dict) or not all(isinstance(key, str) for key in meaning):
        return rules.MSGPACK
    if any(isinstance(value, bytes) for value in meaning.values()):
        return rules.ENCODING
    named = _FIELD.search(error)
    name = "" if named is None else named[1] or named[2]
    if meaning.get("type") == "hello":
        return rules.HELLO_FIELD
    if meaning.get("type") == "act":
        return rules.SECTION_OF_FIELD.get(name, rules.ACT_FIELD)
    return rules.TYPE

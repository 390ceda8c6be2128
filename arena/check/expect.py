"""Judging whether a frame is the answer that was asked for, and if not, what exactly is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NoReturn

import msgspec

from arena.check import requirements
from arena.check.report import Requirement, looks_like_text
from arena.check.session import CheckSession, Message, ReceivedFrame
from arena.protocol.messages import Act, Hello
from arena.referee.session import FrameFault

_FIELD: Final = re.compile(r"`(\w+)")
_SECOND_THOUGHTS: Final = 1.0
"""Seconds in which the right answer may still follow a wrong one."""


def answer(session: CheckSession, allowed: float, stray: Requirement = requirements.TWICE) -> tuple[Act, float]:
    """Wait for the bot's answer to one of the open decisions, and return it with the seconds that it took.

    Args:
        session: The bot.
        allowed: The seconds of its own time that it may take.
        stray: The requirement that a message breaks which comes before the right answer.

    Raises:
        Failed: There is no right answer in time.
    """
    while True:
        came = session.receive(allowed)
        if came is None:
            requirement = session.conduct or (requirements.LATE if session.has_answered else requirements.NO_ANSWER)
            session.fail(f"no answer within {allowed:.3g} s of its own time", requirement)
        act = message(session, came)
        if isinstance(act, Hello):
            session.fail("a hello instead of an answer", requirements.NO_ANSWER, came)
        if not session.take_excuse(act.game_id):
            break
    question = session.open.get(act.game_id)
    if question is None or field(question, "turn") != act.turn:
        _astray(session, act, came, stray)
    count = len(field(question, "actions"))
    if not 0 <= act.index < count:
        session.fail(f"index {act.index}, there are {count} actions: 0 to {count - 1}", requirements.ILLEGAL, came)
    session.answered(act.game_id)
    if came.seconds > allowed + _TOLERANCE:
        session.fail(
            f"answered after {came.seconds:.3f} s of its own time (limit {allowed:.3f} s)", requirements.LATE, came
        )
    return act, came.seconds


_TOLERANCE: Final = 0.1
"""Seconds: the accuracy with which a bot's own time can be measured."""


def message(session: CheckSession, came: ReceivedFrame) -> Hello | Act:
    """Return the message in a frame. Raises `Failed` if the referee would judge the frame to be a fault."""
    if isinstance(came.meaning, FrameFault):
        _refuse(session, came, came.meaning)
    return came.meaning


def _refuse(session: CheckSession, came: ReceivedFrame, fault: FrameFault) -> NoReturn:
    """Raise `Failed` with the requirement of the protocol that a frame breaks."""
    if fault.code == "oversize":
        session.fail(fault.text, requirements.OVERSIZE, came)
    if not fault.error:
        session.fail(fault.text, requirements.NOT_HELLO, came)
    if came.frame is None:
        session.fail(fault.error, requirements.PARTS, came)
    requirement = _requirement_for(came.frame, fault.error)
    what = "text, not msgpack" if requirement is requirements.TEXT else fault.error
    session.fail(f"malformed: {what}", requirement, came)


def data(message: Message) -> dict[str, Any]:
    """Return a message as plain data."""
    return dict(message) if isinstance(message, Mapping) else msgspec.to_builtins(message)


def field(question: Message, name: str) -> Any:
    """Return a field of a message, whether the message is one of ours or of a later version."""
    return question[name] if isinstance(question, Mapping) else getattr(question, name)


def _astray(session: CheckSession, act: Act, came: ReceivedFrame, stray: Requirement) -> NoReturn:
    """Raise `Failed` for an answer to something else: one too many, or the right one with a wrong game or turn."""
    asked = ", ".join(f"turn {field(each, 'turn')} of game {game_id}" for game_id, each in session.open.items())
    what = f"an answer for turn {act.turn} of game {act.game_id} instead of {asked}"
    seen = [came]
    while (later := session.receive(_SECOND_THOUGHTS)) is not None:
        seen.append(later)
        following = message(session, later)
        if isinstance(following, Act):
            question = session.open.get(following.game_id)
            if question is not None and field(question, "turn") == following.turn:
                session.fail(f"{what}; the right answer came too", stray, *seen[:3])
    session.fail(what, stray if stray is requirements.PARALLEL else requirements.TURN, *seen[:3])


def _requirement_for(frame: bytes, error: str) -> Requirement:
    """Find the requirement that a frame which is no message breaks."""
    if looks_like_text(frame):
        return requirements.TEXT
    try:
        meaning = msgspec.msgpack.decode(frame)
    except UnicodeDecodeError:
        return requirements.ENCODING
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return requirements.MSGPACK
    if not isinstance(meaning, dict) or not all(isinstance(key, str) for key in meaning):
        return requirements.MSGPACK
    if any(isinstance(value, bytes) for value in meaning.values()):
        return requirements.ENCODING
    named = _FIELD.search(error)
    name = "" if named is None else named[1]
    if meaning.get("type") == "hello":
        return requirements.HELLO_FIELD
    if meaning.get("type") == "act":
        return requirements.SECTION_OF_FIELD.get(name, requirements.ACT_FIELD)
    return requirements.TYPE

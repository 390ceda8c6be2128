"""A session owns its conversation: it judges frames, counts what came, and nobody else writes what it keeps."""

from __future__ import annotations

import ast
from pathlib import Path

import msgspec
import pytest

import arena
from arena.game.faults import FLOOD_CONNECTIONS, FLOOD_FRAMES
from arena.protocol.messages import PROTOCOL, Act, Hello
from arena.referee.session import BotSession, FrameFault, SessionState
from arena.referee.source import ByHand
from arena.referee.transport import Address, ReceivedMessage, Refusal

PACKAGE = Path(arena.__file__).parent
HOME = PACKAGE / "referee" / "session.py"
CHANGING = {"add", "append", "clear", "discard", "pop", "popitem", "remove", "setdefault", "update"}
FIELDS = {name.lstrip("_") for name in vars(BotSession("", ByHand()))}

HELLO = Hello(PROTOCOL, "bot")
ACT = Act("g", 1, 0)


def written(tree: ast.AST) -> list[str]:
    """The fields of a session that this code writes, or whose content it changes, from outside."""
    found: list[str] = []
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                pass
            case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                targets = [target]
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CHANGING:
                targets = [value]
            case _:
                continue
        for target in (part for each in targets for part in getattr(each, "elts", [each])):
            while isinstance(target, ast.Subscript):
                target = target.value  # type: ignore[assignment]
            match target:
                case ast.Attribute(value=ast.Name(id="self")):
                    pass
                case ast.Attribute(attr=attr) if attr.lstrip("_") in FIELDS:
                    found.append(f"line {target.lineno}: {ast.unparse(target)}")
    return found


def test_nobody_else_writes_a_sessions_fields():
    rooms = [PACKAGE / "referee", PACKAGE / "check"]
    files = [file for room in rooms for file in sorted(room.rglob("*.py")) if file != HOME]
    assert {str(file): found for file in files if (found := written(ast.parse(file.read_text("utf-8"))))} == {}


@pytest.mark.parametrize(
    "code",
    [
        "session.frames += 1",
        "session.frames = self.connections = 0",
        "self._session.hello = hello",
        "place.session.seats['g'] = 1",
        "session._excused.clear()",
        "del session.excused[game_id]",
        "first, session.address = 1, None",
    ],
)
def test_a_write_from_outside_would_be_found(code):
    assert len(written(ast.parse(code))) == 1


@pytest.fixture
def session():
    session = BotSession("bot", ByHand())
    session.starting("ipc://here")
    return session


HERE = Address("ipc://here", b"token")


def message(frame: bytes) -> ReceivedMessage:
    return ReceivedMessage(HERE, frame)


def refused(code: str, text: str, frames: int = 1) -> ReceivedMessage:
    return ReceivedMessage(HERE, None, frames, Refusal(code, text))


def send(session: BotSession, what: object) -> object:
    return session.receive(message(what if isinstance(what, bytes) else msgspec.msgpack.encode(what)))


def test_messages_come_through(session):
    assert send(session, HELLO) == HELLO
    session.said_hello(HELLO)
    assert send(session, ACT) == ACT
    assert send(session, HELLO) == HELLO


def test_the_first_message_must_be_a_hello(session):
    assert send(session, ACT) == FrameFault("mute", "an act before hello")
    assert send(session, b"\xc1")[:2] == ("mute", "instead of hello: " + send(session, b"\xc1").error)  # type: ignore[attr-defined]
    assert session.receive(refused("malformed", "several")).text == "instead of hello: several"
    assert session.receive(refused("oversize", "large")) == FrameFault("oversize", "large")


@pytest.mark.parametrize(
    ("came", "code", "text"),
    [
        (refused("malformed", "several", 2), "malformed", "several"),
        (refused("oversize", "large"), "oversize", "large"),
        (refused("flood", "pieces"), "flood", "pieces"),
        (message(b""), "malformed", "it ends before it is complete"),
        (
            refused("malformed", "several", FLOOD_FRAMES + 1),
            "flood",
            f"more than {FLOOD_FRAMES} frames between two decisions",
        ),
    ],
)
def test_what_is_wrong_with_a_frame(session, came, code, text):
    session.said_hello(HELLO)
    fault = session.receive(came)
    assert (fault.code, fault.text) == (code, text)


def test_frames_and_connections_are_counted_from_decision_to_decision(session):
    session.said_hello(HELLO)
    for _ in range(2):
        session.asked()
        assert [send(session, ACT) for _ in range(FLOOD_FRAMES)] == [ACT] * FLOOD_FRAMES
        assert [session.connected(1) for _ in range(FLOOD_CONNECTIONS)] == [None] * FLOOD_CONNECTIONS
    assert send(session, ACT).code == "flood"  # type: ignore[attr-defined]
    assert session.connected(1).text == f"more than {FLOOD_CONNECTIONS} connections between two decisions"


def test_connections_of_earlier_decisions_that_are_still_open_count_too(session):
    session.asked()
    assert session.connected(FLOOD_CONNECTIONS) is None
    fault = session.connected(FLOOD_CONNECTIONS + 1)
    assert fault == FrameFault("flood", f"more than {FLOOD_CONNECTIONS} connections at once")


def test_a_new_start_is_a_new_conversation(session):
    token = session.token
    session.said_hello(HELLO)
    session.ready(None)
    session.moved(HERE)
    session.asked()
    session.excuse("g", 1.0)
    session.end()
    assert (session.stage, session.endpoint, session.address, session.waiting) == (SessionState.DOWN, None, None, 0)
    assert session.starting("ipc://there") != token
    assert (session.stage, session.hello, dict(session.excused)) == (SessionState.STARTING, None, {})
    assert send(session, ACT).code == "mute"  # type: ignore[attr-defined]


def test_an_answer_that_is_excused_takes_no_more_time_once_the_bot_has_answered_something_else(session):
    session.said_hello(HELLO)
    session.ready(None)
    session.excuse("g", 2.0)
    assert session.excused_seconds == 2.0
    session.asked()
    session.asked()
    assert [session.answered(), session.answered()] == [False, True]
    assert (session.waiting, session.excused_seconds) == (0, 0.0)
    session.excuse("h", 1.0)
    assert [session.take_excuse(game) for game in ("g", "g", "h")] == [0.0, None, 1.0]

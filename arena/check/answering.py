"""Steps 7 to 13: every message of the referee, in the orders in which they can come."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from arena.check import expect, requirements
from arena.check.context import CheckContext, need, with_fields
from arena.check.report import Skipped
from arena.protocol.messages import Fault
from arena.shipped import find

_SESSION = re.compile(r"(?P<session>.*session)-\d+-")


def answers(context: CheckContext) -> str:
    """Check that one decision gets one answer."""
    context.ready()
    game = context.game()
    context.session.send(game.start())
    question = game.next()
    if question is None:
        raise Skipped("the game ended before it was asked")
    index = context.ask(game, question)
    context.session.send(game.end())
    return f"chose {index} of 0 to {len(question.actions) - 1}"


def turns(context: CheckContext) -> str:
    """Check that each of several decisions in several games gets one answer, with the right game and turn."""
    context.ready()
    for seat in (0, 1, 0):
        context.play(context.game(seat=seat), most=4)
    # Anything that it sends in excess comes before its next answer.
    context.play(context.game(), most=1, stray=requirements.UNASKED)
    return ""


def messages(context: CheckContext) -> str:
    """Send every message, with and without the fields that may be null, and both endings."""
    context.ready()
    session = context.session
    unlimited = context.game()
    context.play(
        unlimited, most=2, alter=lambda message: _without_clock(expect.data(message)), stray=requirements.UNASKED
    )
    for ending in ("finished", "walkover"):
        game = context.game()
        session.send(game.start())
        if (question := game.next()) is not None:
            context.ask(game, question, stray=requirements.UNASKED)
        session.send(with_fields(game.end(), ending=ending))
    context.play(context.game(), most=1, stray=requirements.UNASKED)
    return "welcome, start, decide, end; with and without a clock"


def _without_clock(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "clock": None} if "clock" in data else data


def faults(context: CheckContext) -> str:
    """Check that faults are not answered, and that the game goes on until the seat has retired."""
    context.ready()
    session = context.session
    session.send(Fault(None, None, "malformed", "said to try the bot: no game is charged", None))
    game = context.game()
    session.send(game.start())
    session.send(Fault(game.id, None, "stale", "said to try the bot: an answer before the game began", 3))
    for code, left in (("illegal", 2), ("late", 1), ("malformed", 0)):
        if (question := game.next()) is None:
            break
        session.send(question)
        expect.answer(session, game.allowed, requirements.FAULT_ANSWERED)
        game.lose_turn()
        session.send(Fault(game.id, question.turn, code, "said to try the bot", left))
    session.send(game.end())
    context.play(context.game(), most=1, stray=requirements.FAULT_ANSWERED)
    return "illegal, late, malformed and stale, with and without a game"


def crossing(context: CheckContext) -> str:
    """End a game while the bot is asked; an answer to it may still come, and the next game must be played."""
    context.ready()
    session = context.session
    for _ in range(2):
        game = context.game()
        session.send(game.start())
        if (question := game.next()) is not None:
            session.send(question)
        session.send(game.end())
    context.play(context.game(), most=3, stray=requirements.CROSSING)
    return ""


def begin_again(context: CheckContext) -> str:
    """Abandon a game silently, and begin it again under the same id."""
    context.ready()
    game = context.game(deal=0)
    context.session.send(game.start())
    for _ in range(2):
        if (question := game.next()) is None:
            break
        context.ask(game, question)
    context.play(context.game(deal=0, game_id=game.id), most=3, stray=requirements.ANEW)
    return ""


def golden(context: CheckContext) -> str:
    """Play the recorded sessions, frame by frame."""
    context.ready()
    played = 0
    for frames in _sessions():
        game = next((data["game"] for data in frames if data["type"] == "start"), None)
        if game in [each.name for each in context.rules]:
            played += 1
            for data in frames:
                # A `fault` in the record may follow an answer that this bot did not give, which does no harm.
                context.session.send(data)
                if data["type"] == "decide":
                    expect.answer(context.session, context.time.move + context.time.bank)
    need(played > 0, "no session of its games is recorded")
    context.play(context.game(), most=1, stray=requirements.UNASKED)
    return f"{played} session" + ("s" if played > 1 else "")


def _sessions() -> Iterator[list[dict[str, Any]]]:
    """Generate the referee's messages of each recorded session, without its `welcome` and `bye`."""
    found: dict[str, list[dict[str, Any]]] = {}
    try:
        entries = [
            entry
            for file in sorted(find("docs/vectors").glob("*.json"))
            for entry in json.loads(file.read_text("utf-8"))
        ]
    except (OSError, ValueError) as error:
        raise Skipped(f"the golden vectors cannot be read: {error}") from None
    for entry in entries:
        of_session = _SESSION.match(entry["name"])
        if of_session and entry.get("from") == "referee" and entry["json"]["type"] not in ("welcome", "bye"):
            found.setdefault(of_session["session"], []).append(entry["json"])
    yield from found.values()

"""Steps 1 to 13: from a bot on disk to its answers to every message of the referee, in all orders that can come."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from arena.check import expect, requirements
from arena.check.context import CheckContext, need, with_fields
from arena.check.report import Failed, Problem, Skipped
from arena.entrants import BuildFailed, build
from arena.entrants.fingerprint import sources
from arena.protocol.codec import incompatible
from arena.protocol.messages import PROTOCOL, Fault, Hello
from arena.shipped import find
from engine import catalog

_LIBRARIES: Final = {"arena", "engine", "msgpack", "zmq"}


def built(context: CheckContext) -> str:
    """Check that the build command succeeds."""
    entrant = context.entrant
    try:
        context.built = build(entrant, context.cache, isolation=context.isolation)
    except BuildFailed as error:
        raise Failed(Problem(str(error), requirements.BUILD)) from None
    return "nothing to build" if entrant.build is None else " ".join(entrant.build)


def names(context: CheckContext) -> str:
    """Check that no file hides a module of Python's standard library or one that the client needs."""
    entrant = context.entrant
    python = entrant.kind == "python" or entrant.language.lower() == "python" or sys.executable in entrant.command
    need(python, "only for bots in Python")
    hidden = sorted(
        {
            source.as_posix()
            for source in sources(entrant.path, entrant.outputs)
            if len(source.parts) <= 2
            and source.suffix == ".py"
            and _module(source) in sys.stdlib_module_names | _LIBRARIES
        }
    )
    if hidden:
        module = _module(Path(hidden[0]))
        what = f"{hidden[0]} hides the module {module}: `import {module}` would find the bot's file, wherever it stands"
        raise Failed(Problem(what, requirements.SHADOW))
    return ""


def _module(source: Path) -> str:
    """Return the name under which a file, or a folder with files, is imported."""
    return source.stem if len(source.parts) == 1 else source.parts[0]


def started(context: CheckContext) -> str:
    """Check that something comes within the start limit."""
    session = context.session
    session.launch()
    context.first = session.receive_first()
    return f"after {context.first.seconds:.2f} s (limit {context.time.start:g} s)"


def said_hello(context: CheckContext) -> str:
    """Check that the first message is a valid hello."""
    assert context.first is not None
    hello = expect.message(context.session, context.first)
    assert isinstance(hello, Hello)  # `expect.message` accepts no act before it
    named = f"plays {', '.join(hello.games)}" if hello.games else "plays any game"
    several = f", {hello.parallel} at once" if hello.parallel > 1 else ""
    return f"{hello.name} {hello.version}".strip() + f", {named}{several}"


def same_version(context: CheckContext) -> str:
    """Check that the bot speaks the referee's major version, and welcome it."""
    assert context.first is not None
    hello = expect.message(context.session, context.first)
    assert isinstance(hello, Hello)
    reason = incompatible(hello)
    if reason is not None:
        context.session.fail(f"the bot {reason}", requirements.VERSION, context.first)
    context.session.welcome(hello)
    ours = ".".join(map(str, PROTOCOL))
    return f"bot {hello.protocol[0]}.{hello.protocol[1]}, referee {ours}"


def known_game(context: CheckContext) -> str:
    """Check that at least one game that the bot plays is installed here."""
    hello = context.ready()
    context.choose_rules(hello)
    if not context.rules:
        asked = context.only or ", ".join(catalog.names())
        context.session.fail(
            f"it plays {', '.join(hello.games)}; the games to try are {asked}",
            requirements.NO_GAME,
            *context.came_first(),
        )
    unknown = sorted({*hello.games} - {*catalog.names(), *(each.name for each in context.rules)})
    tried = "tried with " + ", ".join(each.name for each in context.rules)
    return tried + (f"; not installed here: {', '.join(unknown)}" if unknown else "")


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

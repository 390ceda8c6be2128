"""Steps 1 to 6: from a bot on disk to one that has said hello."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from arena.check import expect, requirements
from arena.check.context import CheckContext, need
from arena.check.report import Failed, Problem
from arena.entrants import BuildFailed, build
from arena.entrants.fingerprint import sources
from arena.protocol.codec import incompatible
from arena.protocol.messages import PROTOCOL, Hello
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

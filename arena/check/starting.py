"""Steps 1 to 6: from a bot on disk to one that has said hello."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from arena.check import expect, rules
from arena.check.context import Trial, need
from arena.check.report import Failed, Problem
from arena.entrants import BuildFailed, build
from arena.entrants.fingerprint import sources
from arena.protocol.codec import incompatible
from arena.protocol.messages import PROTOCOL, Hello
from engine import catalog

_LIBRARIES: Final = {"arena", "engine", "msgpack", "zmq"}


def built(trial: Trial) -> str:
    """The build command succeeds."""
    entrant = trial.entrant
    try:
        trial.built = build(entrant, trial.cache)
    except BuildFailed as error:
        raise Failed(Problem(str(error), rules.BUILD)) from None
    return "nothing to build" if entrant.build is None else " ".join(entrant.build)


def names(trial: Trial) -> str:
    """No file hides a module of Python's standard library or one that the client needs."""
    entrant = trial.entrant
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
        raise Failed(Problem(what, rules.SHADOW))
    return ""


def _module(source: Path) -> str:
    """What is imported by its name: a file, or a folder with files."""
    return source.stem if len(source.parts) == 1 else source.parts[0]


def started(trial: Trial) -> str:
    """Something comes within the start limit."""
    bench = trial.bench
    bench.launch()
    trial.first = bench.receive_first()
    return f"after {trial.first.seconds:.2f} s, allowed are {trial.time.start:g} s"


def said_hello(trial: Trial) -> str:
    """What came first is a sound hello."""
    assert trial.first is not None
    hello = expect.message(trial.bench, trial.first)
    if not isinstance(hello, Hello):
        trial.bench.fail("an act before hello", rules.NOT_HELLO, trial.first)
    named = f"plays {', '.join(hello.games)}" if hello.games else "plays any game"
    several = f", {hello.parallel} at once" if hello.parallel > 1 else ""
    return f"{hello.name} {hello.version}".strip() + f", {named}{several}"


def same_version(trial: Trial) -> str:
    """It speaks the referee's major version; then it is welcome."""
    assert trial.first is not None
    hello = expect.message(trial.bench, trial.first)
    assert isinstance(hello, Hello)
    reason = incompatible(hello)
    if reason is not None:
        trial.bench.fail(f"the bot {reason}", rules.VERSION, trial.first)
    trial.bench.welcome(hello)
    ours = ".".join(map(str, PROTOCOL))
    return f"bot {hello.protocol[0]}.{hello.protocol[1]}, referee {ours}"


def known_game(trial: Trial) -> str:
    """Some game that it plays is installed here."""
    hello = trial.ready()
    trial.choose_games(hello)
    if not trial.games:
        asked = trial.only or ", ".join(catalog.games())
        trial.bench.fail(f"it plays {', '.join(hello.games)}; asked for is {asked}", rules.NO_GAME, *trial.came_first())
    unknown = sorted(set(hello.games) - set(catalog.games()))
    tried = "tried with " + ", ".join(each.name for each in trial.games)
    return tried + (f"; not installed here: {', '.join(unknown)}" if unknown else "")

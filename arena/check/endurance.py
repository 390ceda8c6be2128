"""Steps 19 to 25: what a bot has to bear in a long tournament, how it ends, and what it leaves behind."""

from __future__ import annotations

from typing import Final

import msgspec

from arena.check import expect, rules
from arena.check.context import CheckContext

_TIGHT: Final = (250, 50, 0)
"""Milliseconds left in the bank, by decision."""
_TOO_SLOW: Final = 4.0
"""So many times `move` is too slow with an empty bank; below, who can tell on a machine that does other things."""
_ROUNDS: Final = 3
_GAMES: Final = 50
_WARM: Final = 10
"""Games after which a process should have what it needs."""
_DECISIONS_EACH: Final = 3
_NAMED: Final = 5
"""Changes in a folder that are named."""
_GROWTH: Final = 64
"""MiB that the other games may add: a collector of garbage may take its time."""


def low_bank(context: CheckContext) -> str:
    """With an empty bank it answers within `move`."""
    context.ready()
    taken = []
    for _ in range(_ROUNDS):
        match = context.match()
        context.session.send(match.start())
        for bank in _TIGHT:
            question = match.next()
            assert question is not None
            assert question.clock is not None
            clock = msgspec.structs.replace(question.clock, bank=bank)
            context.session.send(msgspec.structs.replace(question, clock=clock))
            act, seconds = expect.answer(context.session, context.time.move + context.time.bank)
            match.answer(act.index, 0.0)
        taken.append(seconds)
        context.session.send(match.end())
    if min(taken) > _TOO_SLOW * context.time.move:
        what = (
            f"with an empty bank it took {min(taken):.3f} s of its own time and more; {context.time.move:g} s are free"
        )
        context.session.fail(what, rules.LATE)
    return f"{1000 * min(taken):.0f} to {1000 * max(taken):.0f} ms with an empty bank"


def stopped(context: CheckContext) -> str:
    """It is stopped while nobody waits for it; what comes meanwhile is read when it goes on."""
    context.ready()
    session = context.session
    for _ in range(_ROUNDS):
        match = context.match()
        session.stop()
        session.send(match.start())
        for _ in range(_ROUNDS):
            question = match.next()
            assert question is not None
            session.pause()
            session.go_on()
            context.ask(match, question)
            session.stop()
        session.send(match.end())
        session.go_on()
    context.play(context.match(), most=1)
    return f"{_ROUNDS * _ROUNDS} times"


def output(context: CheckContext) -> str:
    """A whole game's output fits into what is kept."""
    session = context.session
    session.end()
    context.ready()
    context.play(context.match())
    context.play(context.match(), most=1)  # by its next answer it has written what it had to say on the game
    if session.has_flooded_output:
        session.fail(f"in one game it wrote more than the {session.output_kept >> 10} KiB that are kept", rules.OUTPUT)
    return f"a game's output is less than {session.output_kept >> 10} KiB"


def memory(context: CheckContext) -> str:
    """A process plays many games and does not grow with their number."""
    context.ready()
    session = context.session
    warm = 0
    for number in range(1, _GAMES + 1):
        context.play(context.match(context.games[number % len(context.games)]), most=_DECISIONS_EACH)
        if number == _WARM:
            warm = session.memory() >> 20
    now = session.memory() >> 20
    if now - warm > _GROWTH:
        session.fail(f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}", rules.MEMORY)
    return f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}"


def own_token(context: CheckContext) -> str:
    """Nobody spoke under a routing id that is none of this bot's, in all that was tried so far."""
    context.session.fail_if_strange()
    return ""


def goodbye(context: CheckContext) -> str:
    """It ends by itself, and in peace."""
    context.ready()
    context.play(context.match(), most=1)
    session = context.session
    ended = session.say_bye()
    if ended is None:
        session.fail("it still runs seconds after bye", rules.BYE)
    if ended.code != 0:
        session.fail(f"after bye: {ended.reason}", rules.BYE)
    session.end()
    return ""


def folder(context: CheckContext) -> str:
    """None of its processes changed anything in its folder, in all that was tried so far."""
    session = context.session
    session.end()
    if session.changed:
        more = len(session.changed) - _NAMED
        named = ", ".join(session.changed[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        session.fail(f"its folder is not as it was when it was built: {named}", rules.FOLDER)
    return ""

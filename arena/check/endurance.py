"""Steps 19 to 25: what a bot must cope with in a long tournament, how it ends, and what it leaves behind."""

from __future__ import annotations

from typing import Final

import msgspec

from arena.check import expect, requirements
from arena.check.context import CheckContext
from arena.check.report import Skipped
from arena.entrants.bot_process import LOG_BYTES

_TIGHT: Final = (250, 50, 0)
"""Milliseconds left in the bank, by decision."""
_TOO_SLOW: Final = 4.0
"""How many times `move` an answer with an empty bank may take; a smaller excess may be due to a busy machine."""
_ROUNDS: Final = 3
_GAMES: Final = 50
_WARM: Final = 10
"""Games after which a process should have allocated what it needs."""
_DECISIONS_EACH: Final = 3
_NAMED: Final = 5
"""The most changes in a folder that are named."""
_GROWTH: Final = 64
"""MiB by which the remaining games may increase memory: a garbage collector may run late."""


def low_bank(context: CheckContext) -> str:
    """Check that the bot answers within `move` when its bank is empty."""
    context.ready()
    taken: list[float] = []
    for _ in range(_ROUNDS):
        game = context.game()
        context.session.send(game.start())
        seconds = None
        for bank in _TIGHT:
            if (question := game.next()) is None:
                break
            assert question.clock is not None
            clock = msgspec.structs.replace(question.clock, bank=bank)
            context.session.send(msgspec.structs.replace(question, clock=clock))
            act, seconds = expect.answer(context.session, context.time.move + context.time.bank)
            game.answer(act.index, 0.0)
        taken += [] if seconds is None else [seconds]
        context.session.send(game.end())
    if not taken:
        raise Skipped("the games ended before it was asked")
    if min(taken) > _TOO_SLOW * context.time.move:
        what = (
            f"with an empty bank it took {min(taken):.3f} s of its own time and more; {context.time.move:g} s are free"
        )
        context.session.fail(what, requirements.LATE)
    return f"{1000 * min(taken):.0f} to {1000 * max(taken):.0f} ms with an empty bank"


def stopped(context: CheckContext) -> str:
    """Stop the bot while no game waits for it; it must read what came in the meantime when it runs on."""
    context.ready()
    session = context.session
    for _ in range(_ROUNDS):
        game = context.game()
        session.stop()
        session.send(game.start())
        for _ in range(_ROUNDS):
            if (question := game.next()) is None:
                break
            session.pause()
            session.go_on()
            context.ask(game, question)
            session.stop()
        session.send(game.end())
        session.go_on()
    context.play(context.game(), most=1)
    return f"{_ROUNDS * _ROUNDS} times"


def output(context: CheckContext) -> str:
    """Check that the output of a whole game fits into what is kept."""
    session = context.session
    session.end()
    context.ready()
    context.play(context.game())
    context.play(context.game(), most=1)  # by its next answer it has written what it had to say on the game
    if session.has_flooded_output:
        session.fail(f"in one game it wrote more than the {LOG_BYTES >> 10} KiB that are kept", requirements.OUTPUT)
    return f"a game's output is less than {LOG_BYTES >> 10} KiB"


def memory(context: CheckContext) -> str:
    """Check that a process which plays many games does not grow with their number."""
    context.ready()
    session = context.session
    warm = 0
    for number in range(1, _GAMES + 1):
        context.play(context.game(context.rules[number % len(context.rules)]), most=_DECISIONS_EACH)
        if number == _WARM:
            warm = session.memory() >> 20
    now = session.memory() >> 20
    if now - warm > _GROWTH:
        session.fail(f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}", requirements.MEMORY)
    return f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}"


def own_token(context: CheckContext) -> str:
    """Check that nothing in all steps so far came under a routing id that is not this bot's."""
    context.session.fail_if_strange()
    return ""


def goodbye(context: CheckContext) -> str:
    """Check that the bot ends by itself after `bye`, with exit code 0."""
    context.ready()
    context.play(context.game(), most=1)
    session = context.session
    ended = session.say_bye()
    if ended is None:
        session.fail("it still runs seconds after bye", requirements.BYE)
    if ended.code != 0:
        session.fail(f"after bye: {ended.reason}", requirements.BYE)
    session.end()
    return ""


def folder(context: CheckContext) -> str:
    """Check that the bot's processes have changed nothing in its folder in all steps so far."""
    session = context.session
    session.end()
    if session.changed:
        more = len(session.changed) - _NAMED
        named = ", ".join(session.changed[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        session.fail(f"its folder is not as it was when it was built: {named}", requirements.FOLDER)
    return ""

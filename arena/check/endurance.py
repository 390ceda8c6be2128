"""Steps 19 to 25: what a bot has to bear in a long tournament, how it ends, and what it leaves behind."""

from __future__ import annotations

from typing import Final

import msgspec

from arena.check import expect, rules
from arena.check.context import Trial

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


def low_bank(trial: Trial) -> str:
    """With an empty bank it answers within `move`."""
    trial.ready()
    taken = []
    for _ in range(_ROUNDS):
        board = trial.board()
        trial.bench.send(board.start())
        for bank in _TIGHT:
            question = board.next()
            assert question is not None
            assert question.clock is not None
            clock = msgspec.structs.replace(question.clock, bank=bank)
            trial.bench.send(msgspec.structs.replace(question, clock=clock))
            act, seconds = expect.answer(trial.bench, trial.time.move + trial.time.bank)
            board.answer(act.index, 0.0)
        taken.append(seconds)
        trial.bench.send(board.end())
    if min(taken) > _TOO_SLOW * trial.time.move:
        what = f"with an empty bank it took {min(taken):.3f} s of its own time and more; {trial.time.move:g} s are free"
        trial.bench.fail(what, rules.LATE)
    return f"{1000 * min(taken):.0f} to {1000 * max(taken):.0f} ms with an empty bank"


def stopped(trial: Trial) -> str:
    """It is stopped while nobody waits for it; what comes meanwhile is read when it goes on."""
    trial.ready()
    bench = trial.bench
    for _ in range(_ROUNDS):
        board = trial.board()
        bench.stop()
        bench.send(board.start())
        for _ in range(_ROUNDS):
            question = board.next()
            assert question is not None
            bench.pause()
            bench.go_on()
            trial.ask(board, question)
            bench.stop()
        bench.send(board.end())
        bench.go_on()
    trial.play(trial.board(), most=1)
    return f"{_ROUNDS * _ROUNDS} times"


def output(trial: Trial) -> str:
    """A whole game's output fits into what is kept."""
    bench = trial.bench
    bench.end()
    trial.ready()
    trial.play(trial.board())
    trial.play(trial.board(), most=1)  # by its next answer it has written what it had to say on the game
    if bench.has_flooded_output:
        bench.fail(f"in one game it wrote more than the {bench.output_kept >> 10} KiB that are kept", rules.OUTPUT)
    return f"a game's output is less than {bench.output_kept >> 10} KiB"


def memory(trial: Trial) -> str:
    """A process plays many games and does not grow with their number."""
    trial.ready()
    bench = trial.bench
    warm = 0
    for number in range(1, _GAMES + 1):
        trial.play(trial.board(trial.games[number % len(trial.games)]), most=_DECISIONS_EACH)
        if number == _WARM:
            warm = bench.memory() >> 20
    now = bench.memory() >> 20
    if now - warm > _GROWTH:
        bench.fail(f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}", rules.MEMORY)
    return f"{warm} MiB after {_WARM} games, {now} MiB after {_GAMES}"


def own_token(trial: Trial) -> str:
    """Nobody spoke under a routing id that is none of this bot's, in all that was tried so far."""
    trial.bench.fail_if_strange()
    return ""


def goodbye(trial: Trial) -> str:
    """It ends by itself, and in peace."""
    trial.ready()
    trial.play(trial.board(), most=1)
    bench = trial.bench
    ended = bench.say_bye()
    if ended is None:
        bench.fail("it still runs seconds after bye", rules.BYE)
    if ended.code != 0:
        bench.fail(f"after bye: {ended.reason}", rules.BYE)
    bench.end()
    return ""


def folder(trial: Trial) -> str:
    """None of its processes changed anything in its folder, in all that was tried so far."""
    bench = trial.bench
    bench.end()
    if bench.changed:
        more = len(bench.changed) - _NAMED
        named = ", ".join(bench.changed[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        bench.fail(f"its folder is not as it was when it was built: {named}", rules.FOLDER)
    return ""

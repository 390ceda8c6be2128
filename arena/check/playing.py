"""Steps 14 to 17: whole games, several at once, the same game again, and a game of a later version."""

from __future__ import annotations

from itertools import count
from typing import Any, Final

from arena.check import judge, rules
from arena.check.bench import Message
from arena.check.trial import Trial, need
from arena.protocol.messages import PROTOCOL

_AT_ONCE: Final = 4
_DECISIONS_EACH: Final = 6
_AGAIN: Final = 12
"""Decisions of a game that is played twice."""


def whole_games(trial: Trial) -> str:
    """Each game with every number of players, in its editions by turns, from every seat once."""
    told = []
    for game in trial.games:
        editions = trial.editions(game)
        least, most = game.players
        decisions = 0
        for players in range(least, most + 1):
            trial.ready()
            board = trial.board(game, players, edition=next(editions), seat=players - 1)
            decisions += len(trial.play(board))
        told.append(f"{game.name} with {least} to {most} players, {decisions} decisions")
    return "; ".join(told)


def parallel(trial: Trial) -> str:
    """Several games at once: all asked before any answer is taken, answered in whatever order."""
    hello = trial.ready()
    need(hello.parallel > 1, "it plays one game at a time (parallel: 1)")
    bench = trial.bench
    boards = {board.id: board for board in (trial.board(seat=n % 2) for n in range(min(hello.parallel, _AT_ONCE)))}
    for board in boards.values():
        bench.send(board.start())
    for _ in range(_DECISIONS_EACH):
        for board in boards.values():
            question = board.next()
            assert question is not None
            bench.send(question)
        allowed = sum(board.allowed for board in boards.values())
        while bench.open:
            act, _ = judge.answer(bench, allowed, rules.PARALLEL)
            boards[act.game_id].answer(act.index, 0.0)
    for board in boards.values():
        bench.send(board.end())
    return f"{len(boards)} at once, of {hello.parallel} claimed"


def deterministic(trial: Trial) -> str:
    """The same game with the same `bot_seed` again: in the same process, beside other games, and in a new one."""
    hello = trial.ready()
    need(hello.deterministic, "it does not claim to be deterministic")
    first = trial.play(trial.board(deal=-1), most=_AGAIN)
    trial.play(trial.board(), most=3)
    second = trial.play(trial.board(deal=-1), most=_AGAIN)
    _compare(trial, first, second, "again in the same process, after another game")
    trial.bench.end()
    trial.ready()
    third = trial.play(trial.board(deal=-1), most=_AGAIN)
    _compare(trial, first, third, "again in a new process")
    return f"{len(first)} decisions, three times"


def _compare(trial: Trial, first: list[int], other: list[int], when: str) -> None:
    for turn, one, two in zip(count(1), first, other, strict=False):
        if one != two:
            what = f"asked {when}, it chose {two} at turn {turn} where it had chosen {one} before"
            trial.bench.fail(what, rules.DETERMINISTIC)


def later_version(trial: Trial) -> str:
    """A referee of a later minor version: more fields, unknown messages, events and actions everywhere."""
    bench = trial.bench
    hello = trial.ready()
    bench.end()
    bench.launch()
    bench.receive_first()
    welcome = {"limits": {"frame": 65536, "decide": 1 << 20, "strikes": trial.time.strikes, "naps": 1}, "mood": "fine"}
    bench.welcome(hello, {"type": "welcome", "protocol": [PROTOCOL[0], PROTOCOL[1] + 7], **welcome})
    board = trial.board()
    bench.send({"type": "weather", "game_id": None, "wind": ["of a later version", 1, None]})
    trial.play(board, most=_AGAIN, alter=_later, stray=rules.LATER)
    fault = {"type": "fault", "game_id": None, "turn": None, "code": "rudeness", "text": "new", "strikes_left": None}
    bench.send({**fault, "appeal": False})
    trial.play(trial.board(), most=2, alter=_later, stray=rules.LATER)
    return f"protocol {PROTOCOL[0]}.{PROTOCOL[1] + 7}: unknown fields, events, actions and messages"


def _later(message: Message) -> Message:
    """What a later minor version might make of a message."""
    data = {**judge.data(message), "since": {"version": [PROTOCOL[0], PROTOCOL[1] + 7], "tags": [None, "new"]}}
    if data["type"] == "start":
        data["edition"] = {**data["edition"], "later": {"knob": True}}
    if data["type"] == "decide":
        data["view"] = {**data["view"], "later": [1, "two", None]}
        data["events"] = [*data["events"], *_unknown(data["events"])]
        data["actions"] = [*data["actions"], *_unknown(data["actions"])]
    return data


def _unknown(known: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One of a kind that nobody knows: the first field of an event or action says its kind."""
    for each in known[:1]:
        key, kind = next(iter(each.items()))
        if isinstance(kind, str):
            return [{key: f"later-{kind}", "with": ["what nobody knows", 1, None]}]
    return []

"""Steps 7 to 13: every message of the referee, in the orders in which they may come."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from arena.check import expect, rules
from arena.check.context import Trial, need, with_fields
from arena.check.report import Skipped
from arena.protocol.messages import Fault
from arena.shipped import vectors

_SESSION = re.compile(r"(?P<session>.*session)-\d+-")


def answers(trial: Trial) -> str:
    """One decision, one answer."""
    trial.ready()
    board = trial.board()
    trial.bench.send(board.start())
    question = board.next()
    assert question is not None
    index = trial.ask(board, question)
    trial.bench.send(board.end())
    return f"chose {index} of 0 to {len(question.actions) - 1}"


def turns(trial: Trial) -> str:
    """Several decisions of several games: each has its one answer, with its own marks."""
    trial.ready()
    for seat in (0, 1, 0):
        trial.play(trial.board(seat=seat), most=4)
    # Whatever it sends too much has come before its next answer.
    trial.play(trial.board(), most=1, stray=rules.UNASKED)
    return ""


def messages(trial: Trial) -> str:
    """Every message with and without what may be null, and both endings."""
    trial.ready()
    bench = trial.bench
    unlimited = trial.board()
    trial.play(unlimited, most=2, alter=lambda message: _without_clock(expect.data(message)), stray=rules.UNASKED)
    for ending in ("finished", "walkover"):
        board = trial.board()
        bench.send(board.start())
        question = board.next()
        assert question is not None
        trial.ask(board, question, stray=rules.UNASKED)
        bench.send(with_fields(board.end(), ending=ending))
    trial.play(trial.board(), most=1, stray=rules.UNASKED)
    return "welcome, start, decide, end; with and without a clock"


def _without_clock(data: dict[str, Any]) -> dict[str, Any]:
    return {**data, "clock": None} if "clock" in data else data


def faults(trial: Trial) -> str:
    """Faults are not answered, and the game goes on, up to the retirement of its seat."""
    trial.ready()
    bench = trial.bench
    bench.send(Fault(None, None, "malformed", "said to try the bot: no game is charged", None))
    board = trial.board()
    bench.send(board.start())
    bench.send(Fault(board.id, None, "stale", "said to try the bot: an answer before the game began", 3))
    for code, left in (("illegal", 2), ("late", 1), ("malformed", 0)):
        question = board.next()
        assert question is not None
        bench.send(question)
        expect.answer(bench, board.allowed, rules.FAULT_ANSWERED)
        board.lose_turn()
        bench.send(Fault(board.id, question.turn, code, "said to try the bot", left))
    bench.send(board.end())
    trial.play(trial.board(), most=1, stray=rules.FAULT_ANSWERED)
    return "illegal, late, malformed and stale, with and without a game"


def crossing(trial: Trial) -> str:
    """A game ends while it is asked; an answer may still come, and the next game is played."""
    trial.ready()
    bench = trial.bench
    for _ in range(2):
        board = trial.board()
        bench.send(board.start())
        question = board.next()
        assert question is not None
        bench.send(question)
        bench.send(board.end())
    trial.play(trial.board(), most=3, stray=rules.CROSSING)
    return ""


def anew(trial: Trial) -> str:
    """A game is given up without a word and begins again under the same id."""
    trial.ready()
    board = trial.board(deal=0)
    trial.bench.send(board.start())
    for _ in range(2):
        question = board.next()
        assert question is not None
        trial.ask(board, question)
    trial.play(trial.board(deal=0, game_id=board.id), most=3, stray=rules.ANEW)
    return ""


def golden(trial: Trial) -> str:
    """The recorded sessions, frame by frame."""
    trial.ready()
    played = 0
    for frames in _sessions():
        game = next((data["game"] for data in frames if data["type"] == "start"), None)
        if game in [each.name for each in trial.games]:
            played += 1
            for data in frames:
                # A `fault` in the record follows an answer that this bot may not have given: it is as good as any.
                trial.bench.send(data)
                if data["type"] == "decide":
                    expect.answer(trial.bench, trial.time.move + trial.time.bank)
    need(played > 0, "no session of its games is recorded")
    trial.play(trial.board(), most=1, stray=rules.UNASKED)
    return f"{played} session" + ("s" if played > 1 else "")


def _sessions() -> Iterator[list[dict[str, Any]]]:
    """The referee's messages of each recorded session, without those that begin and end the whole of it."""
    found: dict[str, list[dict[str, Any]]] = {}
    try:
        entries = [entry for file in sorted(vectors().glob("*.json")) for entry in json.loads(file.read_text("utf-8"))]
    except (OSError, ValueError) as error:
        raise Skipped(f"the golden vectors cannot be read: {error}") from None
    for entry in entries:
        of_session = _SESSION.match(entry["name"])
        if of_session and entry.get("from") == "referee" and entry["json"]["type"] not in ("welcome", "bye"):
            found.setdefault(of_session["session"], []).append(entry["json"])
    yield from found.values()

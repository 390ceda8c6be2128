"""The log at its usual level tells nothing of the cards that a reader has not seen."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from random import Random

import pytest

from tests.noninterference.test_two_worlds import PLAYED, plan_of
from tests.noninterference.worlds import dealt_anew, played

ARENA = Path(__file__).parents[2] / "arena"


def two_logs(
    game: str, edition: str, number: int, level: int, caplog: pytest.LogCaptureFixture
) -> tuple[list[str], list[str]]:
    """What is logged of two worlds with faults that a spectator cannot tell apart, up to the same number of moves."""
    plan = plan_of(game, edition, 4, None, f"log {edition} {number}", 120, faults=True)
    logs = []
    first = None
    with caplog.at_level(level, "arena"):
        for _ in range(2):
            caplog.clear()
            told = played(plan, first, None if first is None else dealt_anew(plan, first, Random(number)))
            logs.append([record.getMessage() for record in caplog.records])
            first = first or told
    return logs[0], logs[1]


@pytest.mark.slow
@PLAYED
def test_it_is_the_same_whatever_lies_hidden(game: str, edition: str, caplog: pytest.LogCaptureFixture) -> None:
    logged = 0
    told_apart = False
    for number in range(60):
        one, same = two_logs(game, edition, number, logging.INFO, caplog)
        # Both go on by themselves up to the next decision, which may come later in one of them.
        shorter = min(len(one), len(same))
        assert one[:shorter] == same[:shorter]
        logged += shorter
        if not told_apart:
            detailed, other = two_logs(game, edition, number, logging.DEBUG, caplog)
            told_apart = detailed[: len(other)] != other[: len(detailed)]
    assert logged >= 30
    assert told_apart, "what only the lowest level says does tell worlds apart: it would be noticed above"


def test_only_a_game_from_the_command_line_is_followed_while_it_is_played() -> None:
    """Everything else that is published (ledger, pages, hooks, exports) is made of the records of games that ended.

    But for the board of a live page, which is made of open events alone: see `test_running_games.py`.
    """
    callback = re.compile(r"\bon_(step|fault|message)\b")
    users = {path.relative_to(ARENA).as_posix() for path in ARENA.rglob("*.py") if callback.search(path.read_text())}
    makers = {"game/game.py", "game/replay.py", "referee/games.py", "referee/referee.py", "referee/trace.py"}
    persons = {"play/run.py", "play/table.py"}  # what a person sees of that: see `test_persons.py`
    assert users - makers - persons == {"cli/match.py"}

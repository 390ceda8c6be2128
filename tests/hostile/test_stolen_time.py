"""A bot whose hidden children compute while it waits for their core gains next to nothing by that in a game."""

from __future__ import annotations

import pytest

from arena.isolation.settings import LEVELS, Level
from arena.referee.time.run_queue import ALLOWANCE_SECONDS, credits_waiting
from tests.hostile.levels import ALONE, WORKS
from tests.hostile.yard import Yard, linux
from tests.isolation_demand import need

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    linux,
    pytest.mark.skipif(not credits_waiting(), reason="this system does not tell what a process waits for a core"),
]


@pytest.mark.parametrize("level", LEVELS)
def test_hidden_children_gain_no_more_than_the_table_says(yard: Yard, level: Level) -> None:
    need(level)
    thief = yard.bot("thief", ("time_thief.py",), {})
    yard.tournament(thief, yard.victim, "--games", 1, "--seed", 1, "--move", 2, "--bank", 60, level=level)
    game, honest = yard.games()  # it steals in its first decisions alone
    assert not game.faults + honest.faults
    seat = game.bots.index("thief")
    took = [float(step.note or 0) for step in game.steps if step.seat == seat]
    gained = sum(took) - sum(game.times[seat]) / 1e6
    assert sum(map(bool, took)) == 6
    assert gained < 0.5, "seconds in a game"
    assert ALONE["steal_time"].at(level) == f"{WORKS} for at most {ALLOWANCE_SECONDS} s a game"

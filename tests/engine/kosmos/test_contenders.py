"""Who can still win: what the rules have decided, in small positions, and in games to their end."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from arena.replays.turning_points import WHOLE, shares
from engine import catalog
from engine.chance import Seeded, derive
from engine.kosmos.contenders import contenders
from engine.kosmos.outcome import strengths

EDITION = catalog.rules("kosmos").edition("standard")
LATE_WINS = {**EDITION, "parameters": {**EDITION["parameters"], "late_first_loses": False}}


def scene(turn: int, *seats: tuple[int, int, int | None], gold: int = 0, round: int = 20, out: int = -1) -> Any:
    """The open table: by seat city, days and the place at which it came home. Seat 0 began the round."""
    held = {"gold": gold, "travel cards": 3, "event cards": 1}
    return {
        "at": [city for city, _, _ in seats],
        "turn": turn,
        "table": {"round": round, "first player": "seat 0"},
        "seats": [
            {"days": days, "home as": place, "retired": "yes" if seat == out else None, **held}
            for seat, (_, days, place) in enumerate(seats)
        ],
    }


@pytest.mark.parametrize(
    ("table", "able"),
    [
        pytest.param(scene(0, (9, 70, None), (4, 90, None), (8, 60, None)), [0, 1, 2], id="nobody home: all is open"),
        pytest.param(scene(2, (10, 78, 1), (10, 74, 2), (8, 60, None), (5, 50, None)), [1, 2, 3], id="fewer days"),
        pytest.param(scene(2, (10, 74, 2), (10, 74, 1), (8, 60, None), (5, 50, None)), [1, 2, 3], id="a tie"),
        pytest.param(scene(2, (10, 78, 1), (10, 82, 2), (8, 60, None), (5, 50, None)), [0, 2, 3], id="home, but late"),
        pytest.param(scene(2, (10, 82, 1), (10, 81, 2), (8, 60, None), (5, 50, None)), [0, 2, 3], id="first late"),
        pytest.param(scene(1, (10, 82, 1), (9, 78, None), (9, 77, None), (5, 80, None)), [0, 2], id="over 80"),
        pytest.param(scene(1, (10, 70, 1), (9, 66, None), (9, 67, None), (5, 50, None)), [0, 1, 3], id="3 for a leg"),
        pytest.param(scene(2, (10, 70, 1), (9, 66, None), (9, 66, None), (5, 50, None)), [0, 2, 3], id="K-20"),
        pytest.param(scene(3, (10, 78, 1), (9, 60, None), (10, 75, 2), (9, 60, None)), [1, 2, 3], id="rounds left"),
        pytest.param(scene(3, (9, 60, None), (10, 78, 1), (10, 75, 2), (10, 79, 3)), [2], id="K-80: no turn left"),
        pytest.param(scene(0, (9, 60, None), (10, 78, 1), (10, 75, 2), (10, 79, 3)), [0, 2], id="K-80: a turn left"),
        pytest.param(scene(2, (10, 78, 1), (9, 60, None), (9, 60, None), round=100), [0, 2], id="K-84: the last round"),
        pytest.param(scene(2, (10, 78, 1), (9, 60, None), (9, 60, None), round=40), [0, 1, 2], id="K-84: not of three"),
        pytest.param(scene(1, (10, 78, 1), (9, 60, None), (9, 60, None), out=2), [0, 1], id="K-85: nobody plays it"),
        pytest.param(
            scene(5, (10, 78, 1), (10, 75, 2), (10, 82, 3), (10, 90, 4), (9, 60, None), (9, 60, None)), [1, 5], id="six"
        ),
        pytest.param(scene(1, (10, 70, 1), (9, 60, None)), [0, 1], id="K-82: both in one round"),
        pytest.param(scene(1, (10, 70, 1), (9, 67, None)), [0, 1], id="K-82: as many days, then gold"),
        pytest.param(scene(1, (10, 70, 1), (9, 68, None)), [0], id="K-82: too many days"),
        pytest.param(scene(1, (9, 60, None), (10, 70, 1)), [1], id="K-82: no turn left"),
        pytest.param(scene(1, (10, 81, 1), (9, 60, None)), [1], id="K-82: the first is late"),
        pytest.param(scene(1, (10, 70, 1), (10, 70, 2)), [0, 1], id="K-82: a draw"),
        pytest.param(scene(1, (10, 81, 1), (10, 80, 2)), [1], id="K-82: the first is late, and both home"),
    ],
)  # fmt: skip
def test_only_these_can_still_win(table: Any, able: list[int]) -> None:
    assert contenders(table, EDITION) == able
    chances = shares(strengths(table, EDITION))
    assert [seat for seat, chance in enumerate(chances) if chance] == able
    # In whole percent neither 0 nor 100 is said of what is open.
    assert all(5 < chances[seat] < 995 for seat in able) or chances[able[0]] == WHOLE


def test_of_two_nobody_is_ahead_who_must_come_home_late() -> None:
    """With a leg to go after 77 days one is home too late and loses (K-82), unless the edition does not mind."""
    table = scene(0, (9, 77, None), (7, 60, None))
    assert shares(strengths(table, EDITION))[0] < WHOLE // 2
    assert shares(strengths(table, LATE_WINS))[0] > WHOLE // 2


def test_without_the_parameter_a_late_first_wins() -> None:
    assert contenders(scene(1, (10, 91, 1), (9, 60, None)), LATE_WINS) == [0, 1]
    assert contenders(scene(1, (10, 91, 1), (9, 89, None)), LATE_WINS) == [0]


@pytest.mark.parametrize("players", [3, 6])
def test_whoever_cannot_win_any_more_does_not(players: int) -> None:
    """The winner of a game of random play is able to win at every decision of it."""
    rules: Any = catalog.rules("kosmos")
    decided = 0
    for each in range(4):
        random = Random(f"contenders {players} {each}")
        state = rules.start(players, EDITION, Seeded(derive(b"contenders", "standard", players, each)))
        found = []
        while state.to_act is not None:
            found.append(contenders(rules.scene(state.view(None)), EDITION))
            state.play(random.randrange(len(state.actions())))
        winners = {seat for seat, rank in enumerate(state.ranks()) if rank == 1}
        assert all(winners <= set(able) for able in found)
        decided += sum(len(able) < players for able in found)
    assert decided

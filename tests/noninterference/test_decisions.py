"""Compare exported decisions in two worlds: the rows of a seat that cannot tell the worlds apart are the same.

As in `test_page_data`, each world is played again from a record that goes as far as a decision of the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from arena.features import decisions
from arena.game import replay
from engine.rules import Data
from tests.engine.plays import spread_pairs
from tests.noninterference.test_two_worlds import PHASES, PLAYED, plan_of
from tests.noninterference.worlds import Plan, Told, played, recorded, two_worlds

ABOUT = ("bot", "rank", "finish", "scores")
"""Columns of how the game ended, which a record that was cut off does not know."""


def rows_of(plan: Plan, told: Told, world: str) -> list[dict[str, Any]]:
    record, begin = recorded(plan, told, world)
    with patch.object(replay, "begin", begin):
        found = [*decisions.rows(record, plan.game.rules, plan.edition, {})]
    return [{key: row[key] for key in row if key not in ABOUT} for row in found if row["seat"] == plan.reader]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "edition", "players"), spread_pairs([*PHASES], [2, 4, 6]))
def test_the_rows_of_a_seat_are_equal(game: str, edition: str, players: int) -> None:
    differing = Counter[int]()
    for number in range(100):
        if len(differing) == players:
            break
        label = f"rows {edition} {players} {number}"
        random = Random(label)
        reader = number % players
        plan = plan_of(game, edition, players, reader, label, faults=number % 3 == 0)
        reached = len(played(plan).phases)
        first, other = two_worlds(replace(plan, decisions=random.randrange(reached // 2, reached) + 1), random)
        rows = rows_of(plan, first, "first")
        assert rows == rows_of(plan, other, "twin")
        differing[reader] += bool(rows) and first.hands != other.hands
        differing = +differing
    assert len(differing) == players


@pytest.mark.slow
@PLAYED
def test_a_leak_into_a_view_is_found(game: str, edition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the test above can fail."""
    plan = plan_of(game, edition, 3, 0, f"leaking rows {edition}")
    reached = len(played(plan).phases)
    for number in range(20):
        first, other = two_worlds(replace(plan, decisions=reached - number), Random(number))
        if first.hands != other.hands:
            break
    assert rows_of(plan, first, "first") == rows_of(plan, other, "twin")
    state = type(plan.game.rules.start(3, plan.edition, first.deal))
    honest: Callable[[Any, int | None], Data] = state.view
    monkeypatch.setattr(state, "view", lambda self, seat: {**honest(self, seat), "rivals": plan.game.hands(self)})
    assert rows_of(plan, first, "first") != rows_of(plan, other, "twin")

"""Compare an author's report on a running game in two worlds: a seat's questions say what it was sent alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest

from arena.game import replay
from arena.reports.bot_record import AskedDecision, asked_decisions
from tests.noninterference.test_two_worlds import PHASES, PLAYED, plan_of
from tests.noninterference.worlds import Deal, Plan, Told, recorded, two_worlds

PLAYERS = 4


def asked(plan: Plan, told: Told, world: str) -> dict[int, AskedDecision]:
    """All that the reader was asked, told from a record that goes as far as the world did."""
    record, begin = recorded(plan, told, world)
    assert plan.reader is not None
    # A copy is looked at and never played on.
    with patch.object(replay, "begin", begin), patch.object(Deal, "copy", lambda deal: deal):
        return asked_decisions(record, plan.game.rules, plan.edition, plan.reader, range(1, 10_000))


def worlds_of(game: str, edition: str, number: int) -> tuple[Plan, Told, Told]:
    plan = plan_of(game, edition, PLAYERS, number % PLAYERS, f"report {edition} {number}", 10 + 5 * number)
    return plan, *two_worlds(plan, Random(number))


@pytest.mark.slow
@PLAYED
def test_what_a_seat_was_asked_is_equal(game: str, edition: str) -> None:
    """K-90 to K-92, R-90, R-91."""
    differing = 0
    phases = set()
    for number in range(10):
        plan, first, other = worlds_of(game, edition, number)
        found = asked(plan, first, "first")
        assert found == asked(plan, other, "twin")
        phases |= {each.phase for each in found.values()}
        differing += first.hands != other.hands
    assert differing > 4
    assert len(phases) > len(PHASES[game, edition]) // 2


@pytest.mark.slow
@PLAYED
def test_what_another_seat_was_asked_would_differ(game: str, edition: str) -> None:
    apart = 0
    for number in range(10):
        plan, first, other = worlds_of(game, edition, number)
        leaking = replace(plan, reader=(number + 1) % PLAYERS)
        apart += asked(leaking, first, "first") != asked(leaking, other, "twin")
        if apart:
            return
    raise AssertionError("a leak would not be found")

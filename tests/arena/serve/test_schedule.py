"""When rounds are due: with steps and by cron, also where clocks are changed and where nothing ran for long."""

from __future__ import annotations

from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as some

from arena.serve.league import RoundRules
from arena.serve.schedule import MOST_MISSED, missed, next_due

BERLIN = "Europe/Berlin"
moments = some.floats(1.5e9, 1.9e9)
rules = some.one_of(
    some.builds(
        RoundRules,
        every=some.builds(
            "{} {}".format, some.floats(0.1, 90).map(lambda n: round(n, 1)), some.sampled_from(["s", "min", "day"])
        ),
    ),
    some.builds(
        RoundRules,
        cron=some.sampled_from(["*/7 * * * *", "30 2 * * *", "0 22 * * mon-fri", "15 3 28-31 * *"]),
        zone=some.sampled_from(["UTC", BERLIN, "America/New_York", "Australia/Lord_Howe"]),
    ),
)


def at(year, month, day, hour=0, minute=0):
    return datetime(year, month, day, hour, minute, tzinfo=ZoneInfo(BERLIN)).timestamp()


def dues(rules, begins, number):
    found, last = [], None
    for _ in range(number):
        last = next_due(rules, begins, last)
        found.append(last)
    return found


@given(rules, moments, some.integers(1, 25))
def test_rounds_are_due_one_after_the_other_and_none_before_the_season(rules, begins, number):
    found = dues(rules, begins, number)
    assert all(one < other for one, other in pairwise(found))
    assert begins <= found[0]


@given(rules, moments, some.integers(0, 25), some.integers(0, 24))
def test_what_was_missed_are_the_last_ones_that_were_due(rules, begins, number, played):
    found = dues(rules, begins, number + 1)
    last = found[played - 1] if 0 < played <= number else None
    due = found[played if last is not None else 0 : number]
    now = found[number] - 0.001 if number else begins - 2
    assert missed(rules, begins, last, now) == pytest.approx(due[-MOST_MISSED:], abs=1e-3)


@given(rules, moments, some.floats(0, 4e7))
def test_the_next_round_follows_from_any_moment_as_from_the_round_before_it(rules, begins, later):
    now = begins + later
    due = next_due(rules, begins, now)
    assert due > now
    [*_, before] = missed(rules, begins, None, now) or [None]
    assert next_due(rules, begins, before) == pytest.approx(due, abs=1e-3)


def test_a_long_stop_costs_no_time():
    begins = at(2020, 1, 1)
    assert len(missed(RoundRules(every="0.1 s"), begins, None, at(2026, 1, 1))) == MOST_MISSED
    assert len(missed(RoundRules(cron="* * * * *"), begins, None, at(2026, 1, 1))) == MOST_MISSED


def test_rounds_without_end_are_never_due():
    without_end = RoundRules(without_end=True)
    assert next_due(without_end, 0.0, None) is None
    assert missed(without_end, 0.0, None, 1e9) == []


def test_a_nightly_round_keeps_to_the_clock_on_the_wall():
    nightly = RoundRules(cron="0 22 * * *", zone=BERLIN)
    for month, day in ((3, 28), (3, 29), (10, 24), (10, 25)):  # the clock is changed in the second night of each two
        assert next_due(nightly, at(2026, 1, 1), at(2026, month, day, 12)) == at(2026, month, day, 22)


def test_an_hour_that_is_not_there_is_played_once_and_one_that_comes_twice_too():
    nightly, begins = RoundRules(cron="30 2 * * *", zone=BERLIN), at(2026, 1, 1)
    spring = missed(nightly, begins, at(2026, 3, 28, 12), at(2026, 3, 30, 12))
    autumn = missed(nightly, begins, at(2026, 10, 24, 12), at(2026, 10, 26, 12))
    assert spring == [at(2026, 3, 29, 3), at(2026, 3, 30, 2, 30)]
    assert autumn == [at(2026, 10, 25, 2, 30), at(2026, 10, 26, 2, 30)]


def test_steps_go_by_time_that_passes_and_not_by_the_clock_on_the_wall():
    begins = at(2026, 3, 28, 22)
    assert next_due(RoundRules(every="1 day"), begins, begins) == at(2026, 3, 29, 23)

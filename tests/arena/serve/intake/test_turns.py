"""Whose submission is tried next."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.serve.intake.turns import next_turn, waits
from arena.serve.league import SubmissionRules
from arena.serve.store import LeagueStore

RULES = SubmissionRules(per_hour=3, versions_a_day=2)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, clock: Clock):
    with LeagueStore(tmp_path, clock) as made:
        for name in ("ada", "bob", "eve"):
            made.add_member(name)
        yield made


def turn(store: LeagueStore, clock: Clock, last: str | None = None, **more) -> int | None:
    found = next_turn(store, RULES, clock.now, last, **more)
    return None if found is None else found.id


def test_submitters_are_in_turn_however_many_one_submits(store: LeagueStore, clock: Clock) -> None:
    for _ in range(5):
        store.receive("ada", "drop", "x")
    bob = store.receive("bob", "drop", "x").id
    assert turn(store, clock) == 5, "the newest"
    assert turn(store, clock, "ada") == bob
    assert turn(store, clock, "bob") == 5
    store.set_member("lead", "bob", paused=True)
    assert turn(store, clock, "ada") == 5


def test_one_that_has_begun_goes_on_first(store: LeagueStore, clock: Clock) -> None:
    first = store.receive("bob", "drop", "x").id
    store.move(first, "unpacked")
    store.receive("bob", "drop", "y")
    store.receive("ada", "drop", "y")
    assert turn(store, clock, "bob") == first
    store.move(first, "refused", reason="bad")
    assert turn(store, clock, "bob") == 3


def test_of_those_before_a_round_the_newest_is_tried_and_then_the_others(store: LeagueStore, clock: Clock) -> None:
    for moment in (10, 20, 110, 120):
        clock.now = moment
        store.receive("ada", "drop", "x")

    def is_parted(one: float, other: float) -> bool:
        return one < 100 <= other

    assert turn(store, clock, is_parted=is_parted) == 2
    store.move(2, "refused", reason="bad")
    assert turn(store, clock, is_parted=is_parted) == 1
    store.move(1, "joined")
    assert turn(store, clock, is_parted=is_parted) == 4


def test_quotas_let_wait(store: LeagueStore, clock: Clock) -> None:
    for _ in range(3):
        store.move(store.receive("ada", "drop", "x").id, "unpacked")
    for number in (1, 2, 3):
        store.move(number, "refused", reason="bad")
    late = store.receive("ada", "drop", "x")
    assert "3 submissions" in waits(store, RULES, [late], clock.now)[late.id]
    assert turn(store, clock) is None
    clock.now += 3601
    assert turn(store, clock) == late.id
    store.move(late.id, "joined")
    store.move(store.receive("ada", "drop", "x").id, "joined")
    last = store.receive("ada", "drop", "x")
    assert "2 versions" in waits(store, RULES, [last], clock.now)[last.id]
    clock.now += 86_401
    assert waits(store, RULES, [last], clock.now) == {}

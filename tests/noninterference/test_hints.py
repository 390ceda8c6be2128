"""Compare in two worlds the hints that two persons at pages of their own get, each at each of its decisions.

A hint is weighed in worlds that are drawn from what the seat was sent. So one word too much in that, or an answer for
the other seat, gives the reader other tasks and other hints.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.analysis.playouts import Budget, WeighingTask, best_choice
from arena.common.processes import ProcessPool
from arena.play.run import Weighers
from arena.play.table import PlayTable
from engine import catalog
from engine.chance import Seeded
from tests.noninterference.sockets import other_world
from tests.noninterference.tables import WEIGHED, ApartSession, first_world, found

pytestmark = [pytest.mark.slow, pytest.mark.process]

BUDGET = Budget(24)
PATIENCE = 120.0
"""Seconds until a test fails that waits for a hint."""
DECISIONS = 16
"""Of the reader, in each game."""
GAMES = (("kosmos", "ru"), ("ravensburger", "standard"))


class HintSession(ApartSession):
    """Both persons ask for hints, which are there at once."""

    pool: ProcessPool
    """In this process the states that are played are watched."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self.elsewhere_weighed: list[WeighingTask] = []
        super().__init__(*args, **named)

    def _hint(self, task: WeighingTask) -> Future[int | None]:
        if self.table._seats[self._name(self._reader)].seat == task.seat:
            super()._hint(task)
        else:
            self.elsewhere_weighed.append(task)
        return found(self.pool.submit(best_choice, task, BUDGET).result(PATIENCE))

    def _is_for(self, number: int, message: Mapping[str, Any], faults: Any) -> bool:
        is_for = super()._is_for(number, message, faults)
        if message["type"] == "decide" and number == self.elsewhere:
            self._ask_for_a_hint(self.other_visitor)
        return is_for


@pytest.fixture(autouse=True, scope="module")
def pool() -> Iterator[None]:
    with ProcessPool(1) as HintSession.pool:
        yield


def hints_of(session: HintSession) -> list[tuple[str, bytes]]:
    return [each for each in session.kept.all if each[0] == "hint" or each[0].startswith(WEIGHED)]


def hints_differ(game: str, edition: str, number: int, decisions: int = DECISIONS) -> tuple[bool, bool]:
    """Whether the reader's hints differ in two worlds, and whether what is weighed for the other person does."""
    session = first_world(HintSession, game, edition, 3 + number % 2, 2 * number + 1, decisions)
    pair = other_world(session, len(session.cuts), Random(number))
    assert isinstance(pair.other, HintSession)
    one, other = hints_of(session), hints_of(pair.other)
    assert sum(event == "hint" for event, _ in one) >= decisions - 1
    return one != other, session.elsewhere_weighed != pair.other.elsewhere_weighed


@pytest.mark.parametrize(("game", "edition"), GAMES)
def test_hints_for_one_seat_say_nothing_of_what_another_was_sent(game: str, edition: str) -> None:
    others_differ = 0
    for number in range(8):
        differ, others_differ_here = hints_differ(game, edition, number)
        assert not differ, f"world {number}"
        others_differ += others_differ_here
        if others_differ == 2:
            return
    raise AssertionError("for the other person the same was weighed in all worlds")


def the_view_of_whoever_was_asked_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """The label depends on it, from which worlds are drawn."""
    plain, before = PlayTable._task, list[WeighingTask]()

    def task(table: PlayTable, seat: Any) -> WeighingTask:
        before.append(plain(table, seat))
        return before[-1]._replace(label=str(hash(repr(before[-2:][0].view))))

    monkeypatch.setattr(PlayTable, "_task", task)


def the_true_world(monkeypatch: pytest.MonkeyPatch) -> None:
    """The label depends on all that is hidden."""
    plain = PlayTable._task

    def task(table: PlayTable, seat: Any) -> WeighingTask:
        assert table._page_data is not None
        return plain(table, seat)._replace(label=str(hash(repr([step.events for step in table._page_data.steps]))))

    monkeypatch.setattr(PlayTable, "_task", task)


@pytest.mark.parametrize("plant", [the_view_of_whoever_was_asked_last, the_true_world])
def test_a_leak_into_what_is_weighed_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert any(hints_differ(*GAMES[number % 2], number, decisions=5)[0] for number in range(8))


def wait_for(fifo: Path) -> str:
    return fifo.read_text()


def test_a_hint_does_not_wait_for_another_seats(tmp_path: Path) -> None:
    """The process of one seat waits until it is told to go on, which is not before the other has its hint."""
    fifo = tmp_path / "told"
    os.mkfifo(fifo)
    rules = catalog.rules("ravensburger")
    edition = rules.edition(rules.editions()[0])
    state = rules.start(2, edition, Seeded(bytes(16)))
    seat, options = state.to_act, len(state.actions())
    assert seat is not None
    task = WeighingTask(rules.name, 2, edition, state.view(seat), seat, options, 0, (), "a")
    weighers = Weighers()
    try:
        waits = weighers.pool(1 - seat).submit(wait_for, fifo)
        assert weighers.hint(task).result(PATIENCE) in range(options)
        assert not waits.done()
        fifo.write_text("go on")
        assert waits.result(PATIENCE) == "go on"
    finally:
        weighers.close()

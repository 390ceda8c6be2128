"""The smallest game, and a referee's transport with a made-up clock that plays it."""

from __future__ import annotations

import pytest

from arena.referee.time import run_queue
from arena.referee.time.sched_threads import TaskCount, TaskCounter
from tests.arena.game.conftest import race
from tests.arena.referee.scripted import ScriptedTransport

__all__ = ["race"]


@pytest.fixture
def channel(race, monkeypatch):
    monkeypatch.setattr("arena.referee.referee.catalog.rules", lambda _: race)
    monkeypatch.setattr(run_queue, "_IS_REPORTED", False)
    return ScriptedTransport()


def let_nobody_start_a_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the tasks of others on this machine out of a test: it seems that nobody starts any."""
    monkeypatch.setattr(TaskCounter, "last", lambda _: b"1")
    monkeypatch.setattr(TaskCounter, "count", lambda counter: TaskCount(counter.last() or b"", 1))
    monkeypatch.setattr(TaskCounter, "is_still", lambda counter, since: counter.last() == since.last)

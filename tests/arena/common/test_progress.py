"""Progress reports only what takes long."""

from __future__ import annotations

import threading

import pytest

from arena.common import progress
from arena.common.progress import Silent, said_if_long


class Heard(Silent):
    """Remembers what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.spoken = threading.Event()

    def say(self, text: str) -> None:
        self.said.append(text)
        self.spoken.set()


def test_what_takes_long_is_said_while_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LONG_SECONDS", 0.01)
    heard = Heard()
    with said_if_long(heard, "drawing the schedule"):
        assert heard.spoken.wait(60)
    assert heard.said == ["drawing the schedule ..."]


def test_what_is_done_soon_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LONG_SECONDS", 600.0)
    heard = Heard()
    before = set(threading.enumerate())
    with said_if_long(heard, "drawing the schedule"):
        [timer] = set(threading.enumerate()) - before
    timer.join(60)
    assert not timer.is_alive(), "it would be said later"
    assert not heard.said

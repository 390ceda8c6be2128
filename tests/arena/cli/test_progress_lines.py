"""Progress off a terminal: a line for each stage, and more only where something takes long."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from arena.cli import progress
from arena.cli.progress import ProgressLines


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr(progress, "warn", found.append)
    return found


def test_a_stage_that_is_done_soon_is_one_line(lines, monkeypatch):
    monkeypatch.setattr(progress, "LONG_SECONDS", 600.0)
    with ProgressLines() as shown:
        for stage in ("building", "starting each bot once"):
            shown.stage(stage, 9)
            for number in range(9):
                shown.begin(f"bot{number}")
                shown.advance(f"bot{number}")
    assert lines == ["building: 9", "starting each bot once: 9"]


def test_parts_that_take_long_are_named_while_they_go_on(lines, monkeypatch):
    monkeypatch.setattr(progress, "LONG_SECONDS", 0.01)
    spoken = threading.Event()

    def warn(line: str) -> None:
        lines.append(line)
        if line == "building: 1 of 3, slow and 1 more ...":
            spoken.set()

    monkeypatch.setattr(progress, "warn", warn)
    with ProgressLines() as shown:
        shown.stage("building", 3)
        for name in ("quick", "slow", "slower"):
            shown.begin(name)
        shown.advance("quick")
        assert spoken.wait(60)


def test_many_parts_that_all_take_long_are_few_lines(lines, monkeypatch):
    """A stage of a minute has five lines or six, however many bots are built in it, side by side or in turn."""
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr("arena.cli.progress.threading.Timer", clock.timer)
    with ProgressLines() as shown:
        for stage in ("building", "starting each bot once"):
            shown.stage(stage, 9)
            for first in range(0, 9, 3):
                names = [f"bot{number}" for number in range(first, first + 3)]
                for name in names:
                    shown.begin(name)
                for name in names:
                    clock.pass_by(7)
                    shown.advance(name)
    assert len(lines) <= 12
    assert lines[:2] == ["building: 9", "building: 0 of 9, bot0 and 2 more ..."]


class Clock:
    """Time that passes when it is told to, and timers that run by it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[FakeTimer] = []

    def monotonic(self) -> float:
        return self.now

    def timer(self, seconds: float, call: Callable[[], None]) -> FakeTimer:
        made = FakeTimer(self.now + seconds, call)
        self.timers.append(made)
        return made

    def pass_by(self, seconds: float) -> None:
        end = self.now + seconds
        while due := [each for each in self.timers if each.due <= end]:
            first = min(due, key=lambda each: each.due)
            self.timers.remove(first)
            self.now = first.due
            if not first.cancelled:
                first.call()
        self.now = end


@dataclass
class FakeTimer:
    due: float
    call: Callable[[], None]
    cancelled: bool = False
    daemon: bool = False

    def start(self) -> None:
        pass

    def cancel(self) -> None:
        self.cancelled = True


def test_a_long_stage_says_now_and_then_how_far_it_is(lines, monkeypatch):
    monkeypatch.setattr(progress, "LONG_SECONDS", 0.0)
    with ProgressLines() as shown:
        shown.stage("verifying", 40)
        for number in range(40):
            shown.advance(f"game{number}")
    assert lines == ["verifying: 40", *(f"verifying: {done} of 40" for done in range(4, 41, 4))]


def test_what_was_left_at_the_end_is_not_named_later(lines, monkeypatch):
    monkeypatch.setattr(progress, "LONG_SECONDS", 600.0)
    before = set(threading.enumerate())
    with ProgressLines() as shown:
        shown.stage("building", 1)
        shown.begin("slow")
        [timer] = set(threading.enumerate()) - before
    timer.join(60)
    assert not timer.is_alive()
    assert lines == ["building: 1"]

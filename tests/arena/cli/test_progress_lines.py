"""Progress off a terminal: a line for each stage, and more only where something takes long."""

from __future__ import annotations

import threading

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


def test_a_part_that_takes_long_is_named_while_it_goes_on_and_when_it_is_done(lines, monkeypatch):
    monkeypatch.setattr(progress, "LONG_SECONDS", 0.01)
    spoken = threading.Event()

    def warn(line: str) -> None:
        lines.append(line)
        if line == "building: slow ...":
            spoken.set()

    monkeypatch.setattr(progress, "warn", warn)
    with ProgressLines() as shown:
        shown.stage("building", 2)
        shown.begin("slow")
        assert spoken.wait(60)
        shown.advance("slow")
    assert lines[1] == "building: slow ..."
    assert lines[2].startswith("building: 1 of 2, slow after ")


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

"""A bot's own time: what it computes and what it sleeps, but not what others take of the machine."""

from __future__ import annotations

import pytest

from arena.check.cpu_time import WaitMeter


class Scripted:
    """A meter and a clock that say what the test wants."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.used = 0.0
        monkeypatch.setattr("arena.check.cpu_time.time.perf_counter", lambda: self.now)

    def cpu(self) -> float:
        return self.used

    def refresh(self) -> None:
        pass

    def go_on(self, wall: float, cpu: float) -> None:
        self.now += wall
        self.used += cpu


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    return Scripted(monkeypatch)


def test_who_sleeps_is_charged_all_of_it(machine):
    watch = WaitMeter(machine, lambda: 0.0)
    for _ in range(4):
        machine.go_on(0.5, 0.0)
        watch.take_reading()
    assert watch.take_reading() == pytest.approx(2.0)


def test_who_computes_on_a_crowded_machine_is_charged_what_he_got_of_it(machine):
    watch = WaitMeter(machine, lambda: 0.0)
    for _ in range(10):
        machine.go_on(0.5, 0.1)
        watch.take_reading()
    assert watch.wall == pytest.approx(5.0)
    assert watch.take_reading() == pytest.approx(1.0, abs=0.11)


def test_the_machines_own_delay_is_taken_off_the_end(machine):
    watch = WaitMeter(machine, lambda: 0.25)
    machine.go_on(0.3, 0.0)
    assert watch.stop() == pytest.approx(0.05)
    short = WaitMeter(machine, lambda: pytest.fail("not worth measuring"))
    machine.go_on(0.01, 0.0)
    assert short.stop() == pytest.approx(0.01)


def test_nobody_has_less_than_no_time(machine):
    watch = WaitMeter(machine, lambda: 9.0)
    machine.go_on(0.3, 0.0)
    assert watch.stop() == 0.0

"""The timeout of short waits: it never ends one early, and ends each, however many it was set for."""

from __future__ import annotations

import os
import select
import sys
import time
from types import SimpleNamespace

import pytest

from arena.referee.time import timer as timer_module
from arena.referee.time.timer import ShortTimeout, SystemTimer

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the timer is one of Linux")

PERIOD = 0.02


def waited(timeout: ShortTimeout) -> float:
    """Wait until it says that it is over, and return how long that took."""
    poll = select.poll()
    poll.register(timeout.fd, select.POLLIN)
    began = time.perf_counter()
    timeout.begin()
    while True:
        assert poll.poll(60_000), "it never woke"
        if timeout.is_over():
            return time.perf_counter() - began


def test_a_wait_that_begins_while_the_timeout_runs_lasts_as_long_as_any() -> None:
    timer = SystemTimer()
    timeout = ShortTimeout(timer, PERIOD)
    assert waited(timeout) >= PERIOD
    timeout.begin()  # an answer came before its end
    assert waited(timeout) >= PERIOD
    timeout.begin()
    assert select.select([timeout.fd], [], [], 60)[0], "it ran out while nobody waited"
    assert waited(timeout) >= PERIOD
    assert not select.select([timeout.fd], [], [], 0)[0], "a wait that is over leaves it unset"
    assert not os.get_inheritable(timer.fd)
    timer.close()


class MadeUpTimer(SystemTimer):
    """A timer that only notes when it was set, and when it runs out."""

    def __init__(self) -> None:
        self.fd, self.now, self.settings, self.ends = -1, 1000.0, 0, 0.0

    def set(self, seconds: float) -> None:
        self.settings += 1
        self.ends = self.now + seconds


@pytest.mark.parametrize(("every", "settings"), [(PERIOD / 10, 12), (PERIOD / 3, 50)])
def test_short_waits_set_the_timer_seldom_and_none_sees_it_run_out(
    monkeypatch: pytest.MonkeyPatch, every: float, settings: int
) -> None:
    timer = MadeUpTimer()
    monkeypatch.setattr(timer_module, "time", SimpleNamespace(perf_counter=lambda: timer.now))
    timeout = ShortTimeout(timer, PERIOD)
    for _ in range(100):
        timeout.begin()
        timer.now += every / 2  # then the answer comes
        assert timer.ends > timer.now
        timer.now += every / 2
    assert timer.settings <= settings
    timeout.begin()
    began, over = timer.now, False
    while not over:
        timer.now = timer.ends + 1e-6
        over = timeout.is_over()
    assert PERIOD <= timer.now - began < PERIOD + 1e-5

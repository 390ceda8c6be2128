"""The timeout of short waits: it never ends one early, and ends each, however many it was set for."""

from __future__ import annotations

import os
import select
import sys
import time

import pytest

from arena.referee.system_timer import ShortTimeout, SystemTimer

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

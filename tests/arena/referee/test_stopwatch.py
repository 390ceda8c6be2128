"""How long a bot has thought, and what of it is charged: the rest is credited, as far as its allowance goes."""

from __future__ import annotations

from math import inf

import pytest

from arena.referee.time.run_queue import RunQueue, RunQueueReading
from arena.referee.time.stopwatch import Stopwatch


class Queue(RunQueue):
    """A run queue that says what a bot is credited."""

    def __init__(self, credit=0.0, unexplained=0.0, may_wait=False):
        self.credited, self.unexplained, self.waits = credit, unexplained, may_wait
        self.readings = []

    def take_reading(self, waited):
        self.readings.append(waited)
        return RunQueueReading(waited, (), [], {}, 0, None, {}, None)

    def credit(self, asked_at, reading, waited, allowance):  # type: ignore[override]
        allowance.taken = min(self.unexplained, allowance.left)
        return self.credited + allowance.taken

    def may_wait(self, reading, waited, allowed, allowance):  # type: ignore[override]
        return self.waits


def test_what_it_waited_for_a_core_is_thought_and_not_charged():
    stopwatch = Stopwatch(2)
    stopwatch.start(1, 5.0, Queue(credit=1.5), None, 10.0)
    assert (stopwatch.thought(12.0), stopwatch.charged(12.0)) == (2.0, 0.5)
    stopwatch.stop()
    assert (stopwatch.due, stopwatch.charged(12.0)) == (inf, 0.5), "it is judged when it is no longer waited for"


def test_a_bot_without_processes_of_ours_is_charged_all():
    stopwatch = Stopwatch(2)
    stopwatch.start(0, inf, None, None, 10.0)
    stopwatch.take_reading(11.0)
    assert stopwatch.charged(12.0) == stopwatch.thought(12.0) == 2.0
    assert (stopwatch.due, stopwatch.check_late(1e9)) == (inf, False), "it has no clock"


def test_each_seat_has_an_allowance_for_the_whole_game():
    stopwatch, greedy, modest = Stopwatch(2), Queue(unexplained=0.2), Queue(unexplained=0.1)
    charged = []
    for seat, queue in ((0, greedy), (1, modest), (0, greedy), (0, greedy), (1, modest)):
        stopwatch.start(seat, 5.0, queue, None, 10.0)
        assert stopwatch.charged(11.0) == stopwatch.charged(11.0), "to ask for it costs nothing"
        charged.append(stopwatch.charged(11.0))
    assert charged == pytest.approx([0.8, 0.9, 0.95, 1.0, 0.9])


@pytest.mark.parametrize(("queue", "is_late"), [(None, True), (Queue(), True), (Queue(may_wait=True), False)])
def test_who_has_used_all_its_time_is_late_unless_it_may_wait_for_a_core(queue, is_late):
    stopwatch = Stopwatch(2)
    stopwatch.start(0, 5.0, queue, None, 10.0)
    assert (stopwatch.due, stopwatch.left(12.0), stopwatch.left(16.0)) == (15.0, 3.0, 0.0)
    assert stopwatch.check_late(15.0) is is_late
    assert is_late or 15.0 < stopwatch.due < 15.1


def test_what_it_is_credited_is_waited_for_longer():
    stopwatch = Stopwatch(2)
    stopwatch.start(0, 5.0, Queue(credit=2.0), None, 10.0)
    assert not stopwatch.check_late(15.0)
    assert stopwatch.due == 17.0
    assert stopwatch.check_late(17.0)


def test_a_reading_is_taken_once_for_each_question():
    stopwatch, queue = Stopwatch(2), Queue()
    stopwatch.start(0, 5.0, queue, None, 10.0)
    stopwatch.take_reading(11.0)
    stopwatch.take_reading(12.0)
    stopwatch.start(0, 5.0, queue, queue.take_reading(13.0), 13.0)
    stopwatch.take_reading(14.0)
    assert queue.readings == [11.0, 13.0]


def test_the_way_to_a_bot_and_back_is_not_charged():
    stopwatch = Stopwatch(1)
    stopwatch.start(0, 1.0, None, None, 10.0, latency=0.25)
    assert (stopwatch.due, stopwatch.charged(10.125), stopwatch.charged(10.75)) == (11.25, 0.0, 0.5)
    assert not stopwatch.check_late(11.0)
    assert stopwatch.check_late(11.25)

"""What a bot is credited for waiting for a core: how it is bounded, and when nothing is read at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena.referee.time import run_queue
from arena.referee.time.run_queue import Allowance, RunQueue, credits_waiting, own_threads
from arena.referee.time.sched_threads import Priority, SchedThread, TaskCount, TaskCounter
from tests.arena.referee.conftest import let_nobody_start_a_task

linux = pytest.mark.skipif(not credits_waiting(), reason="this system does not tell what a process waits for a core")


class Standing(SchedThread):
    """A thread that stands in a queue from one reading to the next."""

    def __init__(self, seconds: float) -> None:
        super().__init__("/nowhere")
        self.stood, self._each = 0.0, seconds

    def read(self) -> bytes:
        self.stood += self._each
        return b"0 %d 1" % (self.stood * 1e9)


class Group:
    """A control group that used no time, or as much as is said."""

    used = 0.0

    def seconds(self) -> float:
        return self.used


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch):
    """A process that waits, below this one, while nobody starts another."""
    let_nobody_start_a_task(monkeypatch)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True) as child:
        yield child
        child.kill()


@pytest.mark.process
@linux
@pytest.mark.parametrize(("stands", "credited"), [(2.0, 2.0), (50.0, 10.0), (0.0, 0.0)])
def test_what_is_credited_is_never_more_than_what_passed(idle, stands, credited):
    queue = RunQueue(os.getpid(), [Standing(stands)])
    assert queue.credit(0.0, queue.take_reading(0.0), 10.0) == pytest.approx(credited, abs=0.5)


@linux
def test_a_decision_has_an_end_whatever_stands_in_a_queue(idle):
    queue = RunQueue(os.getpid(), [Standing(1e6)])
    assert queue.credit(0.0, queue.take_reading(0.0), 1e5) == 60.0


@linux
def test_a_bot_with_a_process_that_is_gone_is_credited_nothing(idle):
    queue = RunQueue(os.getpid(), [Standing(5.0)])
    reading = queue.take_reading(0.0)
    idle.kill()
    idle.wait()
    assert queue.credit(0.0, reading, 10.0) == 0.0


@pytest.mark.process
@linux
def test_processes_are_looked_for_again_if_those_known_did_not_compute_all_the_time_and_now_and_then(
    idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = RunQueue(os.getpid(), [Standing(5.0)])
    scans: list[float] = []
    monkeypatch.setattr(queue, "_scan", lambda again=True: scans.append(1.0))
    for computed, number in ((10.0, 0), (9.9995, 0), (9.0, 1), (0.0, 1)):
        scans.clear()
        monkeypatch.setattr(queue, "_computed", lambda since, computed=computed: computed)
        assert queue.credit(0.0, queue.take_reading(0.0), 10.0) == pytest.approx(min(5.0, 10.0 - computed))
        assert len(scans) == number
    monkeypatch.undo()
    for _ in range(16):
        monkeypatch.setattr(queue, "_computed", lambda since: 10.0)
        queue.credit(0.0, queue.take_reading(0.0), 10.0)
    assert queue._unscanned < 16, "new threads are found in the end"


@linux
def test_nothing_is_read_for_a_bot_that_always_answers_at_once(idle):
    own = Standing(1.0)
    queue = RunQueue(os.getpid(), [own])
    for _ in range(100):
        queue.credit(0.0, queue.reading_before_question(0.0), 0.0001)
    read = own.stood
    assert queue.reading_before_question(0.0) is None
    assert queue.credit(0.0, None, 5.0) == 0.0
    assert own.stood == read
    assert queue.reading_before_question(0.0) is not None  # it did not answer at once the last time


def test_nothing_is_credited_where_the_system_has_no_figures(monkeypatch, idle):
    monkeypatch.setattr(run_queue, "_IS_REPORTED", False)
    queue = RunQueue(os.getpid(), own_threads())
    assert queue.reading_before_question(0.0) is None
    assert queue.credit(0.0, None, 10.0) == 0.0


@pytest.mark.process
@linux
def test_a_bot_that_may_have_hidden_children_is_credited_an_allowance_for_each_game(idle, monkeypatch):
    """Some task was started while it was asked, so perhaps a child of which nothing is reported any more."""
    queue, allowance = RunQueue(os.getpid(), [Standing(5.0)]), Allowance()
    for left, last in ((0.25, b"2"), (0.0, b"3")):
        reading = queue.take_reading(0.0)
        monkeypatch.setattr(TaskCounter, "last", lambda _, last=last: last)
        for now in (10.0, 20.0):  # it is asked for more than once in a decision
            assert queue.credit(0.0, reading, now, allowance) == pytest.approx(left)
        assert not queue.may_wait(reading, 10.0, 9.5, allowance)
        allowance.settle()
        assert allowance.left == pytest.approx(0.0)
    reading = queue.take_reading(0.0)
    assert queue.credit(0.0, reading, 10.0, allowance) == pytest.approx(5.0), "nothing was started any more"


@pytest.mark.process
@linux
def test_short_waits_are_part_of_the_allowance(idle, monkeypatch):
    queue, allowance = RunQueue(os.getpid(), [Standing(0.001)]), Allowance()
    credited = 0.0
    for number in range(400):
        reading = queue.take_reading(0.0)
        monkeypatch.setattr(TaskCounter, "last", lambda _, number=number: b"%d" % number)
        credited += queue.credit(0.0, reading, 10.0, allowance)
        allowance.settle()
    assert credited == pytest.approx(0.25, abs=0.01)


@pytest.mark.process
@linux
def test_tasks_that_are_started_between_two_decisions_cost_a_credit_once(idle, monkeypatch):
    queue = RunQueue(os.getpid(), [Standing(5.0)])
    monkeypatch.setattr(TaskCounter, "last", lambda _: b"2")
    credited = [queue.credit(0.0, queue.take_reading(0.0), 10.0, Allowance()) for _ in range(2)]
    assert credited == pytest.approx([0.25, 5.0])


@pytest.mark.process
@linux
def test_what_others_of_the_arena_computed_is_credited_whoever_was_started(idle, monkeypatch):
    queue = RunQueue(os.getpid(), [Standing(5.0)], others=lambda: [os.getpid()])
    reading = queue.take_reading(0.0)
    monkeypatch.setattr(TaskCounter, "last", lambda _: b"2")
    before = time.process_time()
    while time.process_time() < before + 0.05:
        pass
    allowance = Allowance()
    credit = queue.credit(0.0, reading, 10.0, allowance)
    assert 0.3 <= credit <= 0.25 + time.process_time() - before + 0.01
    assert allowance.taken == pytest.approx(0.25)


@pytest.mark.process
@linux
def test_what_a_control_group_used_is_never_credited_and_the_rest_always(idle, monkeypatch):
    group = Group()
    queue = RunQueue(os.getpid(), [Standing(50.0)], group)  # type: ignore[arg-type]
    reading = queue.take_reading(0.0)
    monkeypatch.setattr(TaskCounter, "last", lambda _: b"2")
    group.used = 7.0
    assert queue.credit(0.0, reading, 10.0, Allowance()) == pytest.approx(3.0)


@pytest.mark.process
@linux
@pytest.mark.parametrize(("nice", "policy"), [(1, 0), (0, os.SCHED_IDLE if sys.platform == "linux" else 5)])
def test_a_thread_that_lets_others_go_first_is_credited_nothing(idle, monkeypatch, nice, policy):
    queue = RunQueue(os.getpid(), [Standing(1.0)])
    monkeypatch.setattr(queue, "_priority", Priority(0, 0))
    monkeypatch.setattr(queue, "_hot", [thread := Standing(2.0)])
    monkeypatch.setattr(queue, "_scan", lambda again=True: None)
    assert queue.credit(0.0, queue.take_reading(0.0), 10.0) == pytest.approx(3.0, abs=0.1)
    monkeypatch.setattr(thread, "priority", lambda: Priority(nice, policy))
    thread.stood, thread._each = 0.0, 2.0
    reading = queue.take_reading(0.0)
    thread._each = 0.0
    changed = reading._replace(stood=[b"0 0 1", *reading.stood[1:]])
    assert queue.credit(0.0, changed, 10.0) == pytest.approx(1.0, abs=0.1)


@linux
def test_a_thread_that_is_started_is_noticed():
    counter = TaskCounter()
    if counter.count() is None:
        pytest.skip("this system does not tell the number of the last task")
    before = counter.count()
    assert before is not None
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()
    assert not counter.is_still(before)
    lap = TaskCount(counter.last() or b"", before.made - 2**23)
    assert not counter.is_still(lap), "so many were started that their numbers may have begun anew"


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@linux
def test_a_thread_that_is_dropped_keeps_no_file_open_though_it_is_read():
    thread = SchedThread(f"/proc/self/task/{threading.get_native_id()}")
    before = open_files()
    assert len(thread.read().split()) == 3
    assert open_files() == before + 1
    thread.drop()
    assert len(thread.read().split()) == 3
    assert open_files() == before

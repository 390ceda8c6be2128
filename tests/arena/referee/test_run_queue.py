"""What a bot is credited for waiting for a core: how it is bounded, and when nothing is read at all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arena.referee import run_queue
from arena.referee.run_queue import RunQueue, SchedThread, credits_waiting, own_threads

linux = pytest.mark.skipif(not credits_waiting(), reason="this system does not tell what a process waits for a core")


class Standing(SchedThread):
    """A thread that stands in a queue from one reading to the next."""

    def __init__(self, seconds: float) -> None:
        super().__init__("/nowhere")
        self.stood, self._each = 0.0, seconds

    def read(self) -> bytes:
        self.stood += self._each
        return b"0 %d 1" % (self.stood * 1e9)


@pytest.fixture
def idle():
    """A process that waits, below this one."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, text=True) as child:
        yield child
        child.kill()


@pytest.mark.process
@linux
@pytest.mark.parametrize(("stands", "credited"), [(2.0, 2.0), (50.0, 10.0), (0.0, 0.0)])
def test_what_is_credited_is_never_more_than_what_passed(idle, stands, credited):
    queue = RunQueue(os.getpid(), [Standing(stands)])
    assert queue.credit(0.0, queue.look(0.0), 10.0) == pytest.approx(credited, abs=0.5)


@linux
def test_a_decision_has_an_end_whatever_stands_in_a_queue(idle):
    queue = RunQueue(os.getpid(), [Standing(1e6)])
    assert queue.credit(0.0, queue.look(0.0), 1e5) == 60.0


@linux
def test_a_bot_with_a_process_that_is_gone_is_credited_nothing(idle):
    queue = RunQueue(os.getpid(), [Standing(5.0)])
    look = queue.look(0.0)
    idle.kill()
    idle.wait()
    assert queue.credit(0.0, look, 10.0) == 0.0


@pytest.mark.process
@linux
def test_processes_are_looked_for_again_if_those_known_did_not_compute_all_the_time_and_now_and_then(
    idle, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue = RunQueue(os.getpid(), [Standing(5.0)])
    scans: list[float] = []
    monkeypatch.setattr(queue, "_scan", lambda: scans.append(1.0))
    for computed, number in ((10.0, 0), (9.9995, 0), (9.0, 1), (0.0, 1)):
        scans.clear()
        monkeypatch.setattr(queue, "_computed", lambda since, computed=computed: computed)
        assert queue.credit(0.0, queue.look(0.0), 10.0) == pytest.approx(min(5.0, 10.0 - computed))
        assert len(scans) == number
    monkeypatch.undo()
    for _ in range(16):
        monkeypatch.setattr(queue, "_computed", lambda since: 10.0)
        queue.credit(0.0, queue.look(0.0), 10.0)
    assert queue._unscanned < 16, "new threads are found in the end"


@linux
def test_nothing_is_read_for_a_bot_that_always_answers_at_once(idle):
    own = Standing(1.0)
    queue = RunQueue(os.getpid(), [own])
    for _ in range(100):
        queue.credit(0.0, queue.ask(0.0), 0.0001)
    read = own.stood
    assert queue.ask(0.0) is None
    assert queue.credit(0.0, None, 5.0) == 0.0
    assert own.stood == read
    assert queue.ask(0.0) is not None  # it did not answer at once the last time


def test_nothing_is_credited_where_the_system_has_no_figures(monkeypatch, idle):
    monkeypatch.setattr(run_queue, "_IS_REPORTED", False)
    queue = RunQueue(os.getpid(), own_threads())
    assert queue.ask(0.0) is None
    assert queue.credit(0.0, None, 10.0) == 0.0


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

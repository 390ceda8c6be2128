"""Worker processes: what they answer, how they end, and what is told when one is lost."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import psutil
import pytest

from arena.common.processes import BrokenProcess, ProcessPool

SECONDS = 60.0
"""More than enough; what is waited for ends the wait."""


class Awkward(Exception):
    """Cannot be made anew from its arguments."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail(error: BaseException) -> None:
    raise error


def fail_awkwardly() -> None:
    raise Awkward(1, 2)


def unpackable() -> object:
    return threading.Lock()


@pytest.fixture(scope="module")
def one() -> Iterator[ProcessPool]:
    pool = ProcessPool(1)
    yield pool
    pool.shutdown()


@pytest.mark.slow
def test_a_call_is_answered_or_its_error_is(one: ProcessPool) -> None:
    assert one.submit(divmod, 7, 2).result(SECONDS) == (3, 1)
    assert one.submit(int, "ff", base=16).result(SECONDS) == 255
    with pytest.raises(ValueError, match="of its own") as told:
        one.submit(fail, ValueError("of its own")).result(SECONDS)
    assert "in fail" in told.value.__notes__[0]
    with pytest.raises(SystemExit):
        one.submit(fail, SystemExit(3)).result(SECONDS)


@pytest.mark.slow
def test_what_cannot_be_sent_back_harms_nobody(one: ProcessPool) -> None:
    with pytest.raises(TypeError, match="Awkward"):
        one.submit(fail_awkwardly).result(SECONDS)
    with pytest.raises(TypeError, match="pickle"):
        one.submit(unpackable).result(SECONDS)
    assert one.submit(abs, -1).result(SECONDS) == 1


@pytest.mark.slow
@pytest.mark.process
def test_several_work_at_once_and_a_lost_one_ends_all(tmp_path: Path) -> None:
    with ProcessPool(2) as pool:
        meeting = [pool.submit(meet, tmp_path) for _ in range(2)]
        pids = {future.result(2 * SECONDS) for future in meeting}
        assert len(pids) == 2
        sleeping = [pool.submit(time.sleep, 10 * SECONDS) for _ in range(3)]
        children = [child for child in psutil.Process().children() if child.pid in pids]
        os.kill(children[0].pid, signal.SIGKILL)
        for future in sleeping:
            with pytest.raises(BrokenProcess):
                future.result(SECONDS)
        with pytest.raises(BrokenProcess):
            pool.submit(os.getpid)
    assert not psutil.wait_procs(children, SECONDS)[1]


def meet(folder: Path) -> int:
    """Wait until another process waits here too, and return this one's id."""
    (folder / str(os.getpid())).touch()
    ends = time.monotonic() + SECONDS
    while len(list(folder.iterdir())) < 2 and time.monotonic() < ends:
        time.sleep(0.01)
    return os.getpid()


@pytest.mark.slow
@pytest.mark.process
def test_shut_down_it_does_what_waits_or_gives_it_up() -> None:
    pool = ProcessPool(1)
    futures = [pool.submit(abs, -number) for number in range(3)]
    pool.shutdown()
    assert [future.result(0) for future in futures] == [0, 1, 2]
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(abs, 1)
    pool = ProcessPool(1)
    futures = [pool.submit(time.sleep, 0.1), *(pool.submit(abs, 1) for _ in range(3))]
    pool.shutdown(cancel_futures=True)
    with pytest.raises(CancelledError):
        futures[-1].result(0)


@pytest.mark.slow
@pytest.mark.process
def test_what_is_lacking_is_named_and_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {child.pid for child in psutil.Process().children()}
    real = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        if "_drive" in thread.name:
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(BlockingIOError):
        ProcessPool(1)
    monkeypatch.undo()
    new = [child for child in psutil.Process().children() if child.pid not in before]
    assert not [child for child in psutil.wait_procs(new, SECONDS)[1] if "resource_tracker" not in str(child.cmdline())]

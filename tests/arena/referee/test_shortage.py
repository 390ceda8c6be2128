"""What the system refuses us is no fault of a bot: the game is void, and says what was lacking."""

from __future__ import annotations

import gc
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.entrants import process, supervisor
from arena.referee.referee import Host
from tests.arena.referee.test_referee import orders, setup

pytestmark = pytest.mark.process

__all__ = ["setup"]

STARTER = """
import errno, os, sys
sys.path.insert(0, {folder!r})
import starter

def refuse(*_, **__):
    raise OSError(errno.{error}, os.strerror(errno.{error}))

def vanish(*_, **__):
    os._exit(9)

{wrong}
sys.exit(supervisor.main())
"""


@contextmanager
def few_descriptors(left: int) -> Iterator[None]:
    """For a while, hardly a file can be opened in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    gc.collect()  # what earlier tests left would give its descriptors back in the middle of this one
    lowest = os.dup(0)
    os.close(lowest)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + left, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def sabotage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put another starter in the place of ours."""

    def wrap(wrong: str, error: str = "EAGAIN") -> None:
        wrapper = tmp_path / "wrapper.py"
        wrapper.write_text(STARTER.format(folder=str(Path(supervisor.__file__).parent), wrong=wrong, error=error))
        monkeypatch.setattr(process.starter, "__file__", str(wrapper))

    return wrap


@pytest.mark.parametrize("left", [1, 4, 8])
def test_without_descriptors_a_game_is_void_and_can_be_played_again(setup, left: int) -> None:
    made = setup({}, {})
    with Host(made, pin=False) as host:
        with few_descriptors(left):
            [void] = host.play(orders(made.bots))
        [played] = host.play(orders(made.bots))
    assert (void.ending, void.faults, void.retired) == ("void", [], [])
    assert void.error == "bot0: no process could be started: Too many open files"
    assert (played.ending, played.faults) == ("finished", [])


@pytest.mark.parametrize("error", ["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"])
def test_a_starter_that_gets_no_process_blames_nobody(setup, sabotage, error: str) -> None:
    sabotage("supervisor.subprocess.Popen = refuse", error)
    made = setup({}, {})
    with Host(made, pin=False) as host:
        [record] = host.play(orders(made.bots))
    assert (record.ending, record.faults) == ("void", [])
    assert "no process could be started: " in record.error


def test_a_starter_that_cannot_open_its_logs_blames_nobody(setup, sabotage) -> None:
    sabotage("supervisor.CappedLog._open = refuse", "ENOSPC")
    made = setup({}, {})
    with Host(made, pin=False) as host:
        report = host.check("bot0")
        [record] = host.play(orders(made.bots))
    assert (report.ok, report.shortage) == (False, 28)
    assert report.reason == "no process could be started: No space left on device"
    assert (record.ending, record.faults) == ("void", [])


def test_a_starter_that_ends_before_the_bot_could_run_blames_nobody(setup, sabotage) -> None:
    sabotage("supervisor.Worker = vanish")
    made = setup({}, {})
    with Host(made, pin=False) as host:
        [record] = host.play(orders(made.bots))
    assert (record.ending, record.faults) == ("void", [])
    assert "its starter ended before it could start it" in record.error


@pytest.mark.parametrize("wrong", ["supervisor._start = vanish", "supervisor.subprocess.Popen = refuse"])
def test_what_a_bot_may_have_done_itself_stays_its_fault(setup, sabotage, wrong: str) -> None:
    sabotage(wrong, "EACCES")
    made = setup({}, {})
    with Host(made, pin=False) as host:
        [record] = host.play(orders(made.bots))
    assert record.ending == "walkover"
    assert {fault.code for fault in record.faults} == {"crash"}


def test_a_game_in_progress_goes_on_while_another_cannot_start(setup, sabotage) -> None:
    made = setup({"parallel": 2}, {"parallel": 2}, {"parallel": 2})
    with Host(made, pin=False) as host:
        assert host.check("bot0").ok
        assert host.check("bot1").ok
        sabotage("supervisor.subprocess.Popen = refuse")
        games = [*orders(["bot0", "bot1"]), *orders(["bot1", "bot2"], 3)[1:]]
        records = host.play(games)
    assert [record.ending for record in records] == ["finished", "void", "void"]
    assert not any(record.faults for record in records)


@pytest.mark.parametrize("left", [0, 3, 10])
def test_without_descriptors_there_is_no_referee(setup, left: int) -> None:
    made = setup({})
    with few_descriptors(left), pytest.raises(OSError, match="Too many open files"):
        Host(made, pin=False)

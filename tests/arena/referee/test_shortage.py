"""What the system refuses us is no fault of a bot: the game is void, and says what was lacking."""

from __future__ import annotations

import gc
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena import supervisor
from arena.referee.referee import Referee
from engine import catalog
from tests.arena.referee.test_referee import config, specs
from tests.marking import mostly_slow

pytestmark = pytest.mark.process

__all__ = ["config"]

SUPERVISOR = """
import errno, os, sys
sys.path.append({folder!r})
from arena.supervisor import start, supervise, watch

def refuse(*_, **__):
    raise OSError(errno.{error}, os.strerror(errno.{error}))

def vanish(*_, **__):
    os._exit(9)

{wrong}
sys.exit(supervise.main())
"""


@contextmanager
def few_descriptors(left: int) -> Iterator[None]:
    """For a while, only so many files can be opened in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    catalog.installed()  # as every command has done by then
    gc.collect()  # what earlier tests left would give its descriptors back in the middle of this one
    *free, limit = [os.dup(0) for _ in range(left + 1)]  # the lowest numbers, wherever there are gaps
    for each in (*free, limit):
        os.close(each)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.fixture
def sabotage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Put another supervisor in the place of ours."""

    def wrap(wrong: str, error: str = "EAGAIN") -> None:
        wrapper = tmp_path / "wrapper.py"
        wrapper.write_text(
            SUPERVISOR.format(folder=str(Path(supervisor.__file__).parents[2]), wrong=wrong, error=error)
        )
        monkeypatch.setattr(supervisor, "SCRIPT", str(wrapper))

    return wrap


@pytest.mark.slow
@pytest.mark.parametrize("left", [1, 8])
def test_without_descriptors_a_game_is_void_and_can_be_played_again(config, left: int) -> None:
    made = config({}, {})
    with Referee(made, pin=False) as referee:
        with few_descriptors(left):
            [void] = referee.play(specs(made.bots))
        [played] = referee.play(specs(made.bots))
    assert (void.ending, void.faults, void.retired) == ("void", [], [])
    assert void.error == "bot0: no process could be started: Too many open files"
    assert (played.ending, played.faults) == ("finished", [])


@pytest.mark.parametrize("error", mostly_slow(["EAGAIN", "ENOMEM", "EMFILE", "ENFILE"]))
def test_a_supervisor_that_gets_no_process_blames_nobody(config, sabotage, error: str) -> None:
    sabotage("start.subprocess.Popen = refuse", error)
    made = config({}, {})
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
    assert (record.ending, record.faults) == ("void", [])
    assert "no process could be started: " in record.error


def test_a_supervisor_that_cannot_open_its_logs_blames_nobody(config, sabotage) -> None:
    sabotage("watch.CappedLog._open = refuse", "ENOSPC")
    made = config({}, {})
    with Referee(made, pin=False) as referee:
        report = referee.check("bot0")
        [record] = referee.play(specs(made.bots))
    assert (report.ok, report.shortage) == (False, 28)
    assert report.reason == "no process could be started: No space left on device"
    assert (record.ending, record.faults) == ("void", [])


def test_a_supervisor_that_ends_before_the_bot_could_run_blames_nobody(config, sabotage) -> None:
    sabotage("supervise.Worker = vanish")
    made = config({}, {})
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
    assert (record.ending, record.faults) == ("void", [])
    assert "its supervisor ended before it could start it" in record.error


@pytest.mark.parametrize("wrong", ["start.start = vanish", "start.subprocess.Popen = refuse"])
def test_what_a_bot_may_have_done_itself_stays_its_fault(config, sabotage, wrong: str) -> None:
    sabotage(wrong, "EACCES")
    made = config({}, {})
    with Referee(made, pin=False) as referee:
        [record] = referee.play(specs(made.bots))
    assert record.ending == "walkover"
    assert {fault.code for fault in record.faults} == {"crash"}


@pytest.mark.slow
def test_a_game_in_progress_goes_on_while_another_cannot_start(config, sabotage) -> None:
    made = config({"parallel": 2}, {"parallel": 2}, {"parallel": 2})
    with Referee(made, pin=False) as referee:
        assert referee.check("bot0").ok
        assert referee.check("bot1").ok
        sabotage("start.subprocess.Popen = refuse")
        games = [*specs(["bot0", "bot1"]), *specs(["bot1", "bot2"], 3)[1:]]
        records = referee.play(games)
    assert [record.ending for record in records] == ["finished", "void", "void"]
    assert not any(record.faults for record in records)


@pytest.mark.slow
@pytest.mark.parametrize("left", [0, 10])
def test_without_descriptors_there_is_no_referee(config, left: int) -> None:
    made = config({})
    with few_descriptors(left), pytest.raises(OSError, match="Too many open files"):
        Referee(made, pin=False)

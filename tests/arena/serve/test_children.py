"""A child process of the league has an end, and leaves nothing behind."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import connection
from pathlib import Path

import psutil
import pytest

from arena.serve.children import Child, lanes

pytestmark = pytest.mark.process
BREEDS = (
    "import os, sys, time, pathlib\n"
    "if os.fork() == 0:\n"
    "    os.setsid()\n"
    "    if os.fork() == 0:\n"
    "        pathlib.Path(sys.argv[1] + '.new').write_text(str(os.getpid()))\n"
    "        os.rename(sys.argv[1] + '.new', sys.argv[1])\n"
    "        time.sleep(1000)\n"
    "    os._exit(0)\n"
    "time.sleep(1000)\n"
)
"""Leaves a process in a session of its own, whose number it writes to the file that is named."""


def child(folder: Path, *words: str, seconds: float = 60, **more) -> Child:
    return Child([sys.executable, "-c", *words], folder, folder / "log", seconds, **more)


def written(file: Path) -> int:
    while not file.exists():
        os.sched_yield()
    return int(file.read_text())


def is_gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_child_says_how_it_ended_and_keeps_its_last_lines(tmp_path: Path) -> None:
    made = child(tmp_path, "import sys; print('one', flush=True); print('t\\x1bwo', file=sys.stderr); sys.exit(3)")
    assert connection.wait([made.fileno()], 60)
    assert made.wait(60) == 3
    assert made.reason == "exit code 3"
    assert made.last_lines().splitlines() == ["one", "t?wo"]
    assert (tmp_path / "log").read_bytes() == b"one\nt\x1bwo\n"
    assert [each.name for each in tmp_path.iterdir()] == ["log"]


def test_output_goes_to_a_file_of_its_own(tmp_path: Path) -> None:
    made = child(tmp_path, "import os; print(os.environ['A'], os.nice(0))", output=tmp_path / "o", env={"A": "x y"})
    assert made.wait(60) == 0
    assert (tmp_path / "o").read_text() == f"x y {os.nice(0)}\n"
    made = child(tmp_path, "import os; print(os.nice(0))", output=tmp_path / "o", niceness=3)
    assert made.wait(60) == 0
    assert (tmp_path / "o").read_text() == f"{os.nice(0) + 3}\n"


def test_a_child_that_is_not_there_is_no_exception(tmp_path: Path) -> None:
    made = Child(["/no/such/program"], tmp_path, tmp_path / "log", 60)
    assert made.wait(60) == 127
    assert "/no/such/program" in made.last_lines()


def test_a_child_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    made = child(tmp_path, BREEDS, str(tmp_path / "pid"))
    assert made.poll() is None
    below = written(tmp_path / "pid")
    made.end()
    assert (made.poll(), made.reason) == (-9, "ended by the league")
    assert is_gone(below)
    late = child(tmp_path, "import time; time.sleep(1000)", seconds=0.01)
    assert late.wait(60) == -9
    assert late.reason == "ended after 0.01 s, which is the most"


def test_a_child_ends_when_the_league_is_killed(tmp_path: Path) -> None:
    league = (
        "import sys, pathlib, time\nfrom arena.serve.children import Child\n"
        "here = pathlib.Path(sys.argv[1])\n"
        "made = Child([sys.executable, '-c', sys.argv[2], str(here / 'pid')], here, here / 'log', 600)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", league, str(tmp_path), BREEDS]) as process:
        below = written(tmp_path / "pid")
        process.kill()
    psutil.wait_procs([psutil.Process(below)] if not is_gone(below) else [], timeout=60)
    assert is_gone(below)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux says on which cores a process may run")
def test_trials_and_rounds_have_cores_of_their_own_as_long_as_there_are_enough(monkeypatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {7, 2, 4})
    assert lanes(1) == ([2], [4, 7])
    assert lanes(2) == ([2, 4], [7])
    assert lanes(3) == (None, None)

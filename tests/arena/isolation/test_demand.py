"""Where the environment demands a box and there can be none, commands and these tests fail, so that nobody is misled.

The machine without boxes is this one, from a namespace in which no further ones can be made, as in many containers.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from arena.cli.terminal import ExitCode
from arena.isolation.bubblewrap import found
from arena.isolation.probe import REQUIRED
from tests.isolation_demand import KEPT, need

pytestmark = [pytest.mark.process, pytest.mark.slow]

ROOT: Final = Path(__file__).parents[3]
BOXED: Final = "tests/arena/isolation/test_levels.py::test_a_bot_can_do_what_the_table_says[box-alone]"


def without_namespaces(*words: str, demand: str | None = None) -> subprocess.CompletedProcess[str]:
    need("box")
    program = found()
    assert program is not None
    apart = [program, "--dev-bind", "/", "/", "--unshare-user", "--disable-userns", "--die-with-parent", "--"]
    environment = {name: value for name, value in os.environ.items() if name not in (REQUIRED, KEPT)}
    if demand is not None:
        environment[REQUIRED] = demand
    command = [*apart, sys.executable, "-m", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, cwd=ROOT, check=False)


def test_a_command_refuses_to_run_bots(tmp_path: Path) -> None:
    out = tmp_path / "t"
    words = ("arena", "tournament", "@greedy", "@pairs", "--players", "2", "--games", "2", "--out", str(out))
    done = without_namespaces(*words, demand="box")
    assert done.returncode == ExitCode.BAD_INPUT, done.stderr
    assert f"{REQUIRED} demands the isolation box" in done.stderr
    assert "bubblewrap fails" in done.stderr
    assert not out.exists()


def test_the_doctor_names_the_next_level_and_the_remedy() -> None:
    report = json.loads(without_namespaces("arena", "doctor", "--json").stdout)
    [box, *others] = report["levels"]
    assert (box["level"], box["works"]) == ("box", False)
    assert box["remedy"]
    assert report["auto"] == next(each["level"] for each in others if each["works"])


def test_tests_fail_instead_of_being_skipped() -> None:
    pytest_words = ("pytest", "-n", "0", "-p", "no:cacheprovider", "-q", "-rs", BOXED)
    done = without_namespaces(*pytest_words)
    assert done.returncode == pytest.ExitCode.OK, done.stdout + done.stderr
    assert "NO ISOLATION BY BOX HERE" in done.stdout
    done = without_namespaces(*pytest_words, demand="box")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout + done.stderr
    assert f"{REQUIRED}=box, and here it does not work" in done.stdout + done.stderr

"""What keeps other processes of the same user out of ours."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arena.common.processes import ProcessPool
from arena.common.protection import is_inspection_forbidden

pytestmark = [pytest.mark.process, pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone can do")]


def ask(script: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout.strip()


def test_the_command_forbids_it_and_adopts_orphans() -> None:
    script = """
import sys
from arena.cli import app
from arena.common.protection import adopts_orphans, is_inspection_forbidden
app.app = lambda **_: print(is_inspection_forbidden(), adopts_orphans())
print(is_inspection_forbidden(), adopts_orphans())
app.run()
"""
    assert ask(script) == "False False\nTrue True"


def test_a_seed_that_was_typed_is_not_in_the_command_line_that_others_see() -> None:
    script = """
import sys
import arena.cli, arena.cli.app
from pathlib import Path
arena.cli.app.run = lambda: print(Path("/proc/self/cmdline").read_text().split("\\0")[3:-1], sys.argv[1:])
sys.argv[0] = "arena"
arena.cli.main()
"""
    others = ["match", "--seed", "@file", "--seed", "-", "--seeds", "12"]
    words, hidden = [*others, "--seed", "4711", "--seed=815"], [*others, "--seed", "xxxx", "--seed=xxx"]
    assert ask(script, *words) == f"{hidden} {words}"


def test_a_worker_forbids_it() -> None:
    worker = ProcessPool(1)
    assert worker.submit(is_inspection_forbidden).result(60)
    worker.shutdown()


def test_a_process_forbids_it_for_good_but_not_for_programs_that_it_starts() -> None:
    script = """
import subprocess, sys
from arena.common.protection import forbid_inspection, is_inspection_forbidden
forbid_inspection()
child = "from arena.common.protection import is_inspection_forbidden; print(is_inspection_forbidden())"
subprocess.run([sys.executable, "-c", child], check=True)
print(is_inspection_forbidden())
"""
    assert ask(script) == "False\nTrue"

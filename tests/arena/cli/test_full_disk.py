"""A disk that is full: one line says where and what to do, and what was played is kept."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.arena.cli.conftest import ROOT

BOTS = [ROOT / "bots" / "random_bot.py", ROOT / "bots" / "greedy.py"]
FULL = Path("/dev/full")
if_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
ASKED = ["--players", 2, "--seed", 1, "--jobs", 1, "--out", "t"]


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """What a command said last, which is no traceback."""
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


@pytest.mark.slow
@if_full
def test_a_trace_that_cannot_be_written_ends_the_run_and_sets_no_game_aside(shell):
    (shell.folder / "t" / "trace").mkdir(parents=True)
    (shell.folder / "t" / "trace" / "p2-b0001-r0.jsonl").symlink_to(FULL)
    told = one_line(shell.run("tournament", *BOTS, *ASKED, "--games", 6, "--trace", code=2))
    assert told.startswith("arena: t/trace/p2-b0001-r0.jsonl ")
    kept = [game["id"] for game in shell.json("show", "t", "--games")]  # the second may still be played when it ends
    assert kept in (["p2-b0000-r0"], ["p2-b0000-r0", "p2-b0000-r1"])
    shell.run("tournament", *BOTS, *ASKED, "--games", 6)
    assert len(shell.json("show", "t", "--games")) == 6


@pytest.mark.slow
def test_a_ledger_on_a_full_disk_keeps_its_games(shell):
    shell.run("tournament", *BOTS, *ASKED, "--games", 2)
    file = shell.folder / "t" / "ledger.sqlite"
    limit = file.stat().st_size + 60_000
    script = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
    )
    (shell.folder / "sitecustomize.py").write_text(script)
    done = shell.run("tournament", *BOTS, *ASKED, "--games", 60, code=2, env={"PYTHONPATH": str(shell.folder)})
    assert one_line(done).startswith("arena: t/ledger.sqlite ")
    with closing(sqlite3.connect(file)) as ledger:
        (played,) = ledger.execute("SELECT COUNT(*) FROM games").fetchone()
    assert 2 < played < 60
    verified = shell.json("verify", "t")
    assert (verified["games"], verified["different"]) == (played, {})

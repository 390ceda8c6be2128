"""A disk that is full: one line says where and what to do, and what was played is kept."""

from __future__ import annotations

import errno
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
    assert told == (
        "arena: t/trace/p2-b0001-r0.jsonl cannot be written: No space left on device. "
        "Make room or leave out --trace: the games that were recorded are kept"
    )
    assert [game["id"] for game in shell.json("show", "t", "--games")] == ["p2-b0000-r0", "p2-b0000-r1"]
    done = shell.run("tournament", *BOTS, *ASKED, "--games", 6)
    assert "4 games played, 6 in the tables" in done.stdout


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
    assert one_line(done).startswith("arena: t/ledger.sqlite cannot be used: ")
    with closing(sqlite3.connect(file)) as ledger:
        (played,) = ledger.execute("SELECT COUNT(*) FROM games").fetchone()
    assert 2 < played < 60
    assert f"{played} games verified, all as recorded" in shell.run("verify", "t").stdout


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EMFILE, errno.EAGAIN, errno.EROFS])
def test_what_the_machine_lacks_is_said_in_one_line(cli, played, monkeypatch, number):
    def fail(*_: object, **__: object) -> None:
        raise OSError(number, "it is lacking")

    monkeypatch.setattr("arena.cli.publish.publish", fail)
    told = cli("publish", played, "--to", "site", code=2).stderr.splitlines()
    assert len(told) == 1
    assert told[0].startswith("arena: it is lacking. ")


def test_a_site_on_a_full_disk_names_the_file(cli, played, monkeypatch):
    def full(self: Path, *_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("arena.common.atomic_files.finish_atomic", full)
    told = cli("publish", played, "--to", "site", "--jobs", 1, code=2).stderr.splitlines()[-1]
    assert told.startswith("arena: site/.published.json cannot be used: No space left on device. Make room and ")

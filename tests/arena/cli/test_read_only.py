"""A tournament that lies where nothing can be written: all that only reads it works, and leaves it as it is."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from arena.ledger import Ledger
from tests.shell import obey_modes

pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux" and os.getuid() == 0, reason="modes do not bind root here"),
]

READERS = [
    ["show", "t"],
    ["show", "t", "--games"],
    ["show", "t", "--history"],
    ["leaderboard", "t"],
    ["verify", "t"],
    ["replay", "t", "p2-b0000-r0"],
    ["export", "t", "--to", "games.csv"],
    ["publish", "t", "--to", "site", "--jobs", "1"],
]


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing can be written into this folder, nor to what is in it."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    try:
        yield
    finally:
        folder.chmod(0o755)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize("words", READERS, ids=lambda words: " ".join(words[:3:2]))
def test_a_finished_tournament_is_read(shell, played, words):
    shutil.copytree(played, shell.folder / "t")
    with read_only(shell.folder / "t"):
        shell.run(*words, preexec_fn=obey_modes)


def test_one_is_published_by_several_processes(shell, played):
    shutil.copytree(played, shell.folder / "t")
    with read_only(shell.folder / "t"):
        shell.run("publish", "t", "--to", "site", "--jobs", 2, preexec_fn=obey_modes)
    assert (shell.folder / "site" / "games" / "p2-b0000-r0" / "public.js").is_file()


def with_log(folder: Path, *, games_in_it: bool) -> None:
    """Leave the ledger as a run does that somebody read at its end, or as one that was killed."""
    with closing(sqlite3.connect(folder / "ledger.sqlite", isolation_level=None)) as ledger:
        ledger.execute("PRAGMA journal_mode = WAL")
        if games_in_it:
            ledger.execute("UPDATE meta SET value = 'false' WHERE key = 'finished'")
            for name in ("ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"):
                shutil.copy(folder / name, folder / f"{name}.kept")
    if games_in_it:
        for file in folder.glob("*.kept"):
            file.rename(file.with_suffix(""))


@pytest.mark.parametrize("killed", [False, True])
def test_one_that_was_not_put_away_is_read(shell, played, killed):
    shutil.copytree(played, shell.folder / "t")
    with_log(shell.folder / "t", games_in_it=killed)
    with read_only(shell.folder / "t"):
        shown = json.loads(shell.run("show", "t", "--json", preexec_fn=obey_modes).stdout)
    assert shown["finished"] is not killed


def test_a_log_that_cannot_be_read_is_not_passed_over(shell, played):
    shutil.copytree(played, shell.folder / "t")
    with_log(shell.folder / "t", games_in_it=True)
    (shell.folder / "t" / "ledger.sqlite-shm").unlink()
    with read_only(shell.folder / "t"):
        refused = shell.run("show", "t", preexec_fn=obey_modes, code=2)
    assert "ledger.sqlite-wal" in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_a_run_leaves_plain_files_and_says_what_it_cannot_write(shell, played):
    assert {file.name for file in played.iterdir()} == {"ledger.sqlite", "page_data.sqlite", "lock", "seed"}
    for name in ("ledger.sqlite", "page_data.sqlite"):
        assert (played / name).read_bytes()[18:20] == b"\x01\x01"  # no write-ahead log
    shutil.copytree(played, shell.folder / "t")
    with read_only(shell.folder / "t"):
        refused = shell.run("tournament", played.parent / "crasher.py", "--out", "t", preexec_fn=obey_modes, code=2)
    assert refused.stderr.count("\n") == 1


def test_readers_at_the_end_do_not_hold_a_run_up_nor_lose_a_game(tmp_path):
    with Ledger.create(tmp_path, {"game": "a"}) as writer:
        writer.set_meta("game", "b")
        reader = Ledger.open(tmp_path)
        assert reader.meta == {"game": "b"}
    assert reader.meta == {"game": "b"}
    reader.close()
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.sqlite"]
    with Ledger.open(tmp_path, writing=True) as writer:
        writer.set_meta("game", "c")
    assert (tmp_path / "ledger.sqlite").read_bytes()[18:20] == b"\x01\x01"


def test_tournaments_that_are_closed_to_us_are_left_out_of_the_list(shell, played):
    home = shell.folder / "tournaments"
    for name in ("open", "closed", "locked"):
        shutil.copytree(played, home / name)
    (home / "closed").chmod(0)
    (home / "locked" / "ledger.sqlite").chmod(0)
    try:
        done = shell.run("list", "--json", preexec_fn=obey_modes)
    finally:
        (home / "closed").chmod(0o755)
    assert [each["folder"] for each in json.loads(done.stdout)] == ["tournaments/open"]
    assert "tournaments/locked/ledger.sqlite cannot be read" in done.stderr

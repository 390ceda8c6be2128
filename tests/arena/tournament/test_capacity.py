"""What cannot fit the machine is said before the first game, and how many bots stay for their next game fits it."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.entrants import Entrant
from arena.isolation.settings import Isolation
from arena.ledger import Ledger
from arena.tournament import capacity
from arena.tournament.capacity import MOST_KEPT, check_capacity, helpers_of_bots, kept_bots
from arena.tournament.plan import PlanError

ENOUGH = 1 << 20


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch):
    """A machine with enough of everything but what is given."""

    def make(files: int = ENOUGH, tasks: int = ENOUGH, mib: int = ENOUGH) -> None:
        monkeypatch.setattr(capacity, "_open_files", lambda: files)
        monkeypatch.setattr(capacity, "_tasks_left", lambda: tasks)
        monkeypatch.setattr(
            "arena.tournament.capacity.psutil.virtual_memory", lambda: SimpleNamespace(available=mib << 20)
        )

    return make


def test_what_fits_is_no_error(lacking) -> None:
    lacking()
    check_capacity(64, 6)
    lacking(files=94, tasks=28, mib=180)
    check_capacity(1, 6)


@pytest.mark.parametrize(
    ("less", "jobs", "numbers"),
    [
        ({"files": 90}, 1, ["94", "90"]),
        ({"files": 256}, 99, ["99", "460", "256", "48"]),
        ({"tasks": 100}, 8, ["8", "224", "100", "3"]),
        ({"tasks": -3}, 1, ["28", "0"]),
        ({"mib": 4000}, 99, ["99", "17820", "4000", "22"]),
    ],
)
def test_what_cannot_fit_is_named_with_what_would(lacking, less: dict[str, int], jobs: int, numbers: list[str]) -> None:
    """How many games at once if more than one, what they need, what there is, how many would fit if any."""
    lacking(**less)
    with pytest.raises(PlanError) as error:
        check_capacity(jobs, 6)
    assert re.findall(r"\d+", str(error.value)) == numbers


def test_as_many_bots_are_kept_as_there_is_room_for(lacking) -> None:
    lacking()
    assert kept_bots(1, 6) == MOST_KEPT
    lacking(mib=4000)
    assert (kept_bots(1, 6), kept_bots(4, 6)) == (MOST_KEPT, 22)
    assert kept_bots(1000, 6) == 6, "never fewer than play in one game"
    lacking(tasks=200)
    assert kept_bots(2, 2) == 11
    lacking(files=109)
    assert kept_bots(1, 2) == 11
    lacking(tasks=200)
    assert (kept_bots(1, 2), kept_bots(1, 2, helpers=2)) == (24, 16)


@pytest.mark.parametrize(
    ("level", "transport", "processes"), [("box", "ipc", 2), ("box", "tcp", 3), ("landlock", "tcp", 0)]
)
def test_what_keeps_bots_apart_counts(lacking, level: Any, transport: Any, processes: int) -> None:
    bots = [Entrant(name, Path(name), "folder", (), "", transport=transport) for name in ("ant", "bee")]
    helpers = helpers_of_bots(Isolation(level), bots)
    assert helpers == processes
    lacking(tasks=27 + 6 * helpers)
    with pytest.raises(PlanError, match=f"one game needs about {28 + 6 * helpers} processes"):
        check_capacity(1, 6, helpers)


def test_the_bounds_of_control_groups_count(tmp_path: Path) -> None:
    inner = tmp_path / "top" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "own").write_text("3:cpu:/x\n0::/a/b\n")
    for folder, most in ((inner, "max"), (inner.parent, "120")):
        (folder / "pids.max").write_text(f"{most}\n")
        (folder / "pids.current").write_text("20\n")
    assert list(capacity._left_in_groups(tmp_path / "own", tmp_path / "top")) == [100]
    assert list(capacity._left_in_groups(tmp_path / "none", tmp_path / "top")) == []


def arena(folder: Path, soft: int, hard: int) -> subprocess.CompletedProcess[str]:
    """A little tournament under a limit of open files."""
    command = [sys.executable, "-m", "arena", "tournament", "@random_bot", "@greedy"]
    options = ["--players", "2", "--games", "2", "--jobs", "1", "--start", "60", "--out", str(folder / "out")]
    limits = f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}));"
    return subprocess.run(
        [sys.executable, "-c", f"{limits} os.execv(sys.argv[1], sys.argv[1:])", *command, *options],
        cwd=folder,
        env={**os.environ, "ARENA_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.process
def test_a_low_soft_limit_is_raised(tmp_path: Path) -> None:
    ended = arena(tmp_path, 30, min(1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    assert ended.returncode == 0, ended.stderr
    with Ledger.open(tmp_path / "out") as ledger:
        assert len(ledger.ids()) == 2


@pytest.mark.slow
@pytest.mark.process
def test_a_low_hard_limit_is_said_before_anything_is_done(tmp_path: Path) -> None:
    ended = arena(tmp_path, 60, 60)
    assert ended.returncode == 2
    assert ended.stderr.startswith("arena: ")
    assert re.findall(r"\d+", ended.stderr) == ["82", "60"]
    assert not (tmp_path / "out").exists()

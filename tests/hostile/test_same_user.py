"""Bots that attack the arena as programs of the same user, with nothing between (no box)."""

from __future__ import annotations

import json
import os

import psutil
import pytest

from tests.hostile.yard import HONEST, Yard, linux

pytestmark = [pytest.mark.process, pytest.mark.slow, linux]


def is_gone(pid: int) -> bool:
    return not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE


def test_nothing_of_the_arena_can_be_opened(yard: Yard) -> None:
    snoop = yard.hostile("snoop", "snoop")
    shown = yard.play(snoop, HONEST / "greedy.py", "--games", 2, "--seed", 1)
    found = json.loads(yard.note.read_text())
    assert {key.partition(" ")[0] for key in found} == {"0", "1", "2"}, "supervisor, worker, command"
    assert {key: how for key, how in found.items() if how == "open"} == {}
    assert set(found.values()) == {"PermissionError"}
    yard.assert_clean(shown, "snoop", "greedy")


def test_who_stops_its_supervisor_is_ended_with_its_helper(yard: Yard) -> None:
    attacker = yard.hostile("attacker", "stop_starter")
    # Its rival thinks for so long that bots are stopped meanwhile.
    shown = yard.play(attacker, HONEST / "explorer.py", "--games", 2, "--seed", 1, "--move", 0.3)
    assert yard.row(shown, "attacker")["faults"]["crash"] == 2
    yard.assert_clean(shown, "explorer")
    assert is_gone(json.loads(yard.note.read_text())["helper"])


def test_nothing_outlives_a_supervisor_that_was_killed(yard: Yard) -> None:
    attacker = yard.hostile("attacker", "outlive")
    shown = yard.play(attacker, HONEST / "greedy.py", "--games", 2, "--seed", 1)
    assert yard.row(shown, "attacker")["faults"]["crash"] == 2
    yard.assert_clean(shown, "greedy")
    assert is_gone(json.loads(yard.note.read_text())["helper"])


def test_who_kills_workers_loses_its_games(yard: Yard) -> None:
    attacker = yard.hostile("attacker", "kill_worker")
    honest = [HONEST / f"{name}.py" for name in ("greedy", "pairs", "saboteur")]
    # Against its first opponent it could be either of them: these games are set aside.
    shown = yard.play(attacker, *honest, "--games", 24, "--seed", 1, code=3)
    row = yard.row(shown, "attacker")
    assert row["wins"] == 0
    assert row["suspended"]
    yard.assert_clean(shown, "greedy", "pairs", "saboteur")
    assert next(iter(shown["failures"])) == "attacker"
    assert "all as recorded" in yard.shell.run("verify", "t").stdout


def test_who_lays_a_module_beside_a_rival_is_found_before_the_next_tournament(yard: Yard) -> None:
    attacker = yard.hostile("attacker", "take_over")
    yard.play(attacker, HONEST / "greedy.py", "--games", 2, "--seed", 1)
    assert "greedy" in yard.note.read_text()
    yard.note.unlink()
    shown = yard.play(HONEST / "greedy.py", HONEST / "pairs.py", "--games", 2, "--seed", 2, "--fresh")
    assert "greedy: its copy in the cache had been changed, and is made anew" in yard.last.stderr
    yard.assert_clean(shown, "greedy", "pairs")


def test_who_asks_for_more_than_the_ceiling_gets_no_more_and_runs_nothing_outside(yard: Yard) -> None:
    own = yard.folder / "own"
    own.mkdir()
    for name in ("chmod", "rm", "ps", "sh"):
        (own / name).write_text(f"#!/bin/sh\ntouch {yard.note}\n")
        (own / name).chmod(0o755)
    (yard.folder / "plan.toml").write_text("limits = { processes = 8 }")
    limits = "limits = { memory_mb = 16777216, processes = 65536 }"
    attacker = yard.hostile("attacker", "lock_up", limits, PATH=f"{own}:{os.environ['PATH']}")
    words = (attacker, HONEST / "greedy.py", "--games", 2, "--seed", 1, "--plan", yard.folder / "plan.toml")
    shown = yard.play(*words, "--bank", 60)
    assert "memory_mb 16777216 (it gets 4096), processes 65536 (it gets 8)" in yard.last.stderr
    assert "processes (limit 8)" in yard.shell.run("show", "t", "--faults", "attacker").stdout
    yard.assert_clean(shown, "greedy")
    assert not yard.note.exists(), "nothing of its own PATH was run"

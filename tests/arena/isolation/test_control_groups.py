"""Limits that the kernel holds: in groups that are files in a folder here, and by a program that stands for systemd's.

That a real kernel and a real systemd do what they are asked for is not shown: it needs a machine that has them.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import supervisor
from arena.entrants import BotProcess, build, expand, launch
from arena.isolation import control_groups
from arena.isolation.control_groups import by_systemd, delegated, orders_for, probe_groups
from arena.isolation.settings import ControlGroups, Isolation
from arena.supervisor.control_group import ControlGroup
from tests.arena.isolation import groups
from tests.shell import Shell

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what Linux alone has")

WRAPPER = """
import sys
sys.path[:0] = [{root!r}]
from tests.arena.isolation.groups import imitate
imitate({tree!r})
from arena.supervisor.supervise import main
sys.exit(main())
"""
STAY = "import time\nopen(NOTE, 'w').close()\ntime.sleep(1000)\n"


class Tree:
    """Groups, of which one is delegated."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "cgroup"
        self.own = self.root / "user" / "arena.scope"
        groups.make_group(self.own)
        self.of_process = folder / "own"
        self.of_process.write_text("1:name=systemd:/old\n0::/user/arena.scope\n")

    def probe(self) -> control_groups.GroupsProbed:
        return delegated(str(self.root), str(self.of_process))

    def bots(self) -> list[Path]:
        return sorted(self.own.glob("arena-bot-*"))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    made = Tree(tmp_path)
    monkeypatch.setattr(os, "mkdir", os.mkdir)
    monkeypatch.setattr(os, "rmdir", os.rmdir)
    groups.imitate(str(made.root))
    return made


@pytest.mark.process
def test_a_delegated_group_is_divided_and_we_move_out_of_the_way(tree: Tree) -> None:
    found = tree.probe()
    assert found.groups == ControlGroups("cgroup", str(tree.own))
    assert "/user/arena.scope" in found.why
    assert (tree.own / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert (tree.own / "arena-main" / "cgroup.procs").read_text() == "0"
    assert [each.name for each in tree.own.iterdir() if each.is_dir()] == ["arena-main"], "what was tried is gone"
    (tree.own / "cgroup.subtree_control").write_text("memory pids\n")
    tree.of_process.write_text("0::/user/arena.scope/arena-main\n")
    assert tree.probe().groups == found.groups, "for a command that a command starts"


def test_what_is_missing_is_named(tree: Tree) -> None:
    (tree.own / "cgroup.procs").write_text(f"{os.getpid()}\n1\n")
    assert "holds 1 other processes" in tree.probe().why
    (tree.own / "cgroup.controllers").write_text("cpu memory\n")
    assert "was not given pids" in tree.probe().why
    (tree.own / "cgroup.controllers").unlink()
    assert "no control groups of version 2" in tree.probe().why
    tree.of_process.write_text("1:name=systemd:/old\n")
    assert "no control groups of version 2" in tree.probe().why
    assert not (tree.own / "arena-main").exists()


@pytest.mark.process
def test_a_group_that_nobody_can_enter_is_not_taken(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("arena.isolation.control_groups.ControlGroup.enter", refuse)
    assert tree.probe() == (
        None,
        "the control group /user/arena.scope cannot be divided: no process can enter a group in it",
    )
    assert tree.bots() == list(tree.own.glob("arena-probe-*")) == []


def test_a_box_has_room_for_its_files_and_a_scope_for_the_supervisor() -> None:
    limits = orders_for(ControlGroups("cgroup", "/g"), 100, 4, disk_mb=0).group
    assert limits is not None
    assert limits["limits"]["memory.max"] == str(100 << 20)
    assert limits["limits"]["pids.max"] == str(4 + 256)
    boxed = orders_for(ControlGroups("cgroup", "/g"), 100, 4, disk_mb=10, helpers=2).group
    assert boxed is not None
    assert (boxed["limits"]["memory.max"], boxed["limits"]["pids.max"]) == (str(174 << 20), str(6 + 256))
    scope = orders_for(ControlGroups("systemd", "/bin/systemd-run"), 100, 4, disk_mb=0)
    assert {"--property=MemoryMax=132M", "--property=TasksMax=261", "--user", "--scope"} <= set(scope.prefix)
    assert orders_for(None, 100, 4, disk_mb=0) == control_groups.NO_GROUP


def bot(folder: Path, source: str, how: ControlGroups, manifest: str = "") -> tuple[Any, Path]:
    note = folder / "note"
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.py").write_text(f"NOTE = {str(note)!r}\n{source}")
    (folder / "bot" / "bot.toml").write_text(f"command = ['{{python}}', 'bot.py']\n{manifest}")
    return build(expand([folder / "bot"]).found[0], folder / "cache", isolation=Isolation("none", groups=how)), note


def noted(note: Path) -> None:
    limit = time.monotonic() + 60
    while not note.exists():
        assert time.monotonic() < limit, "the bot did not begin"
        time.sleep(0.01)


@pytest.fixture
def started(tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[BotProcess, Path]]:
    """A bot in a group, and the group."""
    (tmp_path / "wrapper.py").write_text(WRAPPER.format(root=str(Path(__file__).parents[3]), tree=str(tree.root)))
    monkeypatch.setattr(supervisor, "SCRIPT", str(tmp_path / "wrapper.py"))
    (tmp_path / "run").mkdir()
    built, note = bot(tmp_path, STAY, ControlGroups("cgroup", str(tree.own)), "limits = { memory_mb = 99 }")
    process = launch(built, "ipc://nowhere", "token", run_dir=tmp_path / "run")
    try:
        noted(note)
        [group] = tree.bots()
        yield process, group
    finally:
        process.end()
        assert tree.bots() == []


@pytest.mark.slow
@pytest.mark.process
def test_a_bot_that_the_kernel_killed_for_its_memory_is_charged_for_that(started: tuple[BotProcess, Path]) -> None:
    process, group = started
    assert (group / "memory.max").read_text() == str(99 << 20)
    assert (group / "memory.oom.group").read_text() == "1"
    assert (group / "cgroup.procs").read_text() == "0", "the bot itself went in"
    (group / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason == "ended for using more than its memory (limit 99 MiB)"


def test_a_process_that_dies_when_the_machine_is_out_of_memory_exceeded_no_limit(tmp_path: Path) -> None:
    (tmp_path / "memory.events").write_text("low 0\noom 2\noom_kill 2\n")
    group = ControlGroup(str(tmp_path), None)
    (tmp_path / "memory.events").write_text("low 0\noom 2\noom_kill 3\n")
    assert not group.has_killed()
    (tmp_path / "memory.events").write_text("low 0\noom 3\noom_kill 3\n")
    assert group.has_killed()


@pytest.mark.slow
@pytest.mark.process
def test_the_processor_time_is_that_which_the_kernel_counted(started: tuple[BotProcess, Path]) -> None:
    process, group = started
    (group / "cpu.stat").write_text("usage_usec 3700500000\n")
    ended = process.wait(60)
    assert ended is not None
    assert ended.reason == "ended for using 3700 s of processor time in a game (limit 3600)"


@pytest.mark.process
def test_a_group_that_cannot_be_made_is_no_fault_of_the_bot(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    built, _ = bot(tmp_path, STAY, ControlGroups("cgroup", str(tmp_path / "gone")))
    process = launch(built, "ipc://nowhere", "token", run_dir=tmp_path / "run")
    try:
        ended = process.wait(60)
    finally:
        process.end()
    assert ended is not None
    assert ended.shortage
    assert ended.reason == "no process could be started: No such file or directory"


@pytest.mark.process
def test_systemd_runs_the_supervisor_in_a_scope_and_the_bot_learns_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = groups.systemd_run(tmp_path / "bin", tmp_path / "log")
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    found = by_systemd()
    assert found.groups == ControlGroups("systemd", str(program))
    source = "import os, sys\nsys.exit(7 if 'XDG_RUNTIME_DIR' in os.environ else 5)\n"
    built, _ = bot(tmp_path, source, found.groups)
    (tmp_path / "run").mkdir()
    process = launch(built, "ipc://nowhere", "token", run_dir=tmp_path / "run")
    try:
        ended = process.wait(60)
    finally:
        process.end()
    assert ended is not None
    assert ended.code == 5
    tried, start = (tmp_path / "log").read_text().splitlines()
    assert "--user --scope" in tried
    assert "MemoryMax=2080M" in start
    assert start.endswith(f"{supervisor.SCRIPT} /run/user/1")


@pytest.mark.process
def test_a_systemd_that_fails_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = groups.systemd_run(tmp_path / "bin", tmp_path / "log")
    program.write_text("#!/bin/sh\necho Failed to connect to bus >&2\nexit 1\n")
    monkeypatch.setenv("PATH", str(program.parent))
    assert by_systemd() == (None, "systemd-run --user fails: Failed to connect to bus")
    program.unlink()
    assert by_systemd() == (None, "systemd-run is not installed")
    monkeypatch.setenv(control_groups.SWITCH, "off")
    probe_groups.cache_clear()
    assert probe_groups() == (None, "ARENA_EXACT_LIMITS is off")


@pytest.mark.process
@pytest.mark.slow
def test_what_holds_the_limits_is_recorded_and_the_doctor_names_it(tmp_path: Path) -> None:
    program = groups.systemd_run(tmp_path / "bin", tmp_path / "log")
    shell = Shell(tmp_path)
    del shell.environment[control_groups.SWITCH]
    shell.environment["PATH"] = f"{program.parent}:{os.environ['PATH']}"
    assert shell.json("doctor")["exact_limits"] == "yes: by systemd-run --user --scope"
    asked = ("tournament", "@greedy", "@pairs", "--games", 2, "--players", 2, "--seed", 1, "--jobs", 1, "--out", "t")
    done = shell.run(*asked, "--isolation", "none")
    assert "limits held by systemd" in done.stdout
    assert shell.json("show", "t")["isolation"] == ["none+systemd"]
    assert shell.run("verify", "t").returncode == 0
    shell.close()

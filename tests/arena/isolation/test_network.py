"""Which bots may use the network, who is told so, and what becomes of the variables that they get."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from arena.cluster.worker_side import PortableConfig, portable, prepare
from arena.entrants import BuildFailed, build, expand
from arena.game.clock import TimeControl
from arena.isolation.probe import choose
from arena.isolation.settings import Isolation, IsolationError, IsolationPlan, leave_for
from arena.referee.config import RefereeConfig
from arena.tournament.plan import read_plan
from tests.isolation_demand import need
from tests.shell import Shell

SECRET = "hush-4711"
ASKS = """
import os
from arena.client import run

def decide(game):
    game.note(f"key of {len(os.environ['KEY'])} letters")
    return 0

run(decide)
"""


def bot(folder: Path, manifest: str = "network = true", program: str = ASKS, name: str = "mine") -> Path:
    (folder / name).mkdir()
    (folder / name / "bot.py").write_text(program)
    (folder / name / "bot.toml").write_text(f"command = '{{python}} bot.py'\n{manifest}\n")
    return folder / name


def test_leave_is_recorded_by_names_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", SECRET)
    leave = choose(IsolationPlan("none"), network=["mine=KEY", "other"])
    assert leave.recorded == "none; mine uses the network and gets KEY; other uses the network"
    assert (leave.variables_of("mine"), leave.variables_of("other"), leave.variables_of("third")) == (["KEY"], [], None)
    assert SECRET not in repr(leave)
    assert leave_for(leave.network, "mine") == ["mine=KEY"]


@pytest.mark.parametrize(
    ("leave", "why"),
    [
        ("mine=NO_SUCH_KEY", "mine=NO_SUCH_KEY: NO_SUCH_KEY is not set here: export it, or leave it out"),
        ("mine=ARENA_SEED", "mine: after = stand names of variables, with commas between, and none of ARENA_"),
        (
            "mine=sk-4711",
            "^network: mine: after = stand names of variables, with commas between, and none of ARENA_$",
        ),
    ],
)
def test_leave_for_what_cannot_be_given_is_refused(leave: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SEED", "7")
    with pytest.raises(IsolationError, match=why):
        choose(IsolationPlan("none"), network=[leave])


def test_a_bot_that_needs_the_network_is_refused_without_leave(tmp_path: Path) -> None:
    found = expand([bot(tmp_path)]).found[0]
    for isolation in (Isolation("none"), Isolation("none", network=("other=KEY",))):
        with pytest.raises(BuildFailed, match=r"it needs the network, .*: --network mine, or network = \[\"mine\"\]"):
            build(found, tmp_path / "cache", isolation=isolation)
    assert build(found, tmp_path / "cache", isolation=Isolation("none", network=("mine",))).isolation.network


def test_in_a_box_the_network_is_not_for_a_bot_that_has_a_network_of_its_own(tmp_path: Path) -> None:
    found = expand([bot(tmp_path, 'transport = "tcp"')]).found[0]
    with pytest.raises(BuildFailed, match='in a box a bot with transport = "tcp" has its own network alone'):
        build(found, tmp_path / "cache", isolation=Isolation("box", network=("mine",)))
    assert build(found, tmp_path / "cache", isolation=Isolation("landlock", network=("mine",)))


def test_what_is_typed_stands_for_what_the_plan_says(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('network = ["mine=KEY"]\n')
    assert read_plan(file, {}).network == ["mine=KEY"]
    assert read_plan(file, {"network": ["other"]}).network == ["other"]


def test_on_another_machine_a_bot_gets_the_variables_of_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", SECRET)
    isolation = choose(IsolationPlan("none"), network=["mine=KEY"])
    built = build(expand([bot(tmp_path)]).found[0], tmp_path / "cache", isolation=isolation)
    travels: PortableConfig = portable(RefereeConfig("kosmos", {}, TimeControl(), {"mine": built}))
    assert SECRET not in repr(travels)
    assert travels.network == ("mine=KEY",)
    monkeypatch.delenv("KEY")
    with pytest.raises(IsolationError, match="mine=KEY: KEY is not set here"):
        prepare(travels, 1)


@pytest.mark.process
@pytest.mark.slow
def test_each_command_has_the_option_and_says_whose_leave_is_missing(tmp_path: Path) -> None:
    bot(tmp_path)
    shell = Shell(tmp_path)
    for words in (("match", "mine", "@random_bot"), ("check", "mine", "--step", 1), ("play", "mine", "--text")):
        asked = shell.run(*words, "--network", "main", code=2)
        assert "network: no bot is called main: there are mine" in asked.stderr
    assert "it needs the network" in shell.run("match", "mine", "@random_bot", code=2).stderr
    refused = shell.run(
        "tournament", "mine", "@random_bot", "@greedy", "--games", 2, "--players", 2, "--strict", code=2
    )
    assert "mine: could not be built: it needs the network" in refused.stderr
    shell.close()


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("level", ["box", "none"])
def test_a_tournament_keeps_who_has_leave_and_no_secret(tmp_path: Path, level: Any) -> None:
    need(level)
    bot(tmp_path)
    shell = Shell(tmp_path)
    env = {"KEY": SECRET}
    asked = ["tournament", "mine", "@random_bot", "--players", 2, "--seed", 1, "--jobs", 1, "--out", "t", "--trace"]
    asked += ["--isolation", level]
    done = shell.run(*asked, "--games", 2, "--network", "mine=KEY", env=env)
    assert re.search(rf"isolation: {level}.*, mine uses the network and gets KEY", done.stdout)
    assert "key of 9 letters" in next((tmp_path / "t" / "trace").glob("*.jsonl")).read_text("utf-8")
    again = shell.run(*asked, "--games", 4, code=2).stderr
    assert "its network is for mine=KEY, not for nobody" in again
    assert "gets KEY" in shell.run("report", "t").stdout
    shell.run("publish", "t", "--to", "pages")
    holds = [path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]
    assert holds == []
    assert SECRET not in done.stdout + done.stderr
    shell.close()

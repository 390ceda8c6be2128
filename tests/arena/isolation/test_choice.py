"""Which level is taken: the best that works, the one that is asked for, or none with the reason and the remedy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.isolation import probe as probing
from arena.isolation.bubblewrap import found
from arena.isolation.probe import REQUIRED, Probed, choose
from arena.isolation.readable import program_paths
from arena.isolation.settings import (
    ControlGroups,
    Isolation,
    IsolationError,
    IsolationPlan,
    read_isolation,
    recorded_level,
)
from arena.tournament.plan import Plan, PlanError, read_plan
from tests.isolation_demand import need
from tests.shell import Shell


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The levels that work on a machine."""
    works = ["landlock", "none"]
    monkeypatch.delenv(REQUIRED, raising=False)
    monkeypatch.setattr(
        probing, "probe", lambda level: Probed(level, level in works, "it is not there", "Install it: apt install it")
    )
    return works


def test_auto_takes_the_first_that_works(machine: list[str]) -> None:
    assert choose(IsolationPlan("auto")).level == "landlock"
    machine.append("box")
    assert choose(IsolationPlan("auto")).level == "box"
    machine.clear()
    machine.append("none")
    assert choose(IsolationPlan("auto")).level == "none"


def test_without_a_word_it_is_auto(machine: list[str]) -> None:
    assert Plan().isolation == IsolationPlan("auto")
    assert choose(Plan().isolation).level == "landlock"


def test_what_is_asked_for_and_not_there_is_an_error_with_its_remedy(machine: list[str]) -> None:
    with pytest.raises(IsolationError, match=r"by box on this machine: it is not there\. Install it: apt install it\."):
        choose(IsolationPlan("box"))


@pytest.mark.parametrize("asked", ["auto", "landlock", "none"])
def test_the_environment_can_demand_a_box(machine: list[str], asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRED, "box")
    with pytest.raises(IsolationError, match=r"ARENA_REQUIRE_ISOLATION demands the isolation box.*apt install it"):
        choose(read_isolation(asked))
    machine.append("box")
    assert choose(IsolationPlan("box")).level == "box"


def test_a_demand_that_is_none_is_refused(machine: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRED, "yes")
    with pytest.raises(IsolationError, match="must be one of box, landlock, none"):
        choose(IsolationPlan("auto"))


def test_the_network_is_for_builds_that_a_plan_or_the_option_lets_out(machine: list[str], tmp_path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('build_network = true\nisolation = "none"\n')
    for plan, allowed in (
        (read_plan(file, {}), True),
        (Plan(), False),
        (read_plan(None, {"build_network": True}), True),
    ):
        assert choose(plan.isolation, plan.build_network).build_network is allowed
    file.write_text('build_network = "yes"\n')
    with pytest.raises(PlanError, match="build_network: 'yes' is not true or false"):
        read_plan(file, {})


def test_a_plan_has_a_table_and_the_option_wins(tmp_path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('[isolation]\nlevel = "landlock"\nreadable = ["/srv"]\n')
    assert read_plan(file, {}).isolation == IsolationPlan("landlock", ["/srv"])
    assert read_plan(file, {"isolation": "box"}).isolation == IsolationPlan("box", ["/srv"])
    opened = Isolation(
        "box", ("/srv", str(Path.home() / "books")), build_network=True, groups=ControlGroups("cgroup", "")
    )
    assert opened.recorded == "box+cgroup; reads /srv; reads ~/books; builds use the network"
    assert recorded_level(opened.recorded) == "box"
    assert msgspec.structs.replace(opened, level="none", groups=None).recorded == "none", "all is open there"
    assert read_plan(None, {"isolation": "auto"}).isolation == IsolationPlan("auto")
    file.write_text('[isolation]\nlevel = "prison"\n')
    with pytest.raises(
        PlanError, match=r"isolation: `level` cannot be 'prison': it must be one of auto, box, landlock, none"
    ):
        read_plan(file, {})


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("level", ["box", "landlock", "none"])
def test_games_are_played_at_each_level_and_tables_name_it(level, tmp_path) -> None:
    need(level)
    shell = Shell(tmp_path)
    asked = ("tournament", "@greedy", "@pairs", "--games", 2, "--players", 2, "--seed", 1, "--jobs", 1, "--out", "t")
    done = shell.run(*asked, "--isolation", level)
    assert f"isolation: {level}" in done.stdout
    assert ("Bots can read and change all that you can" in done.stderr) is (level == "none")
    shown = shell.json("show", "t")
    assert shown["isolation"] == [level]
    assert json.dumps(shown).count('"crash": 0') >= 2
    shell.close()


@pytest.mark.process
@pytest.mark.slow
def test_without_namespaces_less_isolation_is_taken_and_a_demand_fails(tmp_path) -> None:
    need("box")
    program = found()
    assert program is not None
    inside = [program, "--dev-bind", "/", "/", "--unshare-user", "--disable-userns"]  # where bubblewrap makes no more
    command = [*inside, sys.executable, "-m", "arena", "check", "@greedy", "--step", "1"]
    environment = os.environ | {"ARENA_CACHE": str(tmp_path / "cache")}
    for demand, code, said in (
        (None, 0, r"isolation: (landlock|none)\n"),
        ("box", 2, f"{REQUIRED} demands the isolation box"),
    ):
        more = {} if demand is None else {REQUIRED: demand}
        done = subprocess.run(command, env=environment | more, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == code, done.stderr
        assert re.search(said, done.stdout + done.stderr)


TCP_BOT = """
import os
from arena.client import run

assert os.environ["ARENA_ENDPOINT"].startswith("tcp://127.0.0.1:")
run(lambda decision: 0)
"""


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("level", ["box", "landlock"])
def test_a_bot_that_connects_over_tcp_plays_without_being_told_how(level, tmp_path) -> None:
    need(level)
    bot = tmp_path / "bot"
    bot.mkdir()
    (bot / "bot.py").write_text(TCP_BOT)
    (bot / "bot.toml").write_text('command = "{python} bot.py"\ntransport = "tcp"\n')
    shell = Shell(tmp_path)
    played = shell.json("match", "bot", "@random_bot", "--isolation", level, "--seed", 1, "--start", 60, "--bank", 60)
    assert (played["ending"], played["faults"], played["isolation"]) == ("finished", [], level)
    shell.close()


@pytest.mark.process
@pytest.mark.slow
def test_the_doctor_says_what_this_machine_can_do(tmp_path) -> None:
    shell = Shell(tmp_path)
    report = shell.json("doctor")
    assert [each["level"] for each in report["levels"]] == ["box", "landlock", "none"]
    assert next(each["level"] for each in report["levels"] if each["works"]) == report["auto"]
    assert all(each["works"] or each["remedy"] for each in report["levels"])
    assert report["auto"] in shell.run("doctor").stdout
    shell.close()


def test_a_user_whom_the_system_does_not_know_needs_no_home(
    monkeypatch: pytest.MonkeyPatch, machine: list[str], tmp_path: Path
) -> None:
    def unknown(uid: int) -> None:
        raise KeyError(f"uid not found: {uid}")

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert Isolation("box", ("/srv/books",)).recorded == "box; reads /srv/books"
    program = tmp_path / "node" / "bin" / "node"
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert str(tmp_path / "node") in program_paths(["node"], tmp_path / "bot")
    with pytest.raises(IsolationError, match="readable: ~/books: no home folder is known for it: write the whole path"):
        choose(IsolationPlan(readable=["~/books"]))
    with pytest.raises(IsolationError, match="readable: ~nobody-here/books: no home folder is known"):
        choose(IsolationPlan(readable=["~nobody-here/books"]))

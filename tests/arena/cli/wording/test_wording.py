"""What the commands print, in all its words: in one snapshot file a command. Other tests assert codes and fields."""

from __future__ import annotations

import difflib
import shlex
from contextlib import ExitStack

import pytest

from arena.isolation.probe import Probed
from arena.isolation.settings import Level
from tests.arena.cli import reference
from tests.arena.cli.wording import snapshot
from tests.arena.cli.wording.scenario import Place, Scenario
from tests.arena.cli.wording.snapshot import COMMANDS

pytestmark = pytest.mark.process  # the tournament that many of them read is played

ALL = [
    pytest.param(command, scenario, id=f"{command}: {scenario.name}", marks=scenario.marks)
    for command in COMMANDS
    for scenario in snapshot.scenarios_of(command)
]


def no_isolation(level: Level) -> Probed:
    """Find what there is on a machine that keeps no bots apart."""
    return Probed(level, level == "none", "this machine has none", "Take another one")


@pytest.mark.parametrize(("command", "scenario"), ALL)
def test_the_snapshot_has_what_is_printed(
    request, cli, tmp_path, played, monkeypatch, command: str, scenario: Scenario
):
    monkeypatch.setattr("arena.common.progress._LONG_SECONDS", 10_000)  # however busy the machine is
    monkeypatch.setattr("arena.cli.progress.LONG_SECONDS", 10_000)
    monkeypatch.setattr("arena.isolation.probe.probe", no_isolation)  # whatever the machine can do
    entries = []
    with ExitStack() as stack:
        scenario.given(Place(tmp_path, played, monkeypatch, stack))
        for line in scenario.commands:
            words = shlex.split(line)
            monkeypatch.setattr("sys.argv", ["arena", *words])
            done = cli(*words, code=None)
            entries.append(snapshot.entry(line, done, tmp_path, scenario))
    found = snapshot.section(scenario, entries)
    if (writer := snapshot.writer(request.config)) is not None:
        writer.add(command, scenario.name, found)
        return
    kept = snapshot.read(command).get(scenario.name, "")
    if found != kept:
        diff = difflib.unified_diff(kept.splitlines(), found.splitlines(), f"{command}.txt", "now", lineterm="")
        pytest.fail("\n".join([*diff, f"If this is meant: {snapshot.again(command)}"]), pytrace=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_snapshot_has_every_scenario_once_and_no_other(command: str):
    names = [scenario.name for scenario in snapshot.scenarios_of(command)]
    assert len(names) == len(set(names)), "two scenarios have the same name"
    assert list(snapshot.read(command)) == names, f"If this is meant: {snapshot.again(command)}"


def test_every_command_has_a_snapshot_and_every_snapshot_a_command():
    assert set(COMMANDS) == {snapshot.ANY, *reference.COMMANDS}, "a module with SCENARIOS is missing, or one too many"
    assert {file.stem for file in snapshot.FOLDER.glob("*.txt")} == set(COMMANDS)

"""`arena check` against misbehaving bots: each fails at the step that is meant for it.

The first bot of each step takes all steps before it as well, and fails none of them.
"""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.check import STEPS, StepResult, check
from arena.entrants import expand
from arena.game.clock import TimeControl
from tests.faults.test_misbehaving_bots import FILES, HERE, MISBEHAVIOURS, bad_bot

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (HERE / "README.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
]
MEANT = {row[0].strip("`"): row[3] for row in ROWS}
CAUGHT = [name for name, step in MEANT.items() if not step.startswith("none:")]
SOUND = [name for name, step in MEANT.items() if step.startswith("none:")]
TIME = TimeControl(start=20.0, move=0.2, bank=1.0)
IMPATIENT = TimeControl(start=3.0, move=0.2, bank=1.0)
FIRST = {step: name for name, step in reversed(MEANT.items()) if name in CAUGHT and name != "slow"}.values()
"""A bot for each step, but for one that takes long in all steps."""
BY_PROC = {"impostor"}
CODE = "".join((HERE / file).read_text("utf-8") for file in FILES)


def tried(tmp_path: Path, behaviour: str, only: set[str], game: str | None = None) -> list[StepResult]:
    """The results up to the first failure. `game`: the only one that is played; None: all are."""
    [entrant] = expand([bad_bot(tmp_path, behaviour)]).found
    time = IMPATIENT if behaviour == "at_start_mute" else TIME
    results = []
    checked: Any = check(entrant, time, only=only, game=game, cache=tmp_path / "cache")
    with closing(checked) as steps:
        for result in steps:
            results.append(result)
            if result.outcome == "failed":
                break
    return results


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("behaviour", CAUGHT)
def test_each_is_caught_by_the_step_that_is_meant_for_it(tmp_path, behaviour):
    """The first one of each step takes all steps before it, the others only those that lead to it."""
    if behaviour in BY_PROC and not Path("/proc/self/environ").exists():
        pytest.skip("tokens are looked up in /proc")
    # In the game whose games are shorter, since they behave alike in all.
    only = set() if behaviour in FIRST else {MEANT[behaviour]}
    last = tried(tmp_path, behaviour, only, "kosmos")[-1]
    assert (last.outcome, last.step) == ("failed", MEANT[behaviour]), last
    problem = last.problem
    assert problem is not None
    assert problem.what
    if "exit code 1" in problem.what:
        assert problem.stderr


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("behaviour", SOUND)
def test_what_is_no_fault_passes(tmp_path, behaviour):
    results = tried(tmp_path, behaviour, set(), "kosmos")
    assert [result.step for result in results] == [step.name for step in STEPS]
    assert {result.outcome for result in results} <= {"passed", "skipped"}


def test_the_table_has_every_behaviour_and_the_fault_it_counts_as():
    named = set(re.findall(r"^def ((?!_)\w+)\((?:bot, message|\*_)?\):", CODE, re.MULTILINE)) - {"others_tokens"}
    assert set(MEANT) == named
    counted = {row[0].strip("`"): row[2] for row in ROWS}
    assert {name: code for name, code in counted.items() if code != "-"} == {
        name: code or "no fault" for name, code in MISBEHAVIOURS.items()
    }


def test_every_step_but_the_first_two_has_a_bot_that_fails_it():
    assert {MEANT[name] for name in CAUGHT} == {step.name for step in STEPS} - {"build", "names"}

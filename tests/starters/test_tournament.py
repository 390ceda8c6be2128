"""Bots of seven languages in one tournament, of either game: all play, and none does anything wrong."""

from __future__ import annotations

import json

import pytest

from tests.starters.conftest import ROOT, STARTERS, Workshop, named

pytestmark = pytest.mark.toolchains

ELSEWHERE = {"kosmos": {"navigator", "strider"}, "ravensburger": {"greedy", "pairs", "planner", "saboteur", "sprinter"}}
"""By game: the bots that do not play it."""


@pytest.mark.parametrize("game", ELSEWHERE)
def test_bots_of_all_languages_play_and_make_no_fault(workshop: Workshop, game: str) -> None:
    quick = {path.stem for path in (ROOT / "bots").glob("*.py")} - {"explorer"}
    bots = [f"bots/{name}.py" for name in sorted(quick)]
    bots += [str(workshop.make(key)) for key in STARTERS]
    done = workshop.run("tournament", *bots, "--game", game, "--games", 60, "--build-network", "--out", "all", "--json")
    board = json.loads(done.stdout)
    assert {each["bot"] for each in board["left_out"]} == ELSEWHERE[game], board["left_out"]
    played = {row["bot"]: row for row in board["overall"]}
    assert {named(key) for key in STARTERS} <= played.keys()
    assert not {name: row["faults"] for name, row in played.items() if any(row["faults"].values())}

"""Bots of seven languages in one tournament, of either game: all play, and none does anything wrong."""

from __future__ import annotations

import json

import pytest

from tests.starters.conftest import ROOT, STARTERS, Workshop, named

pytestmark = pytest.mark.toolchains

ELSEWHERE = {"kosmos": {"navigator", "strider"}, "ravensburger": {"greedy", "pairs", "planner", "saboteur", "sprinter"}}
"""By game: the bots that do not play it."""


@pytest.mark.parametrize("key", STARTERS)
def test_a_bot_of_each_language_beats_random_play_clearly(workshop: Workshop, key: str) -> None:
    """All share the idea of tests/bots/test_bots.py."""
    made = workshop.make(key)
    rivals = [f"{name}.py" for name in ("one", "two", "three")]
    for rival in rivals:
        (workshop.folder / rival).write_bytes((ROOT / "bots" / "random_bot.py").read_bytes())
    asked = ["--format", "gauntlet", "--challenger", named(key), "--players", "2,4", "--games", 40, "--seed", 1]
    done = workshop.run("tournament", made, *rivals, *asked, "--build-network", "--out", "gauntlet", "--json")
    board = json.loads(done.stdout)
    for players, least in (("2", 0.9), ("4", 0.5)):
        [own] = [row for row in board["players"][players] if row["bot"] == named(key)]
        assert own["games"] >= 16
        assert own["wins"] >= least


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

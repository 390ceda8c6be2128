"""Bots of seven languages in one tournament, of either game: all play, and none does anything wrong."""

from __future__ import annotations

import json

import pytest

from tests.starters.conftest import STARTERS, Workshop

pytestmark = pytest.mark.toolchains

ELSEWHERE = {"kosmos": {"navigator", "strider"}, "ravensburger": {"greedy", "pairs", "planner", "saboteur", "sprinter"}}
"""By game: the bots that do not play it."""


@pytest.mark.parametrize("game", ELSEWHERE)
def test_bots_of_all_languages_play_and_make_no_fault(workshop: Workshop, game: str) -> None:
    done = workshop.run("tournament", "bots/*", "--game", game, "--build-network", "--out", "all", "--json")
    board = json.loads(done.stdout)
    assert {each["bot"] for each in board["left_out"]} == ELSEWHERE[game], board["left_out"]
    played = {row["bot"]: row for row in board["overall"]}
    assert {each.name for each in STARTERS.values()} <= played.keys()
    assert not {name: row["faults"] for name, row in played.items() if any(row["faults"].values())}

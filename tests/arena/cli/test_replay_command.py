"""`arena replay`: a recorded game in words, as a whole or through the eyes of one seat."""

from __future__ import annotations

import pytest

from arena.ledger import Ledger
from arena.match.replay import replay
from engine import catalog
from tests.arena.cli.conftest import parsed

WHOLE, CRASHED = "p3-b0000-r0", "p3-b0000-r2"


@pytest.fixture(scope="module")
def events(played):
    """Everything that happened in a game of three: who may know it (None: everybody), and what it was."""
    with Ledger.open(played) as ledger:
        record, edition = ledger.game(WHOLE), ledger.meta["edition"]
    found = [event for match_step in replay(record, catalog.game("kosmos"), edition) for event in match_step.events]
    assert len({event.to for event in found} - {None}) > 1, "the bots draw cards that others do not see"
    return found


def test_a_game_is_told_from_its_bots_to_its_result(cli, played):
    lines = cli("replay", played, WHOLE).stdout.splitlines()
    assert lines[0].startswith(f"{WHOLE}: 0 ")
    assert set(lines[0].partition(": ")[2].replace(",", "").split()) == {
        *("0", "1", "2"),
        *("greedy", "random_bot", "crasher"),
    }
    assert lines[-5:-3] == ["", "finished:"]
    assert [line.split()[1] for line in lines[-3:]] == ["greedy", "random_bot", "crasher"]
    assert "    crasher notes: my secret plan" in lines


def test_a_retired_seat_is_told_with_its_substitute_and_its_fault(cli, played):
    told = cli("replay", played, CRASHED).stdout
    assert "\ncrasher is no longer played by its bot\n" in told
    assert "  (substitute)\n" in told
    assert "\n! crasher, turn 2: crash: exit code 3\n\nfinished:\n" in told
    assert "! crasher" not in cli("replay", played, CRASHED, "--seat", 1).stdout


def test_the_json_of_a_whole_game_holds_every_step_and_event(cli, played, events):
    game = parsed(cli("replay", played, WHOLE, "--json"))
    with Ledger.open(played) as ledger:
        record = ledger.game(WHOLE)
    assert {key: game[key] for key in ("id", "bots", "ending", "ranks", "scores")} == {
        "id": WHOLE,
        "bots": record.bots,
        "ending": record.ending,
        "ranks": record.ranks,
        "scores": record.scores,
    }
    assert [(step["seat"], step["index"], step["by"]) for step in game["steps"]] == [
        (step.seat, step.index, step.by) for step in record.steps
    ]
    assert [each for step in game["steps"] for each in step["events"]] == [event.what for event in events]


@pytest.mark.parametrize("seat", range(3))
def test_the_json_of_one_seat_holds_what_it_may_know_and_nothing_else(cli, played, events, seat):
    game = parsed(cli("replay", played, WHOLE, "--seat", seat, "--json"))
    seen = [each for step in game["steps"] for each in step["events"]]
    assert seen == [event.what for event in events if event.to in (None, seat)]
    for step in game["steps"]:
        if "kind" in step:
            assert step["seat"] == seat
            assert step["offered"][step["index"]] == step["action"]
        else:
            assert set(step) == {"events"}


@pytest.mark.parametrize("seat", range(3))
def test_one_seat_is_told_its_own_choices_and_none_of_the_others_secrets(cli, played, events, seat):
    whole = cli("replay", played, WHOLE).stdout.splitlines()
    told = cli("replay", played, WHOLE, "--seat", seat).stdout.splitlines()
    name = parsed(cli("replay", played, WHOLE, "--json"))["bots"][seat]
    assert any(line.startswith("> ") and "(option " in line for line in told)
    assert [line for line in told if not line.startswith("> ")] == [line for line in whole if line in told], (
        "the same lines in the same order, and fewer of them"
    )
    assert not any(line.startswith("> ") for line in whole)
    drew = [line for line in whole if " drew " in line]
    mine = [line for line in drew if line.startswith(f"{name} ")]
    assert [line for line in told if " drew " in line] == mine
    assert mine != drew
    assert any("notes:" in line for line in told) == (name == "crasher")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["p9-b0000-r0"], "there is no game 'p9-b0000-r0' in"),
        (["p9-b0000-r0"], "it has 7, from p2-b0000-r0 to p2-b0001-r1"),
        ([WHOLE, "--seat", 3], f"--seat: 3: {WHOLE} has the seats 0 to 2"),
        ([WHOLE, "--seat", -1], "'--seat': '-1' is not a whole number from 0"),
        ([], "is a folder: name one of its games too"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(cli, played, words, said):
    refused = cli("replay", played, *words, code=2)
    assert said in refused.stderr
    assert refused.stdout == ""

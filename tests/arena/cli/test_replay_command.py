"""`arena replay`: a recorded game in words, as a whole or through the eyes of one seat."""

from __future__ import annotations

import pytest

from arena.cli.narration import Narrator
from arena.game.replay import replay
from arena.ledger import Ledger
from engine import catalog
from tests.arena.cli.conftest import parsed

WHOLE = "p3-b0000-r0"


@pytest.fixture(scope="module")
def events(played):
    """Everything that happened in a game of three: who may know it (None: everybody), and what it was."""
    with Ledger.open(played) as ledger:
        record, edition = ledger.game(WHOLE), ledger.meta["edition"]
    found = [event for game_step in replay(record, catalog.rules("kosmos"), edition) for event in game_step.events]
    assert len({event.to for event in found} - {None}) > 1, "the bots draw cards that others do not see"
    return found


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
    game = parsed(cli("replay", played, WHOLE, "--seat", seat + 1, "--json"))
    seen = [each for step in game["steps"] for each in step["events"]]
    assert seen == [event.what for event in events if event.to in (None, seat)]
    for step in game["steps"]:
        if "kind" in step:
            assert step["seat"] == seat
            assert step["offered"][step["index"]] == step["action"]
        else:
            assert set(step) == {"events"}


@pytest.mark.parametrize("seat", range(3))
def test_one_seat_sees_its_own_choices_and_none_of_the_others_secrets(cli, played, events, seat):
    whole = cli("replay", played, WHOLE).stdout.splitlines()
    told = cli("replay", played, WHOLE, "--seat", seat + 1).stdout.splitlines()
    bots = parsed(cli("replay", played, WHOLE, "--json"))["bots"]
    assert any(line.startswith("> ") for line in told)
    assert [line for line in told if not line.startswith("> ")] == [line for line in whole if line in told], (
        "the same lines in the same order, and fewer of them"
    )
    assert not any(line.startswith("> ") for line in whole)
    words = Narrator(catalog.rules("kosmos"), bots).words
    mine = {words(event.what) for event in events if event.to == seat}
    others = {words(event.what) for event in events if event.to not in (None, seat)}
    assert others
    assert mine <= set(told)
    assert not others & set(told)
    assert any("my secret plan" in line for line in told) == (bots[seat] == "crasher")


def test_a_game_is_written_as_a_picture_that_plays_itself(cli, played, tmp_path):
    to = tmp_path / "game.gif"
    assert cli("replay", played, WHOLE, "--to", to).stdout == f"written: {to}\n"
    assert to.read_bytes().startswith(b"GIF89a")
    assert to.stat().st_size <= 2_000_000
    for words in (["--to", tmp_path / "game.mp4"], ["--to", to, "--seat", 1], ["--to", to, "--json"]):
        assert cli("replay", played, WHOLE, *words, code=2).stderr.count("--to") >= 1

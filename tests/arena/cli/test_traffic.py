"""Messages in words, on the terminal; and a recorded game asked of a bot again."""

from __future__ import annotations

import json

import pytest

from arena.cli.match import Traffic
from arena.ledger import Ledger
from engine import catalog
from tests.arena.cli.conftest import CRASHER, ROOT, parsed

GREEDY, RANDOM = ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py"
CALM = ("--start", 60, "--bank", 60, "--seed", 1)
VECTORS = json.loads((ROOT / "docs" / "vectors" / "messages.json").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.process
def test_a_trace_is_shown_beside_the_game(cli, tmp_path):
    told = cli("match", GREEDY, RANDOM, *CALM, "--trace", "traces").stdout
    written = [json.loads(line) for line in (tmp_path / "traces" / "game.jsonl").read_text("utf-8").splitlines()]
    heads = [line for line in told.splitlines() if " ms  to " in line or " ms  from " in line]
    assert len(heads) == len(written)
    game, again = cli("match", GREEDY, RANDOM, *CALM).stdout.split("\nagain: ")
    assert game in "\n".join(line for line in told.splitlines() if line not in heads and not line.startswith(" " * 14))
    assert told.split("\nagain: ")[1] == again.replace("--seed", "--trace traces --seed")


@pytest.mark.slow
@pytest.mark.process
def test_json_stays_json_with_a_trace(cli):
    assert parsed(cli("match", GREEDY, RANDOM, *CALM, "--trace", "traces", "--json"))["ending"] == "finished"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_every_message_has_words(vector):
    traffic = Traffic(catalog.rules("kosmos"), ["us"] * 6)
    way = "to" if vector["from"] == "referee" else "from"
    lines = traffic.lines({"ms": 1.5, way: 0, "message": vector["json"]})
    assert lines[0].startswith(f"      1.5 ms  {way} us: {vector['json']['type']}")
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("message", [[], "act", {"type": "act"}, {"type": [1]}, {"type": "act", "index": {}}, {1: 2}])
def test_whatever_a_bot_sends_can_be_shown(message):
    [line] = Traffic(catalog.rules("kosmos"), ["bad"]).lines({"ms": 0.0, "from": 0, "message": message})
    assert line.endswith(repr(message))
    assert Traffic(catalog.rules("kosmos"), ["bad"]).lines({"ms": 0.0, "from": 0, "hex": "ff00"})[0].endswith("ff00")


# replay --bot


def seats_of(folder, bot):
    with Ledger.open(folder) as ledger:
        return [(record.id, record.bots.index(bot), record) for record in ledger.games() if bot in record.bots]


@pytest.mark.slow
def test_the_same_bot_answers_as_it_did(cli, played):
    for game_id, seat, _ in seats_of(played, "greedy"):
        assert parsed(cli("replay", played, game_id, "--seat", seat + 1, "--bot", GREEDY, "--json"))["different"] == []


@pytest.mark.slow
def test_another_bot_differs_and_it_is_said_where(cli, played):
    game_id, seat, record = seats_of(played, "random_bot")[0]
    asked = [step for step in record.steps if step.kind == "play" and step.seat == seat]
    found = parsed(cli("replay", played, game_id, "--seat", seat + 1, "--bot", GREEDY, "--json", code=1))
    assert found["decisions"] == len(asked)
    assert found["different"]
    for each in found["different"]:
        assert asked[each["turn"] - 1].index == each["recorded"] != each["now"]


@pytest.mark.slow
def test_a_bot_that_fails_is_no(cli, played, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER.replace(" and decision.seat == 0", ""))
    game_id, seat, _ = max(seats_of(played, "greedy"), key=lambda each: len(each[2].times[each[1]]))
    found = parsed(cli("replay", played, game_id, "--seat", seat + 1, "--bot", "crasher.py", "--json", code=1))
    assert found["decisions"] == 1
    assert found["failed"]


@pytest.mark.slow
def test_what_the_seat_failed_at_is_asked_and_nothing_after_it(cli, played, tmp_path):
    game_id, seat, record = next(each for each in seats_of(played, "crasher") if each[1] in each[2].retired)
    assert record.faults
    (tmp_path / "heir.py").write_text(CRASHER.replace("if decision.turn == 2", "if False"))
    found = parsed(cli("replay", played, game_id, "--seat", seat + 1, "--bot", "heir.py", "--json"))
    assert (found["decisions"], found["different"], found["failed"]) == (2, [], None)

"""`arena check` tells what is wrong, with the section of the protocol, and blames nobody who is sound."""

from __future__ import annotations

import json
from pathlib import Path

import msgpack
import pytest

from arena.check import STEPS, requirements
from arena.check.report import shown
from arena.entrants import expand
from tests.arena.check.conftest import PLAIN

pytestmark = pytest.mark.process

BOTS = Path(__file__).parents[3] / "bots"
SHIPPED = [entrant.path for entrant in expand([BOTS / "*"]).found if entrant.build is None]
"""Those that have to be built are tried in tests/supervisors."""


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_every_shipped_bot_passes_all_steps(attempt, path):
    results = attempt(path)
    assert list(results) == [step.name for step in STEPS]
    assert not {name: result for name, result in results.items() if result.outcome == "failed"}


@pytest.mark.slow
def test_a_client_that_does_as_the_protocol_says_passes(attempt, client):
    results = attempt(client("msgpack.packb(answer)"))
    skipped = {name: result.detail for name, result in results.items() if result.outcome == "skipped"}
    assert skipped.keys() == {"parallel", "same"}
    assert {result.outcome for result in results.values()} == {"passed", "skipped"}


AGAIN = """
first = zmq.Context()
first.setsockopt(zmq.LINGER, 10_000)
early = first.socket(zmq.DEALER)
early.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
early.connect(os.environ["ARENA_ENDPOINT"])
early.send(msgpack.packb({"type": "hello", "protocol": [1, 0], "name": "plain"}))
LEAVE
socket = zmq.Context().socket(zmq.DEALER)
"""


@pytest.mark.slow
@pytest.mark.parametrize("leave", ["early.close(); first.term()", "early.recv()"])  # both: its hello has gone out
def test_a_hello_on_a_second_connection_is_not_of_an_unknown_sender(attempt, tmp_path, leave):
    path = tmp_path / "again.py"
    again = AGAIN.replace("LEAVE", leave)
    text = PLAIN.replace("ANSWER", "msgpack.packb(answer)").replace(
        "socket = zmq.Context().socket(zmq.DEALER)\n", again
    )
    path.write_text(text.replace('["ARENA_TOKEN"].encode())\nsocket.c', '["ARENA_TOKEN"].encode() + b"/2")\nsocket.c'))
    results = attempt(path)
    assert not {name: result.problem for name, result in results.items() if result.outcome == "failed"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "step", "requirement", "named"),
    [
        ("msgpack.packb({**answer, 'index': 0.0})", "answer", requirements.INDEX_TYPE, "`index`"),
        ("msgpack.packb({**answer, 'index': '0'})", "answer", requirements.INDEX_TYPE, "`index`"),
        ("msgpack.packb({**answer, 'turn': 1})", "turns", requirements.TURN, "turn 1"),
        ("str(answer).encode()", "answer", requirements.TEXT, ""),
        ("msgpack.packb(list(answer.values()))", "answer", requirements.MSGPACK, "not a list"),
        ("msgpack.packb({**answer, 'game_id': b'g'})", "answer", requirements.ENCODING, "`game_id`"),
        ("msgpack.packb({**answer, 'type': 'move'})", "answer", requirements.TYPE, "'move'"),
        ("msgpack.packb({**answer, 'game_id': 'mine'})", "answer", requirements.TURN, "mine"),
        ("msgpack.packb({**answer, 'note': 'x' * 501})", "answer", requirements.ACT_FIELD, "`note`"),
        ("msgpack.packb({**answer, 'index': len(message['actions'])})", "answer", requirements.ILLEGAL, ""),
    ],
)
def test_the_report_on_a_broken_client_names_the_fault_and_the_rule(attempt, client, answer, step, requirement, named):
    results = attempt(client(answer))
    failed = [result for result in results.values() if result.outcome == "failed"]
    assert [result.step for result in failed] == [step]
    problem = failed[0].problem
    assert named in problem.what
    assert problem.requirement == requirement
    assert json.loads(problem.sent[-1].text)["type"] == "decide"
    assert problem.came[0].hex
    later = [result for result in results.values() if result.number > failed[0].number]
    assert {result.outcome for result in later} == {"skipped"}
    assert all(result.detail for result in later)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "named"), [('socket.setsockopt(zmq.ROUTING_ID, b"plain")', "'plain'"), ("", "ZeroMQ")]
)
def test_a_hello_under_a_wrong_routing_id_is_seen(attempt, client, wrong, named):
    path = client("msgpack.packb(answer)")
    [right] = [line for line in path.read_text().splitlines() if "ROUTING_ID" in line]
    path.write_text(path.read_text().replace(right, wrong))
    results = attempt(path)
    problem = results["start"].problem
    assert problem is not None
    assert named in problem.what
    assert problem.requirement == requirements.TOKEN
    assert json.loads(problem.came[0].text)["type"] == "hello"
    assert results["hello"].outcome == "skipped"


FIRST = """
import os, msgpack, zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.setsockopt(zmq.ROUTING_ID, os.environ["ARENA_TOKEN"].encode())
socket.connect(os.environ["ARENA_ENDPOINT"])
hello = {"type": "hello", "protocol": [1, 0], "name": "first", "games": ["kosmos"], "deterministic": True}
socket.send(msgpack.packb(hello))
kept = None
while (message := msgpack.unpackb(socket.recv()))["type"] != "bye":
    if message["type"] == "start":
        kept = message[KEPT] if kept is None else kept
    if message["type"] == "decide":
        answer = {"type": "act", "game_id": message["game_id"], "turn": message["turn"], "index": INDEX}
        socket.send(msgpack.packb(answer))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kept", "index"),
    [
        ("'seat'", "kept % len(message['actions'])"),
        ("'players'", "kept % len(message['actions'])"),
        ("'bot_seed'", "kept % len(message['actions'])"),
        ("'edition'", "len(kept['name']) % len(message['actions'])"),
    ],
)
def test_what_is_kept_of_the_first_game_is_found(attempt, tmp_path, kept, index):
    """All of its choices are legal, and the same every time it is started and asked the same."""
    (tmp_path / "first.py").write_text(FIRST.replace("KEPT", kept).replace("INDEX", index))
    results = attempt(tmp_path / "first.py")
    failed = [name for name, result in results.items() if result.outcome == "failed"]
    assert failed[0] == "afresh"
    assert set(failed) <= {"afresh", "same"}, "which asks for the same in either order, too"
    problem = results["afresh"].problem
    assert problem.requirement == requirements.KEPT
    asked = json.loads(problem.sent[-1].text)
    assert asked["type"] == "decide"
    assert f"turn {asked['turn']}" in problem.what


@pytest.mark.slow
def test_who_resets_at_every_start_passes(attempt, tmp_path):
    sound = FIRST.replace("message[KEPT] if kept is None else kept", "message['seat']")
    (tmp_path / "first.py").write_text(sound.replace("INDEX", "kept % len(message['actions'])"))
    assert {result.outcome for result in attempt(tmp_path / "first.py").values()} == {"passed", "skipped"}


@pytest.mark.slow
def test_why_the_process_ended_comes_before_what_was_tried(attempt, client):
    """It reads a number from the game's id: that ends it, which is said before what it should have done."""
    path = client("msgpack.packb({**answer, 'note': str(int(message['game_id'].split('-')[1]))})")
    problem = attempt(path)["vectors"].problem
    assert problem is not None
    assert problem.requirement == requirements.ended(requirements.SESSION)
    assert "IndexError" in problem.stderr  # the ids of the vectors have no such part


@pytest.mark.slow
def test_what_was_printed_is_shown_where_there_is_nothing_else(attempt, tmp_path):
    (tmp_path / "prints.py").write_text("print('no such model'); raise SystemExit(3)")
    problem = attempt(tmp_path / "prints.py")["start"].problem
    assert (problem.stdout, problem.stderr) == ("no such model", "")
    (tmp_path / "both.py").write_text("print('reading the model'); raise SystemExit('no such model')")
    problem = attempt(tmp_path / "both.py")["start"].problem
    assert (problem.stdout, problem.stderr) == ("", "no such model")


def test_a_build_that_fails_is_shown_with_its_last_words(attempt, tmp_path):
    folder = tmp_path / "unbuilt"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = "./bot"\nbuild = ["sh", "-c", "echo no such header; exit 3"]\n')
    results = attempt(folder)
    assert results["build"].outcome == "failed"
    assert "no such header" in results["build"].problem.what
    assert results["start"].outcome == "skipped"


@pytest.mark.parametrize("name", ["random.py", "json.py", "zmq.py"])
def test_a_file_that_hides_a_module_is_found(attempt, tmp_path, name):
    (tmp_path / name).write_text("pass")
    result = attempt(tmp_path / name, "names")["names"]
    assert result.outcome == "failed"
    assert result.problem.requirement == requirements.SHADOW
    assert name in result.problem.what


def test_a_folder_that_hides_a_module_is_found_and_names_of_ones_own_are_not(attempt, tmp_path):
    folder = tmp_path / "bot"
    (folder / "logging").mkdir(parents=True)
    (folder / "tactics").mkdir()
    for file in ("main.py", "logging/tools.py", "tactics/random.py"):
        (folder / file).write_text("")
    (folder / "bot.toml").write_text('command = "{python} main.py"')
    assert "logging/tools.py" in attempt(folder, "names")["names"].problem.what
    (folder / "logging" / "tools.py").unlink()
    assert attempt(folder, "names")["names"].outcome == "passed"


@pytest.mark.slow
def test_one_step_is_taken_with_those_that_it_needs(attempt, client):
    results = attempt(client("msgpack.packb(answer)"), "bye")
    assert list(results) == ["build", "start", "hello", "version", "games", "answer", "turns", "bye"]


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        (None, ""),
        (b"", ""),
        (b'{"type": "act"}', 'the text \'{"type": "act"}\''),
        (b"\xc1", "msgpack"),
        (msgpack.packb({"a": b"\xff", "b": float("nan")}), '"a": "b\'\\\\xff\'"'),
        (b"\x91" * 5000 + b"\x00", "msgpack"),
        (msgpack.packb({1: 2}), "1"),
    ],
)
def test_whatever_came_can_be_shown(frame, words):
    what = shown(frame)
    assert what.text
    assert words in what.text
    assert what.size == len(frame or b"")

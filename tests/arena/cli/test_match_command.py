"""`arena match`: one game told turn by turn, also with a bot that is started by hand."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from arena.cli import match
from arena.match.match import void_record
from tests.arena.cli.conftest import CRASHER, ROOT, parsed, read_until

pytestmark = pytest.mark.process

GREEDY, RANDOM, PAIRS = (ROOT / "bots" / f"{name}.py" for name in ("greedy", "random_bot", "pairs"))
CALM = ["--start", 60, "--bank", 60]
"""On a busy machine the limits are not what these tests are about."""

NOTED = """
from arena.client import run

def decide(game):
    game.note("thinking\\nwalkover:\\x1b[2J")
    return 0

run(decide)
"""

SLOW_AT_FIRST = """
import time
from arena.client import run

def decide(game):
    if game.turn == 1:
        time.sleep(0.4)
    return 0

run(decide)
"""


def test_a_game_is_told_turn_by_turn_and_ends_with_the_result(cli):
    done = cli("match", GREEDY, RANDOM, PAIRS, *CALM, "--seed", 1)
    lines = done.stdout.splitlines()
    assert lines[0] == "seat 0: greedy, seat 1: random_bot, seat 2: pairs"
    assert lines[-5:-3] == ["", "finished:"]
    assert [line.split()[0] for line in lines[-3:]] == ["1.", "2.", "3."]
    assert {line.split()[1] for line in lines[-3:]} == {"greedy", "random_bot", "pairs"}
    told = lines[1:-5]
    for name in ("greedy", "random_bot", "pairs"):
        assert any(line.startswith(f"{name} ") for line in told)
    assert not any("seat " in line for line in told), "seats are called by their bots' names"
    assert done.stderr == ""


@pytest.mark.slow
def test_the_same_seed_plays_the_same_game_and_another_one_another(cli):
    asked = ["match", GREEDY, RANDOM, *CALM, "--edition", "nim"]
    first = cli(*asked, "--seed", 7).stdout
    assert cli(*asked, "--seed", 7).stdout == first
    assert cli(*asked, "--seed", 8).stdout != first


@pytest.mark.slow
def test_json_is_the_result_alone(cli):
    result = parsed(cli("match", RANDOM, GREEDY, *CALM, "--seed", 2, "--json"))
    assert result["bots"] == ["random_bot", "greedy"]
    assert result["ending"] == "finished"
    assert sorted(result["ranks"]) in ([1, 2], [1, 1])
    assert [set(scores) for scores in result["scores"]] == [{"days", "arrived", "cities", "gold"}] * 2
    assert (result["faults"], result["retired"]) == ([], [])


@pytest.mark.slow
def test_a_bot_that_crashes_is_told_with_its_last_words(cli, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER)
    told = cli("match", "crasher.py", RANDOM, *CALM, code=1).stdout
    fault = "! crasher, turn 2: crash: exit code 3\n    | ?[31mlast words\ncrasher is no longer played by its bot\n"
    assert told.endswith(f"{fault}{told.partition(fault)[2]}")
    assert told.partition(fault)[2].startswith("\nwalkover:\n")
    assert told.splitlines()[-1].endswith("retired)")

    [fault] = parsed(cli("match", "crasher.py", RANDOM, *CALM, "--json", code=1))["faults"]
    assert fault == {"seat": 0, "turn": 2, "code": "crash", "text": "exit code 3"}


@pytest.mark.slow
def test_a_fault_is_told_where_it_happens(cli, tmp_path):
    """A late answer costs a strike and the game goes on: no retired seat, so the match is fine."""
    (tmp_path / "slow.py").write_text(SLOW_AT_FIRST.replace("0.4", "3"))
    limits = ["--start", 60, "--move", 2, "--bank", 0, "--strikes", 1000]
    lines = cli("match", "slow.py", GREEDY, RANDOM, *limits, "--seed", 3).stdout.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("! slow, turn 1: late: no answer"))
    assert lines[place + 1].startswith("slow ")
    assert lines[place + 1].endswith("(substitute)")
    assert any(line.startswith("slow ") for line in lines[place + 2 :]), "it plays on"


def test_a_bot_that_never_says_hello_is_told_at_once_and_ends_with_1(cli, tmp_path):
    (tmp_path / "mute.py").write_text("import time\ntime.sleep(600)\n")
    told = cli("match", "mute.py", RANDOM, "--start", 4, "--game", "kosmos", code=1).stdout.splitlines()
    assert "! mute: mute: no hello within 4 s" in told[:3]


@pytest.mark.slow
def test_the_display_of_the_first_round_is_told(cli):
    """So that everything that lies open can be followed from the first line on."""
    lines = cli("match", GREEDY, RANDOM, *CALM, "--seed", 1).stdout.splitlines()
    assert re.fullmatch(r"round 1, (greedy|random_bot) begins; on display: (\w+ \d, ){2}\w+ \d", lines[1])
    first = next(line for line in lines if " takes " in line)
    assert first.partition(" takes ")[2].partition(" under ")[0] in lines[1]


@pytest.mark.slow
def test_the_game_that_all_bots_play_is_played(cli):
    strider, navigator = (ROOT / "bots" / f"{name}.py" for name in ("strider", "navigator"))
    result = parsed(cli("match", strider, navigator, RANDOM, *CALM, "--seed", 1, "--json"))
    assert set(result["scores"][0]) == {"square", "arrived", "cards"}
    refused = cli("match", strider, GREEDY, *CALM, code=2).stderr
    assert "there is no game that all of these bots play: strider plays ravensburger; greedy plays kosmos" in refused


@pytest.mark.slow
def test_the_game_follows_from_the_edition_too(cli):
    result = parsed(cli("match", RANDOM, RANDOM, *CALM, "--seed", 1, "--edition", "expert", "--json"))
    assert set(result["scores"][0]) == {"square", "arrived", "cards"}


@pytest.mark.slow
def test_notes_of_bots_are_told_and_cannot_forge_lines(cli, tmp_path):
    (tmp_path / "noted.py").write_text(NOTED)
    told = cli("match", "noted.py", RANDOM, *CALM).stdout
    assert "    noted notes: thinking?walkover:?[2J\n" in told
    assert "\x1b" not in told


@pytest.mark.slow
def test_a_trace_holds_every_message(cli, tmp_path):
    cli("match", GREEDY, RANDOM, *CALM, "--trace", "deep/trace")
    [file] = (tmp_path / "deep" / "trace").iterdir()
    text = file.read_text("utf-8")
    for kind in ("start", "decide", "act", "end"):
        assert f'"{kind}"' in text


@pytest.mark.slow
def test_a_bot_started_by_hand_is_told_where_to_go_and_has_no_clock(shell):
    hasty = ["--move", 0, "--bank", 0.3, "--strikes", 1000]
    with shell.start("match", "wait:me", RANDOM, "--start", 60, *hasty, "--json") as run:
        told = read_until(run.stderr, "ARENA_TOKEN")
        assert told.startswith("start me yourself; it has no clock:\n")
        typed = dict(word.split("=", 1) for word in shlex.split(told.splitlines()[-1]) if "=" in word)
        assert set(typed) == {"ARENA_ENDPOINT", "ARENA_TOKEN"}
        by_hand = [sys.executable, "-c", SLOW_AT_FIRST]
        done = subprocess.run(by_hand, env=os.environ | typed, capture_output=True, text=True, timeout=60)
        out, _ = run.communicate()
    assert (done.returncode, done.stderr) == (0, "")
    assert run.returncode == 0
    result = json.loads(out)
    assert result["bots"] == ["me", "random_bot"]
    assert not [fault for fault in result["faults"] if fault["seat"] == 0]
    assert 0 not in result["retired"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Missing argument 'BOTS'"),
        ([RANDOM], "1 bot: kosmos is for 2 to 6"),
        ([RANDOM] * 7, "7 bots: kosmos is for 2 to 6"),
        ([RANDOM, "none.py"], "there is no none.py"),
        ([RANDOM, "notes.txt"], "notes.txt is no bot (neither a .py file"),
        ([RANDOM, "wait:"], "wait: has no name: type it as in  wait:me"),
        ([RANDOM, "wait:random_bot"], "two seats have the name random_bot"),
        ([RANDOM, GREEDY, "--game", "chess"], "there is no game 'chess'"),
        ([RANDOM, GREEDY, "--edition", "nosuch"], "there is no edition 'nosuch'"),
        ([RANDOM, GREEDY, "--seed", "x"], "'--seed': 'x' is not a whole number from 0"),
        ([RANDOM, GREEDY, "--move", "-1"], "'--move': '-1' is not a number of seconds"),
        ([RANDOM, GREEDY, "--strikes", "0"], "'--strikes': '0' is not a whole number from 1"),
        ([RANDOM, GREEDY, "--trace", "notes.txt"], "notes.txt cannot be used: it is there and is no folder"),
        ([RANDOM, "unbuildable"], "unbuildable: "),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(cli, tmp_path, words, said):
    (tmp_path / "notes.txt").touch()
    (tmp_path / "unbuildable").mkdir()
    (tmp_path / "unbuildable" / "bot.toml").write_text('command = "./bot"\nbuild = "false"\n')
    refused = cli("match", *words, code=2)
    assert said in refused.stderr
    assert refused.stdout == ""


def test_a_game_that_fails_by_our_own_fault_says_so(cli, monkeypatch):
    class Failing(match.Referee):
        def play(self, orders, watch=None, on_fault=None):
            return [void_record(order, "the referee stumbled") for order in orders]

    monkeypatch.setattr(match, "Referee", Failing)
    done = cli("match", RANDOM, GREEDY, code=3)
    assert done.stderr == "the referee stumbled\n"


@pytest.mark.slow
def test_an_interrupt_ends_the_bots_too(shell):
    with shell.start("match", "wait:me", RANDOM) as run:
        read_until(run.stderr, "ARENA_TOKEN")
        run.send_signal(2)
        out, err = run.communicate()
    assert run.returncode == 130
    assert "arena: interrupted" in err
    assert "Traceback" not in err + out

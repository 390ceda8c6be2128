"""`arena match`: one game, also with a bot that is started by hand. Its words: `wording/match.txt`."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from arena.cli import match
from arena.game.game import void_record
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


@pytest.mark.slow
def test_the_same_seed_plays_the_same_game_however_it_is_given_and_another_one_another(cli, tmp_path, monkeypatch):
    asked = ["match", GREEDY, RANDOM, *CALM, "--edition", "nim"]
    first = cli(*asked, "--seed", 7).stdout
    assert cli(*asked, "--seed", 7).stdout == first
    assert cli(*asked, "--seed", 8).stdout != first
    file = tmp_path / "seed"
    file.write_text("7\n")
    monkeypatch.setenv("ARENA_SEED", "8")
    assert cli(*asked, "--seed", f"@{file}").stdout == first
    assert cli(*asked, "--seed", "-", typed="7\n").stdout == first
    monkeypatch.setenv("ARENA_SEED", "7")
    assert cli(*asked).stdout == first
    told = first.partition("\n")[2]
    assert not re.search(r"\bseat \d", told), "seats are called by their bots' names"


@pytest.mark.slow
def test_a_game_whose_seed_was_not_typed_tells_how_to_play_it_again(cli, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER)
    for bots in ([GREEDY, RANDOM], ["crasher.py", GREEDY, RANDOM]):
        first = cli("match", *bots, *CALM, "--edition", "nim", code=None).stdout
        *_, last = first.splitlines()
        _, _, *words = shlex.split(last.removeprefix("again:"))
        assert "--seed" in words
        assert cli("match", *words, code=None).stdout == first
        told = parsed(cli("match", *words, "--json", code=None))
        assert told["seed"] == int(words[words.index("--seed") + 1])
        assert told["again"] == last.removeprefix("again: ")
    assert parsed(cli("match", GREEDY, RANDOM, *CALM, "--json"))["seed"] not in (None, told["seed"])


@pytest.mark.slow
def test_how_a_bot_crashed_stands_at_the_end_too_and_in_the_json(cli, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER)
    crash = ["match", "crasher.py", GREEDY, RANDOM, *CALM, "--seed", 1]
    told = cli(*crash, code=1).stdout
    assert told.count("crash: exit code 3") == 2
    assert told.partition("\nfinished:\n")[2].count("last words") == 1
    [fault] = parsed(cli(*crash, "--json", code=1))["faults"]
    assert "last words" in fault["stderr"]
    del crash[3]  # then the crash ends the game, and is in sight
    assert cli(*crash, code=1).stdout.count("crash: exit code 3") == 1


@pytest.mark.slow
def test_the_result_says_why_in_a_sentence_for_each_bot(cli, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER)
    told = cli("match", GREEDY, RANDOM, *CALM, "--seed", 1).stdout.partition("\nfinished:\n")[2]
    why = parsed(cli("match", GREEDY, RANDOM, *CALM, "--seed", 1, "--json"))["reasons"]
    assert len(why) == 2
    assert [f"): {each}" in told for each in why] == [True, True]
    assert "days" in told
    gone = parsed(cli("match", "crasher.py", GREEDY, RANDOM, *CALM, "--seed", 1, "--json", code=1))["reasons"]
    assert gone[0] == "retired after its faults"
    left = parsed(cli("match", "crasher.py", GREEDY, *CALM, "--seed", 1, "--json", code=1))["reasons"]
    assert left == [gone[0], "was the only one left when the others had retired"]


@pytest.mark.slow
def test_json_is_the_result_alone(cli):
    result = parsed(cli("match", RANDOM, GREEDY, *CALM, "--seed", 2, "--json"))
    assert result["bots"] == ["random_bot", "greedy"]
    assert result["ending"] == "finished"
    assert sorted(result["ranks"]) in ([1, 2], [1, 1])
    assert [set(scores) for scores in result["scores"]] == [{"days", "arrived", "cities", "gold"}] * 2
    assert (result["faults"], result["retired"]) == ([], [])


@pytest.mark.slow
def test_a_bot_that_crashes_is_retired(cli, tmp_path):
    (tmp_path / "crasher.py").write_text(CRASHER)
    result = parsed(cli("match", "crasher.py", RANDOM, *CALM, "--json", code=1))
    assert (result["ending"], result["retired"]) == ("walkover", [0])
    [fault] = result["faults"]
    assert (fault["seat"], fault["turn"], fault["code"]) == (0, 2, "crash")


@pytest.mark.slow
def test_a_strike_does_not_retire_a_bot(cli, tmp_path):
    """A late answer costs a strike and the game goes on: no retired seat, so the game is fine."""
    (tmp_path / "slow.py").write_text(SLOW_AT_FIRST.replace("0.4", "3"))
    limits = ["--start", 60, "--move", 2, "--bank", 0, "--strikes", 1000]
    result = parsed(cli("match", "slow.py", GREEDY, RANDOM, *limits, "--seed", 3, "--json"))
    assert ("late", 0, 1) in [(fault["code"], fault["seat"], fault["turn"]) for fault in result["faults"]]
    assert (result["ending"], result["retired"]) == ("finished", [])


@pytest.mark.slow
def test_the_game_that_all_bots_play_is_played(cli):
    strider, navigator = (ROOT / "bots" / f"{name}.py" for name in ("strider", "navigator"))
    result = parsed(cli("match", strider, navigator, RANDOM, *CALM, "--seed", 1, "--json"))
    assert set(result["scores"][0]) == {"square", "arrived", "cards"}


@pytest.mark.slow
def test_the_game_follows_from_the_edition_too(cli):
    result = parsed(cli("match", RANDOM, RANDOM, *CALM, "--seed", 1, "--edition", "expert", "--json"))
    assert set(result["scores"][0]) == {"square", "arrived", "cards"}


@pytest.mark.slow
def test_notes_of_bots_are_shown_and_cannot_forge_lines(cli, tmp_path):
    (tmp_path / "noted.py").write_text(NOTED)
    told = cli("match", "noted.py", RANDOM, *CALM).stdout
    assert ": thinking?walkover:?[2J\n" in told
    assert "\x1b" not in told


@pytest.mark.slow
def test_a_trace_holds_every_message(cli, tmp_path):
    cli("match", GREEDY, RANDOM, *CALM, "--trace", "deep/trace")
    [file] = (tmp_path / "deep" / "trace").iterdir()
    text = file.read_text("utf-8")
    for kind in ("start", "decide", "act", "end"):
        assert f'"{kind}"' in text


@pytest.mark.slow
def test_a_bot_to_be_started_by_hand_gets_an_address_and_no_clock(shell):
    hasty = ["--move", 0, "--bank", 0.3, "--strikes", 1000]
    with shell.start("match", "wait:me", RANDOM, "--start", 60, *hasty, "--json") as run:
        told = read_until(run.stderr, "ARENA_TOKEN")
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


@pytest.mark.slow
def test_a_bot_started_by_hand_that_dies_is_named_and_goes_on_when_it_is_started_again(shell):
    with shell.start("match", "wait:me", RANDOM, "--start", 60, "--edition", "nim") as run:
        told = read_until(run.stderr, "ARENA_TOKEN")
        by_hand = os.environ | dict(word.split("=", 1) for word in shlex.split(told.splitlines()[-1]) if "=" in word)
        dying = [sys.executable, "-c", "import os\nfrom arena.client import run\nrun(lambda game: os._exit(3))"]
        assert subprocess.run(dying, env=by_hand, timeout=60).returncode == 3
        told = read_until(run.stderr, "me has gone") + read_until(run.stderr, "ARENA_TOKEN")
        assert by_hand["ARENA_TOKEN"] in told
        subprocess.run([sys.executable, "-c", SLOW_AT_FIRST], env=by_hand, check=True, timeout=60)
        out, err = run.communicate()
    assert (run.returncode, err) == (0, "")
    assert "\nfinished:\n" in out


@pytest.mark.slow
def test_a_bot_started_by_hand_that_stays_away_ends_the_wait(shell):
    with shell.start("match", "wait:me", RANDOM, "--start", 0.5) as run:
        out, err = run.communicate(timeout=60)
    assert run.returncode == 1
    assert "me: mute: no hello within 0.5 s" in out
    assert "start me yourself within 0.5 s" in err


def test_a_game_that_fails_by_our_own_fault_says_so(cli, monkeypatch):
    class Failing(match.Referee):  # type: ignore[misc, name-defined]
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
    assert "Traceback" not in err + out

"""`arena tournament`: what is typed, what is printed, and how it ends."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import shutil
import signal

import pytest

from arena.cli import tournament
from arena.tournament.run import RunOutcome
from tests.arena.cli.conftest import ROOT, parsed, read_until

GREEDY, RANDOM = BOTS = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py"]
CALM = ["--start", 60, "--bank", 60]
"""On a busy machine the limits are not what these tests are about."""


@pytest.fixture
def finished(played, tmp_path):
    """A copy of the tournament that is played already, with its bots, and the command it was played by."""
    shutil.copytree(played, tmp_path / "t")
    shutil.copy(played.parent / "crasher.py", tmp_path)
    return ["tournament", *BOTS, "crasher.py", *CALM, "--games", 6, "--players", "2,3", "--out", "t"]


def tables(text: str) -> str:
    return text[text.index("overall") :].partition("games played")[0].rpartition("\n")[0]


@pytest.mark.slow
def test_the_default_folder_then_nothing_left_then_an_edited_bot_beside_it(shell, cli):
    mine = shell.folder / "mine.py"
    mine.write_text(GREEDY.read_text())
    asked = ["tournament", mine, RANDOM, *CALM, "--games", 2]
    first = shell.run(*asked)
    assert first.stdout.rstrip().endswith("2 games played, 2 in the tables. Results: tournaments/default")
    assert "skipped games of 3, 4, 5, 6: there are 2 bots" in first.stderr

    again = cli(*asked)
    assert "nothing is left to play" in again.stderr
    assert "0 games played, 2 in the tables" in again.stdout
    assert tables(again.stdout) == tables(first.stdout)

    mine.write_text(GREEDY.read_text() + "\n# better\n")
    beside = shell.run(*asked)
    why = "tournaments/default holds another tournament (mine changed): a new one begins in tournaments/default-2"
    assert why in beside.stderr
    assert beside.stdout.rstrip().endswith("Results: tournaments/default-2")
    assert "tournaments/default-2 holds this tournament" in cli(*asked).stderr


@pytest.mark.slow
def test_off_a_terminal_progress_is_plain_lines_beside_the_result(shell):
    done = shell.run("tournament", *BOTS, *CALM, "--games", 2, "--seed", 3, "--jobs", 1)
    lines = done.stderr.splitlines()
    assert lines[:3] == ["building: 2", "building: 1 of 2", "building: 2 of 2"]
    started = [line.removeprefix("starting each bot once: ") for line in lines[3:8]]
    assert started[0] == "2"
    assert {"greedy ...", "random_bot ..."} <= set(started)
    ended = [line for line in started if " of 2, " in line]
    assert [line[:8] for line in ended] == ["1 of 2, ", "2 of 2, "]
    assert all(re.fullmatch(r"\d of 2, (greedy|random_bot) after \d+\.\d s", line) for line in ended)
    assert lines[-3:] == ["playing: 2", "playing: 1 of 2", "playing: 2 of 2"]
    assert all(char.isprintable() or char == "\n" for char in done.stderr + done.stdout)
    assert "playing" not in done.stdout
    assert done.stdout.splitlines()[-1].startswith("The seed was given, so it is no secret")


def slow(folder):
    """A bot that takes its time to be built."""
    (folder / "slow").mkdir()
    shutil.copy(GREEDY, folder / "slow" / "bot.py")
    (folder / "slow" / "bot.toml").write_text('command = "{python} bot.py"\nbuild = "sleep 1.5"\n')
    return folder / "slow"


@pytest.mark.slow
def test_what_is_being_built_is_said_when_it_begins_and_when_it_is_done(shell):
    told = shell.run("tournament", slow(shell.folder), RANDOM, *CALM, "--games", 2, "--jobs", 1).stderr
    assert "building: slow ...\n" in told
    assert re.search(r"building: \d of 2, slow after [1-9]\d*\.\d s\n", told)
    assert "building: random_bot ..." not in told, "there is nothing to build"


@pytest.mark.slow
def test_on_a_terminal_each_bot_that_is_being_built_has_a_line(shell):
    terminal, slave = pty.openpty()
    with shell.start("tournament", slow(shell.folder), RANDOM, *CALM, stderr=slave, env={"TERM": "xterm"}) as run:
        os.close(slave)
        shown = b""
        while b"  slow  1 s" not in shown:
            data = _read(terminal)
            assert data, shown
            shown += data
        run.send_signal(signal.SIGINT)
        while _read(terminal):
            pass
        run.communicate()
    os.close(terminal)
    assert b"building" in shown


@pytest.mark.slow
def test_on_a_terminal_progress_is_a_bar(shell):
    terminal, slave = pty.openpty()
    with shell.start("tournament", *BOTS, *CALM, "--games", 2, stderr=slave, env={"TERM": "xterm"}) as run:
        os.close(slave)
        shown = b""
        while data := _read(terminal):
            shown += data
        out, _ = run.communicate()
    os.close(terminal)
    assert run.returncode == 0
    assert b"\x1b[" in shown
    assert b"2/2" in shown
    assert "\x1b" not in out


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # what Linux says when the other side is closed
        return b""


@pytest.mark.slow
@pytest.mark.process
def test_in_a_folder_of_ones_own_changed_bots_are_an_error_until_fresh(finished, cli, tmp_path):
    assert "nothing is left to play" in cli(*finished).stderr
    (tmp_path / "crasher.py").write_text("import sys\nprint('hm', file=sys.stderr)\nsys.exit('no such luck')\n")
    refused = cli(*finished, code=2).stderr
    assert "t holds another tournament: crasher changed" in refused
    assert "--fresh" in refused
    done = cli(*finished, "--fresh")
    assert "the tournament in t was moved to t.old-1" in done.stderr
    line = "crasher: exit code 1 before it said hello: no such luck\n"
    assert f"left out: {line}hm\nno such luck\n" in done.stderr, "at first in full"
    assert f"left out: {line}" in done.stdout
    assert done.stdout.endswith("Without crasher: left out, see above.\n  arena show t --faults crasher\n"), (
        "it is not to be missed"
    )
    again = cli(*finished)
    assert f"left out since this tournament began: {line}" in again.stderr
    assert "hm\n" not in again.stderr, "then in a line"
    assert "left out, see above.\n  arena show t --faults crasher\n" in again.stdout
    assert "hm\nno such luck\n" in cli("show", "t", "--faults", "crasher").stdout
    assert (tmp_path / "t.old-1" / "ledger.sqlite").is_file()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--move", 0.5], "its move is 0.05, not 0.5"),
        (["--strikes", 4], "its strikes is 3, not 4"),
        (["--players", 2], "its player counts are 2, 3, not 2"),
        (["--seed", 2], "it has another seed"),
        (["--edition", "nim"], "its edition is standard, not nim"),
        ([GREEDY.with_name("pairs.py")], "pairs is new"),
    ],
)
def test_whatever_else_is_not_as_it_was_is_named(finished, cli, options, words):
    refused = cli(*finished, *options, code=2).stderr
    assert refused.startswith("arena: t holds another tournament: ")
    assert words in refused
    assert "--fresh" in refused


@pytest.mark.slow
def test_a_plan_file_says_the_same_as_flags_and_flags_win(shell, cli):
    plans = shell.folder / "plans"
    plans.mkdir()
    shutil.copy(GREEDY, plans / "mine.py")
    plan = plans / "p.toml"
    words = ['bots = ["mine.py", "mine.py"]', "rounds = 9", "start = 60", "bank = 60", "seed = 8", 'out = "from-plan"']
    plan.write_text("\n".join(words))
    done = shell.run("tournament", "--plan", plan, "--games", 2, "--out", "flag", "--json")
    board = json.loads(done.stdout)
    assert [row["bot"] for row in board["overall"]] == [row["bot"] for row in board["players"]["2"]]
    assert {row["bot"] for row in board["overall"]} == {"mine", "mine-2"}
    assert board["overall"][0]["games"] == 2
    assert not (shell.folder / "from-plan").exists()
    assert parsed(cli("show", "flag", "--json"))["seed_given"] is True
    assert "2 games played" in done.stderr  # beside the JSON


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("gams = 3", ["unknown key gams", "known are bots, game, edition,"]),
        ('games = "3"', ["p.toml, line 1: games: '3' is not a whole number from 1 to 1000000"]),
        ("games = [", ["p.toml"]),
        ("strikes = 0", ["strikes: 0 is not a whole number from 1 to 1000000"]),
        ("strikes = 9223372036854775807", ["strikes: 9223372036854775807 is not"]),
        ("move = nan", ["move: nan is not a number of seconds from 0 to 1000000"]),
        ("jobs = 1001", ["jobs: 1001 is not a whole number from 1 to 1000"]),
        ('out = ""', ["out: nothing is given"]),
        ('edition = " "', ["edition: nothing is given"]),
        ("games = 3\nminutes = 2.0", ["choose one of --rounds, --games, --minutes"]),
    ],
)
def test_what_is_wrong_with_a_plan_file_is_named(cli, tmp_path, text, words):
    (tmp_path / "p.toml").write_text(text)
    refused = cli("tournament", *BOTS, "--plan", "p.toml", code=2).stderr
    for word in words:
        assert word in refused
    assert ("p.toml" in refused) == ("choose" not in refused)
    assert not (tmp_path / "tournaments").exists()


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--plan", "none.toml", "none.toml"),
        ("--game", "chess", "there is no game 'chess': installed are kosmos"),
        ("--edition", "nosuch", "there is no edition 'nosuch': choose standard, en, ru, nim, or give a .toml file"),
        ("--edition", "none.toml", "none.toml: cannot be read"),
        ("--edition", "", "'--edition': nothing is given"),
        ("--players", "2-7", "players: '2-7' is not within the 2 to 6"),
        ("--players", "two", "players: 'two' is not a number, a range like 2-6 or a list like 2,4"),
        ("--rounds", "0", "'--rounds': '0' is not a whole number from 1 to 1000000"),
        ("--games", "1.5", "'--games': '1.5' is not a whole number from 1 to 1000000"),
        ("--games", "9" * 30, "' is not a whole number from 1 to 1000000"),
        ("--minutes", "0", "'--minutes': '0' is not a number of minutes above 0 to 1000000"),
        ("--minutes", "nan", "'--minutes': 'nan' is not a number of minutes"),
        ("--seed", "-1", "'--seed': '-1' is not a whole number from 0"),
        ("--jobs", "0", "'--jobs': '0' is not a whole number from 1 to 1000"),
        ("--out", "", "'--out': nothing is given"),
        ("--out", "file", "file cannot be used: it is there and is no folder"),
        ("--out", "file/t", "file/t cannot be used: what it should lie in is no folder"),
        ("--start", "0", "'--start': '0' is not a number of seconds above 0 to 1000000"),
        ("--move", "-1", "'--move': '-1' is not a number of seconds from 0 to 1000000"),
        ("--bank", "inf", "'--bank': 'inf' is not a number of seconds from 0 to 1000000"),
        ("--bank", "soon", "'--bank': 'soon' is not a number of seconds from 0 to 1000000"),
        ("--strikes", "9" * 30, "' is not a whole number from 1 to 1000000"),
    ],
)
def test_a_bad_value_is_answered_with_what_is_allowed(cli, tmp_path, option, value, words):
    (tmp_path / "file").touch()
    refused = cli("tournament", *BOTS, option, value, code=2)
    assert words in refused.stderr
    assert refused.stdout == ""
    assert not (tmp_path / "tournaments").exists()


def test_an_edition_file_with_an_unknown_key_is_refused(cli, tmp_path):
    (tmp_path / "mine.toml").write_text('base = "en"\nknob = 3\n')
    refused = cli("tournament", *BOTS, "--edition", "mine.toml", code=2).stderr
    assert refused.startswith("arena: mine.toml: unknown key knob: allowed are base, parameters,")


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no bots: name them, as in  arena tournament bots/*.py"),
        (["none.py"], "there is no none.py"),
        (["--games", 2, "--rounds", 1, *BOTS], "choose one of --rounds, --games, --minutes"),
        (["--strict", *BOTS, "notes.txt"], "notes.txt is no bot: neither a .py file"),
        (["--strict", RANDOM, "broken.py"], "broken: "),
    ],
)
def test_without_bots_that_can_play_there_is_no_tournament(cli, tmp_path, words, said):
    (tmp_path / "notes.txt").touch()
    (tmp_path / "broken.py").write_text("raise SystemExit('no such luck')\n")
    assert said in cli("tournament", *words, code=2).stderr
    assert not list(tmp_path.rglob("ledger.sqlite"))


def test_games_that_were_set_aside_are_named_and_have_an_exit_code(finished, cli, monkeypatch, tmp_path):
    outcome = RunOutcome(tmp_path / "t", played=4, rated=7, set_aside=["p3-b0000-r2"])
    monkeypatch.setattr(tournament, "run", lambda *_: outcome)
    assert "Set aside after failing twice: p3-b0000-r2" in cli(*finished, code=3).stdout


@pytest.mark.slow
@pytest.mark.parametrize("asked_to_end", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_the_table_so_far_and_the_command_to_go_on(shell, cli, asked_to_end):
    asked = ["tournament", *BOTS, *CALM, "--games", 100, "--seed", 5, "--jobs", 1, "--out", "a folder", "--fresh"]
    with shell.start(*asked, start_new_session=True) as run:
        read_until(run.stderr, "playing: 10 of 100")
        if asked_to_end == signal.SIGINT:
            os.killpg(run.pid, asked_to_end)  # as a terminal does
        else:
            run.send_signal(asked_to_end)
        out, err = run.communicate()
    assert run.returncode == 130
    assert "Traceback" not in err
    assert out.lstrip().startswith("overall\n")
    assert "they are kept in a folder. To go on, type:" in out
    shell.assert_nothing_lives()

    command = shlex.split(out.splitlines()[-1])
    assert command == ["arena", *(str(word) for word in asked if word != "--fresh")]
    assert "not finished" in cli("show", "a folder").stdout
    enough = cli(*command[1:], "--games", 2)  # less than was played: nothing is left
    assert "nothing is left to play" in enough.stderr


def test_a_plan_that_begins_anew_is_told_to_go_on_instead(cli, monkeypatch, played, tmp_path):
    outcome = RunOutcome(played, played=1, interrupted=True)
    monkeypatch.setattr(tournament, "run", lambda *_: outcome)
    monkeypatch.setattr("sys.argv", ["arena", "tournament", "--plan", "p.toml"])
    (tmp_path / "p.toml").write_text("fresh = true")
    told = cli("tournament", "--plan", "p.toml", code=130).stdout
    assert told.endswith("  arena tournament --plan p.toml --no-fresh\n")


@pytest.mark.slow
def test_an_interrupt_before_the_first_game_leaves_nothing_behind(shell):
    (shell.folder / "silent.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(1000)\n")
    with shell.start("tournament", *BOTS, "silent.py", "--start", 100, start_new_session=True) as run:
        read_until(run.stderr, "2 of 3")
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate()
    assert (run.returncode, out) == (130, "")
    assert "Traceback" not in err
    assert "arena: interrupted" in err
    assert not list(shell.folder.rglob("ledger.sqlite"))


@pytest.mark.parametrize(("tells", "why"), [(True, "nothing is played sooner"), (False, "bots are charged for it")])
def test_more_jobs_than_cores_are_warned_of_once(cli, monkeypatch, played, tells, why):
    monkeypatch.setattr(tournament, "cores", lambda: 2)
    monkeypatch.setattr(tournament, "credits_waiting", lambda: tells)
    monkeypatch.setattr(tournament, "run", lambda *_: RunOutcome(played))
    said = cli("tournament", *BOTS, "--jobs", 3).stderr
    assert said.count("--jobs 3, but this machine has 2 cores for them") == 1
    assert why in said
    assert "Leave out --jobs" in said
    assert "cores" not in cli("tournament", *BOTS, "--jobs", 2).stderr

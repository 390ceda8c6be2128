"""`arena show`: a tournament while it runs and after, and what its bots did wrong."""

from __future__ import annotations

import re
import shutil

import msgspec
import pytest

from arena.ledger import Ledger
from tests.arena.cli.conftest import ROOT, parsed, read_until

GAMES = (
    [f"p2-b0000-r{n}" for n in range(2)] + [f"p3-b0000-r{n}" for n in range(3)] + [f"p2-b0001-r{n}" for n in range(2)]
)
BOTS = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py"]


def test_after_the_end_it_shows_settings_latest_games_and_tables(cli, played):
    shown = cli("show", played).stdout
    head, _, rest = shown.partition("\n\n")
    settings, state, time, seed = head.splitlines()
    assert settings == "kosmos, edition standard, players 2, 3"
    assert state == "7 games played of 7, 7 in the tables; finished"
    assert time == (
        "60 s to start, 0.05 s a decision, 60 s a game beyond that, 3 strikes; bots stand still in others' time"
    )
    assert re.fullmatch("seed [0-9a-f]{32}, its hash [0-9a-f]{64}", seed)
    assert re.search(r"^p3-b0000-r2 +1\. greedy, 2\. random_bot, 3\. crasher$", rest, re.MULTILINE)
    for title in ("overall", "2 players", "3 players"):
        assert f"\n{title}\n" in rest
    assert "crash 3" in rest


def test_only_the_latest_games_are_shown_and_with_games_all(cli, tmp_path, played):
    with Ledger.open(played) as ledger:
        first = ledger.game("p2-b0000-r0")
        meta, entrants = ledger.meta, ledger.entrants()
    many = [f"p2-b{block:04}-r0" for block in range(9)]
    with Ledger.create(tmp_path / "many", meta) as ledger:
        ledger.set_entrants(entrants)
        for order, game in enumerate(many):
            ledger.record(msgspec.structs.replace(first, id=game, index=order))
    overview = cli("show", "many").stdout
    assert [game for game in many if game in overview] == many[-5:]
    rows = cli("show", "many", "--games").stdout.splitlines()[2:]
    assert [row.split()[0] for row in rows] == many


def test_games_after_a_suspension_are_not_said_to_be_in_the_tables(cli, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t") as ledger:
        ledger.set_meta("rated", {"games": 7, "suspended": {"crasher": 3}})
    shown = cli("show", "t").stdout
    assert "\n7 games played of 7, 3 in the tables; finished\n" in shown
    assert "\nsuspended: 4 games of suspended bots do not count\n" in shown


def test_player_counts_that_were_skipped_are_told(cli, tmp_path, played):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t") as ledger:
        ledger.set_meta("players", [2, 3, 4, 5])
    assert "\nno games of 4, 5: too few bots take part\n" in cli("show", "t").stdout


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--web", "--games"], "--web and --games: choose one"),
        (["--web", "--json"], "--web prints no JSON"),
        (["--port", 80], "only together with --web"),
        (["--open"], "only together with --web"),
        (["--web", "--port", 0], "'0' is not a whole number from 1 to 65535"),
    ],
)
def test_what_does_not_go_together_is_told(cli, played, words, what):
    assert what in cli("show", played, *words, code=2).stderr


def test_as_json_it_is_the_leaderboard_with_the_settings(cli, played):
    shown = parsed(cli("show", played, "--json"))
    assert (shown["game"], shown["edition"], shown["counts"]) == ("kosmos", "standard", [2, 3])
    assert (shown["played"], shown["finished"]) == (7, True)
    board = parsed(cli("leaderboard", played, "--json"))
    assert {key: shown[key] for key in board} == board
    assert {bot["name"]: bot["left_out"] for bot in shown["entrants"]} == dict.fromkeys(
        ["crasher", "greedy", "random_bot"]
    )
    games = parsed(cli("show", played, "--games", "--json"))
    assert [game["id"] for game in games] == GAMES
    assert all(set(game) == {"id", "bots", "ranks", "scores", "retired"} for game in games)


def test_faults_are_told_with_game_turn_code_words_and_last_lines(cli, played):
    lines = cli("show", played, "--faults", "crasher").stdout.splitlines()
    assert lines[:2] == ["p2-b0000-r0, seat 0, its turn 2: crash: exit code 3", "    | ?[31mlast words"]
    assert len(lines) == 6
    assert cli("show", played, "--faults", "greedy").stdout == "greedy: no faults\n"


def test_faults_of_a_bot_that_was_left_out_are_why(cli, hostile):
    assert cli("show", hostile, "--faults", "out").stdout.startswith("out was left out: no?")


def test_faults_as_json(cli, played):
    faults = parsed(cli("show", played, "--faults", "crasher", "--json"))
    assert [fault["game"] for fault in faults] == ["p2-b0000-r0", "p3-b0000-r2", "p2-b0001-r0"]
    assert faults[0] == {
        "game": "p2-b0000-r0",
        "seat": 0,
        "turn": 2,
        "code": "crash",
        "text": "exit code 3",
        "stderr": "?[31mlast words",
    }
    assert parsed(cli("show", played, "--faults", "greedy", "--json")) == []


def test_a_bot_that_is_not_there_is_answered_with_those_that_are(cli, played):
    refused = cli("show", played, "--faults", "nobody", code=2).stderr
    assert "no bot 'nobody' in" in refused
    assert "there are crasher, greedy, random_bot" in refused
    assert "choose one" in cli("show", played, "--faults", "crasher", "--games", code=2).stderr


@pytest.mark.slow
def test_while_it_runs_it_shows_how_far_it_is_and_keeps_the_seed_secret(shell, cli):
    with shell.start("tournament", *BOTS, "--start", 60, "--bank", 60, "--jobs", 1, "--games", 100) as run:
        read_until(run.stderr, "playing: 10 of 100")
        shown = cli("show").stdout
        data = parsed(cli("show", "--json"))
        assert run.poll() is None, "it still runs"
        run.terminate()
        run.communicate()
    assert run.returncode == 130
    assert re.search(r"^\d+ games played of 100, \d+ in the tables; it is being played$", shown, re.MULTILINE)
    assert "in the tables; not finished: the same `arena tournament` command goes on\n" in cli("show").stdout
    assert re.search("^seed secret, its hash [0-9a-f]{64}$", shown, re.MULTILINE)
    assert 10 <= data["played"] < 100
    assert data["finished"] is False
    assert "seed" not in data
    assert (shell.folder / "tournaments" / "default" / "seed").read_text() not in shown + str(data)

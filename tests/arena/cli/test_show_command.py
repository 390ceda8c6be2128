"""`arena show`: a tournament while it runs and after, and what its bots did wrong. Its words: `wording/show.txt`."""

from __future__ import annotations

import msgspec
import pytest

from arena.ledger import Ledger
from tests.arena.cli.conftest import ROOT, parsed, read_until

GAMES = (
    [f"p2-b0000-r{n}" for n in range(2)] + [f"p3-b0000-r{n}" for n in range(3)] + [f"p2-b0001-r{n}" for n in range(2)]
)
BOTS = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py"]


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


def test_as_json_it_is_the_leaderboard_with_the_settings(cli, played):
    shown = parsed(cli("show", played, "--json"))
    assert (shown["game"], shown["edition"], shown["format"]) == ("kosmos", "standard", "balanced")
    assert (shown["games"]["played"], shown["finished"]) == (7, True)
    board = parsed(cli("leaderboard", played, "--json"))
    assert {key: shown[key] for key in board} == board
    assert {bot["name"]: bot["left_out"] for bot in shown["entrants"]} == dict.fromkeys(
        ["crasher", "greedy", "random_bot"]
    )
    games = parsed(cli("show", played, "--games", "--json"))
    assert [game["id"] for game in games] == GAMES
    assert all(set(game) == {"id", "bots", "ranks", "scores", "retired"} for game in games)


def test_faults_as_json(cli, played):
    faults = parsed(cli("show", played, "--faults", "crasher", "--json"))
    assert [fault["game"] for fault in faults] == ["p3-b0000-r1", "p2-b0001-r0"]
    assert faults[0] == {
        "game": "p3-b0000-r1",
        "seat": 0,
        "turn": 2,
        "code": "crash",
        "text": "exit code 3",
        "stderr": "?[31mlast words",
    }
    assert parsed(cli("show", played, "--faults", "greedy", "--json")) == []


@pytest.mark.slow
def test_while_it_runs_it_shows_how_far_it_is_and_keeps_the_seed_secret(shell, cli):
    with shell.start("tournament", *BOTS, "--start", 60, "--bank", 60, "--jobs", 1, "--games", 100) as run:
        read_until(run.stderr, "playing: 10 of 100")
        shown = cli("show").stdout
        data = parsed(cli("show", "--json"))
        [listed] = parsed(cli("list", "--json"))
        assert run.poll() is None, "it still runs"
        run.terminate()
        run.communicate()
    assert run.returncode == 130
    assert (listed["state"], listed["expected"]) == ("playing", 100)
    assert parsed(cli("list", "--json"))[0]["state"] == "stopped"
    assert 10 <= data["games"]["played"] < 100
    assert (data["finished"], data["rated"]["asked"]) == (False, 100)
    assert "seed" not in data
    assert data["seed_hash"] in shown
    assert (shell.folder / "tournaments" / "default" / "seed").read_text() not in shown + str(data)

"""`arena verify`: every game played again and compared. What is altered, and how that is said: `wording/verify.py`."""

from __future__ import annotations

import shutil

import pytest

from arena import distribution
from arena.ledger import Ledger
from tests.arena.cli.conftest import parsed
from tests.arena.forging import unpacked

ALTERED = "p3-b0000-r1"


@pytest.fixture
def alter(played, tmp_path):
    """Runs SQL on a copy of the ledger; the copy's folder."""
    folder = tmp_path / "t"
    shutil.copytree(played, folder)

    def alter(sql: str):
        with unpacked(folder) as ledger:
            assert ledger.execute(sql).rowcount > 0
        return folder

    return alter


def test_games_of_another_version_that_replay_the_same_are_as_recorded_and_it_is_said(cli, played, monkeypatch):
    ours = distribution.version()
    monkeypatch.setattr("arena.game.game.version", lambda: "9.9.9")
    done = cli("verify", str(played))
    assert done.exit_code == 0
    assert f"games played by kosmos {ours}, this is kosmos 9.9.9" in " ".join(done.stdout.split())


def test_all_as_recorded(cli, played):
    found = parsed(cli("verify", played, "--json"))
    assert (found["games"], found["different"]) == (7, {})


DRAWS = """
import random
from arena.client import run

run(lambda decision: random.SystemRandom().randrange(len(decision.actions)), deterministic=False)
"""


@pytest.mark.process
@pytest.mark.slow
def test_of_several_runs_of_one_committed_start_it_says_what_is_not_proved(cli, tmp_path):
    (tmp_path / "draws.py").write_text(DRAWS)
    asked = ["tournament", "draws.py", "@greedy", "--players", 2, "--games", 2, "--edition", "nim", "--jobs", 1]
    asked += ["--start", 60, "--bank", 60]
    committed = parsed(cli(*asked, "--out", "start", "--commit", "a lottery", "--json"))
    games = set()
    for copy in ("one", "two", "three", "four"):
        shutil.copytree(tmp_path / "start", tmp_path / copy)
        cli(*asked, "--out", copy, "--beacon", "17")
        found = parsed(cli("verify", copy, "--head", committed["head"], "--json"))
        assert found["different"] == {}, "each is played by the rules, with the seed that nobody could choose"
        [unproved] = [note for note in found["notes"] if "deterministic" in note]
        assert unproved.startswith("draws does not call itself deterministic: played again from the same start, other")
        assert any("may have been played several times from the same start" in note for note in found["notes"])
        with Ledger.open(tmp_path / copy) as ledger:
            games.add(tuple(ledger.marks().values()))
    assert len(games) == 4, "four tournaments of one start"


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE seats SET scores = '{' WHERE game = ? AND seat = 1",
        "UPDATE seats SET times = 'null' WHERE game = ? AND seat = 1",
        "UPDATE seats SET rank = 'first' WHERE game = ? AND seat = 0",
        "UPDATE games SET retired = '{}' WHERE id = ?",
        "UPDATE games SET players = 'three' WHERE id = ?",
        "UPDATE steps SET kind = 'jump' WHERE game = ? AND n = 1",
        "UPDATE steps SET seat = 'x' WHERE game = ? AND n = 1",
        "UPDATE steps SET action = x'80' WHERE game = ? AND n = 1",
        "DELETE FROM seats WHERE game = ? AND seat = 2",
    ],
)
def test_a_damaged_game_is_named_and_the_others_are_still_verified(cli, alter, sql):
    folder = alter(sql.replace("?", f"'{ALTERED}'"))
    done = parsed(cli("verify", folder, "--json", code=1))
    assert done["games"] == 7
    assert {game: len(found) for game, found in done["different"].items()} == {ALTERED: 1}

"""`arena show --history`: the versions of bots and the course of their ratings. Its words: `wording/show.txt`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.arena.cli.conftest import ROOT, parsed
from tests.shell import Shell


@pytest.fixture
def loop(shell: Shell) -> list[object]:
    """A command that was typed, typed again after a change, and can be typed once more."""
    bots = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "random_bot.py"]
    mine = shell.folder / "mine.py"
    limits = ["--start", 60, "--bank", 60]  # on a busy machine they are not what these tests are about
    asked = ["tournament", mine, *bots, *limits, "--games", 12, "--players", 3, "--seed", 1, "--out", "t"]
    shutil.copy(ROOT / "bots" / "random_bot.py", mine)
    shell.run(*asked, "--note", "moves at random")
    shutil.copy(ROOT / "bots" / "planner.py", mine)
    shell.run(*asked, "--note", "plans ahead")
    return asked


@pytest.mark.slow
@pytest.mark.process
def test_a_changed_bot_is_seen_in_the_history_and_whether_it_got_better(shell, cli, loop):
    again = cli(*loop)
    assert [line for line in again.stdout.splitlines() if line.startswith("mine@2 ") and "mine@1" in line]
    [mine] = parsed(cli("show", "t", "mine", "--history", "--json"))["bots"]
    first, second = mine["versions"]
    assert [each["note"] for each in mine["changes"]] == ["moves at random", "plans ahead"]
    assert first["left"] == second["joined"]
    assert (first["joined"]["games_before"], second["joined"]["games_before"]) == (0, 12)
    assert second["left"] is None
    assert second["against_before"]["before"] == "mine"
    assert second["against_before"]["better"] > 0.9
    former = parsed(cli("leaderboard", "t", "--json"))["former"]
    assert [(row["bot"], row["mu"]) for row in former] == [("mine", first["mu"])]


def test_as_json_all_bots_are_there_and_the_course_of_one(cli, played):
    history = parsed(cli("show", played, "--history", "--json"))
    assert {bot["bot"] for bot in history["bots"]} == {"crasher", "greedy", "random_bot"}
    assert (history["games"], [day["games_before"] for day in history["days"]]) == (7, [0])
    assert "course" not in history
    board = parsed(cli("leaderboard", played, "--json"))["overall"]
    for row in board:
        [bot] = parsed(cli("show", played, row["bot"], "--history", "--json"))["bots"]
        course = parsed(cli("show", played, row["bot"], "--history", "--json"))["course"]
        assert [bot["versions"][0][key] for key in ("games", "mu", "rating")] == [
            row[key] for key in ("games", "mu", "rating")
        ]
        assert round(course[-1]["rating"], 6) == row["rating"]
        assert course[-1]["games"] == row["games"]
        assert 1 <= course[0]["number"] <= course[-1]["number"] == 7


def test_a_single_word_is_a_bot_unless_it_is_a_folder(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "tournaments" / "default")
    of_bot = parsed(cli("show", "greedy", "--history", "--json"))
    assert [bot["bot"] for bot in of_bot["bots"]] == ["greedy"]
    (tmp_path / "greedy").mkdir()
    cli("show", "greedy", "--history", code=2)
    cli("show", Path("tournaments") / "default", "greedy", code=2)
    cli("show", "nobody", "--history", code=2)

"""`arena leaderboard`: for people, pages, spreadsheets and scripts."""

from __future__ import annotations

import csv
import io
import shutil

import pytest

from arena.ledger import FieldEvent, Ledger
from tests.arena.cli.conftest import parsed

KEYS = {
    "bot",
    "band",
    "bound",
    "interval",
    "error",
    "mu",
    "sigma",
    "rating",
    "games",
    "mean_finish",
    "mean_finish_error",
    "wins",
    "scores",
    "faults",
}
"""What scripts are promised of every row."""


def test_plain_is_the_default_and_narrow(cli, played):
    plain = cli("leaderboard", played).stdout
    assert plain == cli("leaderboard", played, "--format", "plain").stdout
    assert max(map(len, plain.splitlines())) <= 100


def test_json_is_best_first_with_all_that_scripts_are_promised(cli, played):
    board = parsed(cli("leaderboard", played, "--format", "json"))
    assert set(board["players"]) == {"2", "3"}
    for rows in (board["overall"], *board["players"].values()):
        assert {row["bot"] for row in rows} == {"greedy", "random_bot", "crasher"}
        assert all(set(row) >= KEYS for row in rows)
        ratings = [row["rating"] for row in rows]
        assert ratings == sorted(ratings, reverse=True)
    crasher = next(row for row in board["overall"] if row["bot"] == "crasher")
    assert crasher["faults"]["crash"] == 2
    assert (crasher["retired"], crasher["suspended"]) == (2, False)
    assert board["left_out"] == []


def test_json_is_the_same_under_both_names(cli, played):
    assert cli("leaderboard", played, "--json").stdout == cli("leaderboard", played, "--format", "json").stdout


def test_one_count_alone(cli, played):
    board, alone = (parsed(cli("leaderboard", played, *words, "--json")) for words in ([], ["--players", 3]))
    assert alone["players"] == {"3": board["players"]["3"]}
    assert ("overall" in board, "overall" in alone) == (True, False)


def test_markdown_html_and_csv_hold_the_same_bots(cli, played):
    github, html = (cli("leaderboard", played, "--format", format_).stdout for format_ in ("github", "html"))
    rows = list(csv.DictReader(io.StringIO(cli("leaderboard", played, "--format", "csv").stdout)))
    assert [row["table"] for row in rows] == ["overall"] * 3 + ["2"] * 3 + ["3"] * 3
    board = parsed(cli("leaderboard", played, "--json"))
    assert [row["bot"] for row in rows[:3]] == [row["bot"] for row in board["overall"]]
    for bot in ("greedy", "random\\_bot", "crasher"):
        assert f"| {bot}" in github
        assert f"<td>{bot}".replace("\\", "") in html


def test_the_tournament_in_the_current_folder_needs_no_name(cli, played, tmp_path):
    (tmp_path / "tournaments").mkdir()
    (tmp_path / "tournaments" / "default").symlink_to(played)
    assert cli("leaderboard").stdout == cli("leaderboard", played).stdout


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(shell, played):
    with shell.start("leaderboard", played) as run:
        run.stdout.close()
        run.stdout = None
        _, err = run.communicate()
    assert (run.returncode, err) == (0, "")


def test_other_rating_systems_rate_the_same_games(cli, played):
    board = parsed(cli("leaderboard", played, "--rating", "sequential", "--json"))
    for rows in (board["overall"], *board["players"].values()):
        assert {row["bot"] for row in rows} == {"greedy", "random_bot", "crasher"}
        assert all(row["sigma"] > 0 for row in rows)
        assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    assert "mu ± 95 %" in cli("leaderboard", played, "--rating", "sequential").stdout
    wrong = cli("leaderboard", played, "--rating", "elo", code=2)
    assert "'elo' is none of score, sequential, trueskill" in wrong.stderr


def test_a_count_that_was_played_is_there_when_too_few_are_left_for_it(cli, played, tmp_path):
    shutil.copytree(played, tmp_path / "t")
    with Ledger.open(tmp_path / "t", writing=True) as ledger:
        place = len(ledger.ids())
        ledger.change_field([], [FieldEvent("leave", "crasher", 1, place)], place, "")
    assert parsed(cli("leaderboard", "t", "--players", 3, "--json"))["players"]["3"]
    assert "games of 2, 3" in cli("leaderboard", "t", "--players", 4, code=2).stderr

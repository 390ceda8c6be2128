"""`arena leaderboard`: for people, pages, spreadsheets and scripts."""

from __future__ import annotations

import csv
import io

import pytest

from arena.standings import FORMATS
from tests.arena.cli.conftest import parsed

KEYS = {
    "bot",
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


def test_plain_is_the_default_with_a_table_for_every_count(cli, played):
    plain = cli("leaderboard", played).stdout
    assert plain == cli("leaderboard", played, "--format", "plain").stdout
    lines = plain.splitlines()
    assert [line for line in lines if line in ("overall", "2 players", "3 players")] == [
        "overall",
        "2 players",
        "3 players",
    ]
    assert max(map(len, lines)) <= 100


def test_json_is_best_first_with_all_that_scripts_are_promised(cli, played):
    board = parsed(cli("leaderboard", played, "--format", "json"))
    assert set(board["players"]) == {"2", "3"}
    for rows in (board["overall"], *board["players"].values()):
        assert {row["bot"] for row in rows} == {"greedy", "random_bot", "crasher"}
        assert all(set(row) >= KEYS for row in rows)
        ratings = [row["rating"] for row in rows]
        assert ratings == sorted(ratings, reverse=True)
    crasher = next(row for row in board["overall"] if row["bot"] == "crasher")
    assert crasher["faults"]["crash"] == 3
    assert (crasher["retired"], crasher["suspended"]) == (3, False)
    assert board["left_out"] == []


def test_json_is_the_same_under_both_names(cli, played):
    assert cli("leaderboard", played, "--json").stdout == cli("leaderboard", played, "--format", "json").stdout


@pytest.mark.parametrize("format_", FORMATS)
def test_one_count_alone(cli, played, format_):
    alone = cli("leaderboard", played, "--players", 3, "--format", format_).stdout
    assert "overall" not in alone
    assert "greedy" in alone
    assert alone != cli("leaderboard", played, "--players", 2, "--format", format_).stdout
    if format_ == "json":
        assert set(parsed(cli("leaderboard", played, "--players", 3, "--json"))["players"]) == {"3"}


def test_markdown_html_and_csv_hold_the_same_bots(cli, played):
    github = cli("leaderboard", played, "--format", "github").stdout
    assert github.startswith("### overall\n\n|")
    html = cli("leaderboard", played, "--format", "html").stdout
    assert html.startswith("<h2>overall</h2>\n<table>")
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--players", 4], "--players: 4: this tournament has games of 2, 3"),
        (["--players", "many"], "'--players': 'many' is not a whole number from 1"),
        (["--format", "xml"], "--format: 'xml' is not one of plain, github, html, csv, json"),
        (["--format", ""], "--format: '' is not one of plain,"),
        (["--json", "--format", "csv"], "choose one"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(cli, played, words, said):
    refused = cli("leaderboard", played, *words, code=2)
    assert said in refused.stderr
    assert refused.stdout == ""


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error(shell, played):
    with shell.start("leaderboard", played) as run:
        run.stdout.close()
        run.stdout = None
        _, err = run.communicate()
    assert (run.returncode, err) == (0, "")

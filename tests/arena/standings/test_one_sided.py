"""A rating that games bound on one side alone is shown so wherever ratings are shown, and never with a ±."""

from __future__ import annotations

import csv
from html import unescape

import pytest

from arena.ledger import Ledger, brief_results
from arena.rating.rated_table import Point
from arena.reports.bot_report import bot_report
from arena.reports.statement import TOO_FEW, make_statement
from arena.reports.statement_text import statement_text
from arena.site.charts import course
from arena.site.leaderboard_tables import leaderboard_table, standing_in_words
from arena.standings import leaderboard, rated_results
from arena.standings.leaderboard_text import TEXT_FORMATS
from arena.standings.rows import Leaderboard
from arena.standings.running import RunningTable, rating_cells
from arena.tournament.hooks.observer import final_standings
from tests.arena.ledgers import Play, ledger, play

__all__ = ["ledger", "play"]


@pytest.fixture
def board(ledger: Ledger, play: Play) -> Leaderboard:
    """Ant always wins; bee and cat win in turn."""
    for block in range(20):
        play("ant", "bee", block=block)
        play("ant", "cat", block=block)
        play(*("bee", "cat") if block % 2 else ("cat", "bee"), block=block)
    return leaderboard(ledger)


def test_its_row_says_so(board: Leaderboard) -> None:
    rows = board.data()["overall"]
    assert [(row["bot"], row["bound"]) for row in rows] == [("ant", "at least"), ("bee", None), ("cat", None)]
    (low, high), both = rows[0]["interval"], rows[1]["interval"]
    assert high is None
    assert low == pytest.approx(rows[0]["rating"] - 1.96 * rows[0]["error"], abs=1e-5)
    assert both == pytest.approx([rows[1]["rating"] + side * 1.96 * rows[1]["error"] for side in (-1, 1)], abs=1e-5)
    (table,) = {row["table"]: row for row in csv.DictReader(TEXT_FORMATS["csv"](board).splitlines()[:2])}.values()
    assert (float(table["low"]), table["high"]) == (low, "")
    standings = final_standings(board)
    assert [row.bound for row in standings] == ["at least", None, None]


def test_all_say_it_in_the_same_words(board: Leaderboard, ledger: Ledger) -> None:
    assert board.overall is not None
    best = board.overall[0]
    assert best.interval is not None
    assert best.interval[0] is not None
    said, short = f"> {best.interval[0]:.2f}", f"> {best.interval[0]:.1f}"
    for name in ("plain", "github", "html"):
        text = unescape(TEXT_FORMATS[name](board))
        assert (short if name == "plain" else said) in text
        assert f"{best.values['rating']:.1f}" not in text
        assert "known on one side" in " ".join(text.split())
    results = ledger.results()
    rated = rated_results(ledger, results)
    statement = make_statement(ledger, board, results, rated, None, TOO_FEW)
    ahead, *_, equal = statement.differences
    assert ahead.one == "ant"
    assert ahead.low is not None
    assert ahead.high is None
    assert None not in (equal.low, equal.high)
    text = statement_text(statement)
    assert said in text
    assert f"> {ahead.low:+.2f}" in text
    assert f"{best.values['rating']:.2f} ±" not in text
    report = bot_report(ledger, "ant")
    assert report.standing is not None
    assert report.standing.rating == f"rating {said} (95 %)"


def test_a_page_shows_its_interval_open(board: Leaderboard) -> None:
    assert board.overall is not None
    best, *others = board.overall
    assert best.interval is not None
    said = f"> {best.interval[0]:.2f}"
    assert f"rating {said} (95 %) after 40 games" in standing_in_words(best, 1, 3, board.columns)
    table = leaderboard_table(board.overall, board.columns)
    assert [cell.text for cell in table.lines[0].cells[:2]] == [said, "–"]
    bars = [line.bar for line in table.lines]
    assert bars[0] is not None
    assert (bars[0].high, bars[0].words) == (100, f"rating {said} (95 %)")
    assert "known on one side" in table.note
    assert not leaderboard_table(others, board.columns, [2, 3]).note
    points = [Point(games, best.values) for games in (10, 20)]
    wide, _ = course(points, board.columns, best.bound)
    assert [line.name for line in wide.lines] == ["rating", "95 %, lower end"]
    assert "known on one side alone" in wide.about


def test_a_running_table_shows_it_too(ledger: Ledger, board: Leaderboard) -> None:
    table = RunningTable(["ant", "bee", "cat"])
    for game in brief_results(ledger.folder, 0, 100):
        table.add(game)
    table.rate()
    cells = [rating_cells(row, table.columns) for row in table.rows()]
    assert [cell.startswith("> ") for (cell,) in cells] == [True, False, False]

"""A tournament of rules that are played for a score: every table and page rates by it, and says in which unit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from numpy.random import RandomState

from arena.ledger import Ledger, brief_results
from arena.rating import rating_system
from arena.reports.bot_report import bot_report
from arena.site import publish
from arena.standings import leaderboard
from arena.standings.compute import own_system
from arena.standings.kept_leads import overall_lead
from arena.standings.leaderboard_text import plain
from arena.standings.running import RunningTable
from arena.standings.versions import field_history
from engine.rules import Score
from tests.arena.ledgers import Play
from tests.arena.tournament.conftest import lab  # noqa: F401

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

CHIPS = Score("chips", "chips", zero_sum=True)


@pytest.fixture
def played_for(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr("arena.rating.systems._score", lambda game: CHIPS)
    return monkeypatch


@pytest.fixture
def poker(play: Play, played_for: pytest.MonkeyPatch) -> None:
    """Forty games each: `ant` wins 7 chips in one of four games, `bee` a chip in the others."""
    chance = RandomState(4)
    for block in range(20):
        for other in ("bee", "cat"):
            for _ in range(2):
                won = 7.25 if chance.randint(4) == 0 else -1.0
                first = "ant" if won > 0 else other
                chips = {"ant": won, other: -won}
                last = other if first == "ant" else "ant"
                play(
                    first,
                    last,
                    block=2 * block + (other == "cat"),
                    scores=[{"chips": chips[first]}, {"chips": chips[last]}],
                )


@pytest.mark.usefixtures("poker")
def test_the_table_is_in_the_unit_and_says_where_ranks_disagree(ledger: Ledger) -> None:
    board = leaderboard(ledger)
    assert board.overall is not None
    assert [column.title for column in board.columns.shown] == ["chips a game", "error"]
    assert board.overall[0].bot == "ant"
    text = plain(board, 100)
    assert "chips/game ± 95 %" in text
    by_ranks = leaderboard(ledger, system=rating_system("trueskill"))
    assert by_ranks.overall is not None
    assert by_ranks.overall[-1].bot == "ant"
    assert json.loads(json.dumps(board.data()))["overall"][0]["score"] == board.overall[0].values["score"]


@pytest.mark.usefixtures("played_for")
def test_a_line_names_two_bots_that_ranks_put_the_other_way_round_for_certain(ledger: Ledger, play: Play) -> None:
    for block in range(60):
        won = 7.25 if block % 4 == 0 else -1.0
        bots = ("ant", "bee") if won > 0 else ("bee", "ant")
        play(*bots, block=block, scores=[{"chips": abs(won)}, {"chips": -abs(won)}])
    assert "By ranks alone bee would stand before ant: it finishes ahead more often" in plain(
        leaderboard(ledger), 200
    ).replace("\n", " ")
    ranks = leaderboard(ledger, system=rating_system("trueskill"))
    assert "By ranks alone" not in plain(ranks, 200)


@pytest.mark.usefixtures("poker")
def test_reports_histories_kept_leads_and_running_tables_rate_by_it_too(ledger: Ledger, tmp_path: Path) -> None:
    board = leaderboard(ledger)
    assert board.overall is not None
    best = board.overall[0]
    history = field_history(ledger)
    assert history.columns.ranking == "score"
    assert history.courses["ant"][-1].values["score"] == pytest.approx(best.values["score"])
    lead = overall_lead(ledger, tmp_path / "cache")
    assert lead is not None
    assert best.bot in lead.bots
    running = RunningTable(ledger.field(), own_system(ledger))
    for game in ledger.results():
        [brief] = brief_results(ledger.folder, game.index, game.index + 1)
        running.add(brief)
    running.rate()
    assert running.rows()[0].bot == "ant"
    assert running.rows()[0].values["score"] == pytest.approx(best.values["score"], abs=1e-5)
    report = bot_report(ledger, "ant")
    assert report.standing is not None
    assert "chips a game" in report.standing.rating


@pytest.mark.slow
def test_pages_are_published_in_the_unit(
    lab: Lab,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.rating.systems._score", lambda game: Score("gold", "gold pieces", best="least"))
    folder = lab.run(games=40).folder
    publish(folder, tmp_path / "site", jobs=1)
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "gold pieces a game" in page
    rows = json.loads((tmp_path / "site" / "leaderboard.json").read_text())["overall"]
    assert [row["score"] for row in rows] == sorted(row["score"] for row in rows), "less gold is better"

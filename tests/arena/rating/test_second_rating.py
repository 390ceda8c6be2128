"""A second rating system, made in this file alone: a tournament is rated, written and drawn by its columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.ledger import Ledger
from arena.rating import SYSTEMS, RatingColumn, RatingColumns, RatingError, RatingInput
from arena.rating.base import Bound, OnRated, RankBand, Ratings, Scores, Values, of_players
from arena.rating.rated_table import win_share
from arena.site import publish
from arena.site.charts import course, courses
from arena.site.feeds import badge
from arena.site.leaderboard_tables import leaderboard_table
from arena.site.pages import environment
from arena.standings import TEXT_FORMATS, leaderboard, rated_results
from arena.standings.compute import Sheet, make_table
from arena.standings.rows import Leaderboard
from tests.arena.tournament.conftest import lab  # noqa: F401

if TYPE_CHECKING:
    from tests.arena.tournament.conftest import Lab

OTHER = re.compile(r"\b(mu|sigma|σ|TrueSkill|rating)\b")
"""What only the other system says."""


class WinShare:
    """Ranks bots by the share of the games that they have won."""

    columns = RatingColumns(
        shown=(
            RatingColumn("won_share", "won", "share of the games won", "won", places=4, few_places=3),
            RatingColumn("lost", "lost", "games not won at all", "lost", places=0, few_places=0),
        ),
        ranking="won_share",
        note="Won is the share of games won.",
    )

    def rate(
        self,
        results: Sequence[RatingInput],
        bots: Iterable[str],
        on_rated: OnRated | None = None,
        players: int | None = None,
        ranked: Iterable[str] | None = None,
    ) -> Ratings:
        results = of_players(results, players)
        won: dict[str, list[float]] = {bot: [] for bot in bots}
        for number, result in enumerate(results, start=1):
            for seat, bot in enumerate(result.bots):
                won[bot].append(win_share(result.ranks, seat))
            if on_rated is not None:
                on_rated(number, {bot: _values(won[bot]) for bot in result.bots})
        return Ratings({bot: _values(wins) for bot, wins in won.items()})

    def running(self, bots: Iterable[str] = ()) -> RunningWins:
        return RunningWins()


class RunningWins:
    columns = WinShare.columns

    def __init__(self) -> None:
        self._won: dict[str, list[float]] = {}

    def add(self, bots: Sequence[str], ranks: Sequence[int], teams: object = (), scores: Scores = ()) -> None:
        for seat, bot in enumerate(bots):
            self._won.setdefault(bot, []).append(win_share(ranks, seat))

    def values(self, bot: str) -> Values:
        return _values(self._won.get(bot, []))

    def bands(self) -> Mapping[str, RankBand]:
        return {}

    def bounds(self) -> Mapping[str, Bound]:
        return {}


def _values(wins: list[float]) -> Values:
    return {"won_share": sum(wins) / max(1, len(wins)), "lost": wins.count(0.0)}


@pytest.fixture
def sheet(lab: Lab) -> Sheet:  # noqa: F811
    """What a tournament's table is made of."""
    with Ledger.open(lab.run(games=60).folder) as ledger:
        return Sheet(rated_results(ledger), ["a", "b", "c", "d"], {}, WinShare())  # type: ignore[arg-type]


@pytest.fixture
def board(lab: Lab) -> Leaderboard:  # noqa: F811
    with Ledger.open(lab.run(games=60).folder) as ledger:
        return leaderboard(ledger, system=WinShare())  # type: ignore[arg-type]


def test_it_ranks_the_bots_of_a_tournament(board: Leaderboard) -> None:
    assert board.overall is not None
    shares = [row.values["won_share"] for row in board.overall]
    assert shares == sorted(shares, reverse=True)
    assert len(set(shares)) > 1
    assert all(row.values["won_share"] == row.wins for row in board.overall)
    assert board.overall_lead is not None
    assert board.overall[0].bot in board.overall_lead.bots
    assert {count: rows[0].values["won_share"] for count, rows in board.players.items()} == {
        count: max(row.wins or 0 for row in rows) for count, rows in board.players.items()
    }


@pytest.mark.parametrize("format_", TEXT_FORMATS)
def test_every_text_format_has_its_columns_and_no_others(board: Leaderboard, format_: str) -> None:
    text = TEXT_FORMATS[format_](board)
    assert "won" in text
    assert "lost" in text
    assert not OTHER.findall(text)
    if format_ == "json":
        assert list(json.loads(text)["overall"][0])[:7] == [
            "bot",
            "band",
            "bound",
            "interval",
            "lost",
            "won_share",
            "games",
        ]
    if format_ == "csv":
        assert text.startswith("table,rank,best_place,worst_place,bot,author,team,lead,lost,won_share,low,high,games,")
    if format_ in ("plain", "github", "html"):
        assert board.overall is not None
        places = 3 if format_ == "plain" else 4
        assert f"{board.overall[0].values['won_share']:.{places}f}" in text


def test_the_tables_and_charts_of_a_page_have_its_columns_and_no_others(sheet: Sheet) -> None:
    rows, _, history = make_table(sheet, with_courses=True)
    columns = sheet.system.columns
    table = leaderboard_table(rows, columns)
    assert [column.label for column in table.columns[:3]] == ["won", "lost", "games"]
    assert [cell.value for cell in table.lines[0].cells[:2]] == [repr(each) for each in rows[0].values.values()][::-1]
    ranking = [row.bot for row in rows]
    charts = [*courses(history, ranking, columns), *course(history[ranking[0]], columns)]
    text = environment().get_template("charts.html.j2").module.drawn(charts)  # type: ignore[attr-defined]
    assert text.count("<svg class=") == 4
    assert ">won</text>" in text
    shown = [spot.words for chart in charts for spot in chart.spots]
    assert not [OTHER.findall(words) for words in (text, *shown) if OTHER.search(words)]
    assert not [chart.band for chart in charts if chart.band], "it knows no errors"
    assert f"{rows[0].values['won_share']:.4f}" in charts[0].spots[-1].words
    assert "may be the best" in badge("cup", rows, columns).decode()


@pytest.mark.slow
def test_a_site_is_published_with_the_system_of_that_name(
    lab: Lab,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SYSTEMS, "win-share", WinShare())
    folder = lab.run(games=60).folder
    publish(folder, tmp_path / "site", jobs=1, rating="win-share")
    # The statement is always made by the arena's own rating.
    files = [path for path in (tmp_path / "site").rglob("*.html") if path.name != "statement.html"]
    pages = {path: path.read_text("utf-8").replace('class="rating"', "") for path in files}
    assert len(pages) > 4
    tables = [text for text in pages.values() if ">won</th>" in text]
    assert len(tables) > 4
    assert not [game for text in pages.values() for game in OTHER.findall(text)]
    assert list(json.loads((tmp_path / "site" / "leaderboard.json").read_text())["overall"][0])[4:6] == [
        "lost",
        "won_share",
    ]
    with pytest.raises(RatingError, match=r"'elo' is none of .*trueskill, win-share"):
        publish(folder, tmp_path / "other", jobs=1, rating="elo")
    assert not (tmp_path / "other").exists()

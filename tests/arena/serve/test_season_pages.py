"""What is written for people after a round: a site for all, and a report for each submitter alone."""

from __future__ import annotations

import csv
import re

import pytest

from arena.ledger import Ledger
from arena.serve.season_pages import write_pages
from tests.arena.serve.test_round_lane import PlayedLeague

pytestmark = [pytest.mark.process]
CRASHES = """
import sys
from arena.client import run

def decide(game):
    print("what only ada may read", file=sys.stderr)
    sys.exit(1)

run(decide)
"""


def test_a_site_has_nothing_of_anybodys_own_and_reports_lie_beside_it(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "league").mkdir()
    league = PlayedLeague(tmp_path / "league")
    with league.store:
        league.join("ada", text=CRASHES)
        league.join("grace")
        assert league.go_on(1) == [(1, "complete")]
        folder = league.season.folder
        pages, reports = folder / "site", folder / "reports"
        public = {file: file.read_bytes() for file in pages.rglob("*") if file.is_file()}
        assert "what only ada may read" in (reports / "ada.html").read_text()
        assert {each.name for each in reports.iterdir()} >= {"ada.html", "grace.html"}
        with Ledger.open(folder) as ledger:
            assert any(
                "what only ada may read" in fault.stderr
                for _, found in ledger.latest_faults(9).values()
                for _, fault in found
            )
            assert ledger.settings.seed is not None
            seeds = [ledger.settings.seed, *(game.seed for game in ledger.games())]
        for file, content in public.items():
            name = file.relative_to(pages).as_posix()
            assert b"what only ada may read" not in content, name
            if name != "games.csv" and not re.match(r"games/[^/]+/", name):
                assert not [seed for seed in seeds if seed.encode() in content], f"{name} tells hands before time"
        assert '<a href="/">League</a>' in (pages / "index.html").read_text()
        assert '<a href="/">League</a>' in (pages / "bots" / "grace.html").read_text()
        assert not (pages / "games" / "live.html").exists()
        table = list(csv.reader((folder / "marks.csv").read_text().splitlines()))
        assert [row[0] for row in table] == ["submitter", "ada", "grace"]
        write_pages(folder, pages, "watched", "live")
        assert (pages / "games" / "live.html").exists()


def test_a_season_that_is_over_shows_its_seeds(tmp_path) -> None:
    (tmp_path / "league").mkdir()
    league = PlayedLeague(tmp_path / "league")
    with league.store:
        league.take("ends = 2026-09-01T02:30:00Z")
        league.join("ada")
        league.go_on(1)
        assert "secret until" in (league.season.folder / "site" / "index.html").read_text()
        league.go_on(2)
        assert league.season.is_over
        with Ledger.open(league.season.folder) as ledger:
            assert ledger.settings.seed in (league.season.folder / "site" / "index.html").read_text()

"""Five equal copies of a bot: one band in every table, and nothing that is published names a winner."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tests.arena.cli import runner
from tests.arena.site.conftest import Cup, Page, contents

pytestmark = pytest.mark.slow

COPIES = tuple(f"copy{number}" for number in range(1, 6))
WINNER = re.compile(r"\b(leads|winner|is ahead|(?<!it )is the best|is first)\b")
"""But not "it may not be claimed of any that it is the best"."""


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """A published tournament of bots that all move at random."""
    cup = Cup(tmp_path_factory.mktemp("copies"), "ravensburger", COPIES)
    cup.play(120)
    cup.publish(url="https://example.org/copies")
    return cup


def test_they_share_one_band_in_every_table(copies: Cup) -> None:
    board = json.loads((copies.site / "leaderboard.json").read_bytes())
    for rows in (board["overall"], *board["players"].values()):
        assert {tuple(row["band"]) for row in rows} == {(1, 5)}
        assert {row["bot"] for row in rows} == set(COPIES)
    assert all(
        set(lead["bots"]) == set(COPIES) for lead in (board["lead"]["overall"], *board["lead"]["players"].values())
    )
    index = Page((copies.site / "index.html").read_text("utf-8"))
    for name in ("overall", "table-2", "table-3"):
        assert [row[0].text for row in index.tables[name][1:]] == ["1–5"] * 5
    for other in COPIES:
        page = Page((copies.site / "bots" / f"{other}.html").read_text("utf-8"))
        assert {row[0].text for row in page.tables["bot"][1:]} == {"1–5"}


def test_no_page_feed_badge_or_text_names_a_winner(copies: Cup) -> None:
    files = {
        path: data.decode()
        for path, data in contents(copies.site).items()
        if not path.startswith(("games/", "assets/")) and Path(path).suffix in (".html", ".xml", ".json", ".md")
    }
    assert {"index.html", "feed.xml", "badge.json", "leaderboard.md", "leaderboard.json"} <= files.keys()
    said = {path: Page(text).text if path.endswith(".html") else text for path, text in files.items()}
    assert {path: WINNER.findall(text) for path, text in said.items() if WINNER.search(text)} == {}
    for path in ("index.html", "feed.xml", "badge.json", "leaderboard.md"):
        assert "too early to say" in said[path].lower(), path
    index = Page(files["index.html"])
    certain = [cell.text for row in index.tables["heat"][1:] for cell in row[1:] if cell.text in (">99", "<1")]
    assert certain == []


def test_no_command_names_a_winner(copies: Cup) -> None:
    for command in (["leaderboard", copies.folder], ["show", copies.folder], ["list", copies.folder.parent]):
        text = runner.run(*command).stdout
        assert not WINNER.search(text)
        assert "too early to say" in text
    rows = csv.DictReader(io.StringIO(runner.run("leaderboard", copies.folder, "--format", "csv").stdout))
    assert {(row["lead"], row["best_place"], row["worst_place"]) for row in rows} == {("", "1", "5")}

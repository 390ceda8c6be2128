"""What a reader loads with each page: what only some pages need is loaded there alone."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import cast

import pytest

from arena.site.pages import render_table_page
from engine import catalog
from engine.picture import Illustrated
from engine.rules import Rules
from tests.arena.site.conftest import Cup

pytestmark = pytest.mark.slow

ASSETS = files("arena.site") / "assets"
MOST = {"index.html": 31_000, "games/index.html": 40_000, "games/live.html": 200_000, "games/replay.html": 206_000}
"""By page: the bytes of its scripts and styles. Less than these pages had before they knew analysis and text boards."""
MOST_TO_PLAY = 239_000
ON_DEMAND = {"play-tutorial.js", "viewer-analysis.js"}
"""Scripts that are loaded where there is a tutorial that is opened, or an analysis."""


def loaded(page: str) -> list[str]:
    """The scripts and styles that a page names."""
    return re.findall(r'"[./]*assets/([\w-]+\.(?:js|css))"', page)


def to_play() -> tuple[list[str], list[str]]:
    """What a person loads to play a game with pictures, and one without."""
    undrawn = cast(Rules, object())
    assert not isinstance(undrawn, Illustrated)
    return loaded(render_table_page(catalog.rules("kosmos"))), loaded(render_table_page(undrawn))


def weight(names: list[str]) -> int:
    return sum(len((ASSETS / name).read_bytes()) for name in names)


def test_pages_load_what_they_need(cup: Cup) -> None:
    cup.publish(live=True)
    pages = {path: loaded((cup.site / path).read_text("utf-8")) for path in MOST}
    weights = {path: weight(names) for path, names in pages.items()}
    for path in MOST.keys() - {"games/live.html"}:
        weights[path] -= weight(["live.js"])  # of the local server alone
    assert {path: weight for path, weight in weights.items() if not MOST[path] - 15_000 < weight < MOST[path]} == {}
    assert 0 < (cup.site / "games/best.webp").stat().st_size < 20_000, "the game that plays itself"
    for names in pages.values():
        assert "viewer-boards.js" not in names, "this game has pictures"


def test_a_person_loads_what_the_game_needs() -> None:
    drawn, undrawn = to_play()
    assert 50_000 < weight(undrawn) < weight(drawn)
    assert weight([*drawn, "play-tutorial.js"]) < MOST_TO_PLAY
    assert ("board.js" in drawn, "viewer-boards.js" in drawn) == (True, False)
    assert ("board.js" in undrawn, "viewer-boards.js" in undrawn) == (False, True)


def test_no_script_is_forgotten(cup: Cup) -> None:
    cup.publish(live=True, url="https://example.org/")
    pages = [page.read_text("utf-8") for page in cup.site.rglob("*.html")]
    league = (files("arena.site") / "templates" / "league.html.j2").read_text("utf-8")
    named = {name for page in [*pages, league] for name in loaded(page)}.union(*to_play())
    assert not [each.name for each in (cup.site / "assets").iterdir() if each.name.startswith("league")]
    assert {each.name for each in ASSETS.iterdir()} - named == ON_DEMAND

"""Analysis on a replay page: asked for at the local server, with marks, an arrow and what would have been better."""

from __future__ import annotations

import json
import shutil

import pytest
from playwright.sync_api import expect

from arena.analysis.playouts import Budget
from arena.site import publish
from arena.web import analyses
from arena.web.analyses import Analyses
from arena.web.feed import Feed
from arena.web.live import create_app
from arena.web.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser, sites, tmp_path, monkeypatch):
    """A replay of a game of the local server."""
    monkeypatch.setattr(analyses, "Budget", lambda: Budget(8))
    shutil.copytree(sites["kosmos"].ledger, tmp_path / "t")
    site = tmp_path / "site"
    site.mkdir()

    def again() -> None:
        publish(tmp_path / "t", site, jobs=1, live=True)

    again()
    asked, feed = Analyses(tmp_path / "t", again), Feed()
    errors = []
    with Server(create_app(site, feed, asked.routes), feed) as server:
        server.start()
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("pageerror", lambda error: errors.append(str(error)))
        [game, *_] = sites["kosmos"].games(2)
        page.goto(f"{server.address}games/replay.html#{game.id}/5/open")
        yield page
        page.close()
    asked.close()
    assert not errors


def test_an_analysis_is_asked_for_and_shown(page):
    page.click("#tab-points")
    page.click("text=Request analysis")
    expect(page.locator("#points [role=status]")).to_contain_text("It takes")
    page.click("text=Begin")
    expect(page.locator("#points .analysis")).to_have_count(2)  # the page was loaded again
    page.click("#tab-points")
    expect(page.locator("#points .analysis").first).to_contain_text("inaccurac")
    expect(page.locator("text=Request analysis")).to_have_count(0)
    marks = page.locator("#points .analysis a")
    expect(page.locator("#curve .turning")).to_have_count(marks.count())
    expect(page.locator("#curve .turning").first).to_contain_text("?")
    marks.first.click()
    expect(page.locator("#now .judged").first).to_contain_text("better")


def test_what_would_have_been_better_is_shown_on_the_board_and_in_the_hand(page):
    game = page.evaluate("location.hash.slice(1).split('/')[0]")
    mark = {"seat": 0, "turn": 1, "step": 0, "mark": "blunder", "symbol": "??", "lost": 0.3, "chosen": "this"}
    own = data_of(page.request.get(page.url.split("replay.html")[0] + f"{game}/seat-0.js").text())
    mark |= {"better": "that", "chance": "20 %", "could": "50 %", "way": [0, 1], "cards": own["hand"][:1]}
    page.route(f"**/{game}/public.js", lambda route: route.fulfill(body=changed(route.fetch().text(), mark)))
    page.goto(page.url.split("#")[0] + f"?again#{game}/1/open")
    expect(page.locator("#board .arrow")).to_have_count(1)
    expect(page.locator("#now .judged")).to_have_text("1 blunder ??: “this” (20 %), better “that” (50 %)")
    expect(page.locator("#seats [data-seat='0'] .face.better")).to_have_count(1)
    page.click("#next")
    expect(page.locator("#board .arrow")).to_have_count(0)


def data_of(text: str) -> dict:
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


def changed(text: str, mark: dict) -> str:
    """The script of a game with one choice marked."""
    data = data_of(text)
    part = {"unit": "chance", "note": "a note", "marks": [mark], "records": [None] * data["players"], "curve": []}
    return f'arenaData("public",{json.dumps(data | {"analysis": part})});'

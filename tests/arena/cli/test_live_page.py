"""A live page in a browser: what is new comes, and the reader's place stays."""

from __future__ import annotations

import shutil

import pytest

from arena.site import publish
from arena.web.app import create_app
from arena.web.feed import Feed
from arena.web.server import Server

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = [
    pytest.mark.process,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]


class Reader:
    """A page in the browser, and the server whose news it gets."""

    def __init__(self, page, server: Server) -> None:
        self.page = page
        self.server = server
        self.errors: list[str] = []
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def tell(self, state: str, played: int) -> None:
        self.server.feed.update({"state": state, "played": played, "asked": 9})

    def mark(self) -> None:
        self.page.evaluate("document.querySelector('main').dataset.old = 'yes'")

    def open(self, path: str) -> None:
        """The first news after that have been seen."""
        with self.page.expect_response(lambda answer: answer.request.resource_type == "fetch"):
            self.page.goto(self.server.address + path)

    def renewed(self, state: str, played: int) -> None:
        self.mark()
        self.tell(state, played)
        self.page.wait_for_selector("main:not([data-old])")

    def asks(self, script: str):
        return self.page.evaluate(script)


@pytest.fixture
def reader(played, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    publish(played, site, jobs=1, live=True)
    feed = Feed()
    with Server(create_app(site, feed), feed) as server, playwright.sync_playwright() as driver:
        server.start()
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        reader = Reader(browser.new_page(viewport={"width": 360, "height": 500}), server)
        reader.tell("playing", 1)
        yield reader
        browser.close()
        assert not reader.errors


def test_sorting_filter_focus_and_scroll_stay(reader):
    reader.open("")
    reader.page.click("#overall thead th:nth-child(2) button")
    reader.page.fill("#filter", "greedy")
    reader.asks("window.scrollTo(0, 150)")
    reader.renewed("playing", 2)
    assert reader.asks("window.scrollY") == 150
    assert reader.asks("document.activeElement.id") == "filter"
    assert reader.page.input_value("#filter") == "greedy"
    assert reader.page.get_attribute("#overall thead th:nth-child(2)", "aria-sort") == "ascending"
    shown = reader.page.locator("#overall tbody tr:not([hidden]) th")
    assert [text.strip() for text in shown.all_inner_texts()] == ["greedy"]
    assert "2 of 9 games played" in reader.page.inner_text("#live")


def test_what_was_chosen_in_the_list_of_games_stays(reader):
    reader.open("games/index.html")
    reader.page.wait_for_selector("[data-games] tbody tr")
    reader.page.select_option("#choose-players", "3")
    reader.renewed("playing", 2)
    reader.page.wait_for_selector("[data-games] p[role=status]:has-text('3 games shown')")
    assert reader.page.input_value("#choose-players") == "3"


def test_the_end_and_a_server_that_is_gone_are_shown(reader):
    reader.open("")
    reader.renewed("finished", 9)
    assert reader.page.inner_text("#live") == "The tournament is over. 9 of 9 games played."
    reader.server.feed.close()
    reader.page.wait_for_selector("#live[data-state=gone]")
    assert "The server is gone; this page stays as it is." in reader.page.inner_text("#live")

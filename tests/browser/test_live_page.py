"""A live page in a browser: what is new comes, and the reader's place stays."""

from __future__ import annotations

import pytest

from arena.site import publish
from arena.web.feed import Feed
from arena.web.live import create_app
from arena.web.server import Server

pytestmark = pytest.mark.browser


class Reader:
    """A page in the browser, and the server whose news it gets."""

    def __init__(self, page, server: Server) -> None:
        self.page = page
        self.server = server
        self.errors: list[str] = []
        self.pages = 0
        page.on("console", lambda message: self.errors.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def tell(self, state: str, played: int) -> None:
        self.pages += 1
        now = {"state": state, "played": played, "expected": 9}
        self.server.feed.update({"tournament": now, "pages": self.pages})  # type: ignore[attr-defined]

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
def reader(browser, sites, tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    publish(sites["kosmos"].ledger, site, jobs=1, live=True)
    feed = Feed()
    with Server(create_app(site, feed), feed) as server:
        server.start()
        page = browser.new_page(viewport={"width": 360, "height": 500})
        reader = Reader(page, server)
        reader.tell("playing", 1)
        yield reader
        page.close()
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


def test_what_was_chosen_in_the_list_of_games_stays(reader, sites):
    number = len(sites["kosmos"].games(6))
    reader.open("games/index.html")
    reader.page.wait_for_selector("[data-games] tbody tr")
    reader.page.select_option("#choose-players", "6")
    reader.renewed("playing", 2)
    reader.page.wait_for_selector(f"[data-games] p[role=status]:has-text('{number} games shown')")
    assert reader.page.input_value("#choose-players") == "6"


def test_the_end_and_a_server_that_is_gone_are_shown(reader):
    reader.open("")
    reader.renewed("finished", 9)
    assert reader.page.inner_text("#live") == "The tournament is over. 9 of 9 games played."
    reader.server.feed.close()
    reader.page.wait_for_selector("#live[data-state=gone]")
    assert "The server is gone; this page stays as it is." in reader.page.inner_text("#live")


def running(count: int) -> list[dict[str, object]]:
    """The public events of a game of number race up to a step, as pieces of a board."""
    steps = [[seat % 2, 0, [f"bot{seat % 2} counts to {seat}"], {}, f"round {seat}, x"] for seat in range(count)]
    return [{"steps": steps, "begins": [], "chances": []}]


def test_a_live_page_shows_a_running_game_the_table_and_faults_as_they_come(reader):
    feed = reader.server.feed
    head = {"key": "1-1", "id": "p2-b0009-r0", "game": "x", "edition": "", "players": 2, "bots": ["ant", "<b>bee"]}
    feed.update({
        "columns": ["rating"], "unrated": 0, "pace": {"per_second": 2.5, "left": 100},
        "row/ant": [1, "1", "ant", ["23.1"], 4, "75 %", "-", None],
        "row/bee": [2, "2", "<b>bee", ["12.0"], 4, "25 %", "late 1", None],
    })  # fmt: skip
    page = reader.page
    page.goto(f"{reader.server.address}games/live.html")
    rows = page.locator("#standings tbody tr")
    rows.nth(1).wait_for()
    assert [row.split("\t")[1].strip() for row in rows.all_inner_texts()] == ["ant", "<b>bee"]
    assert page.inner_text("#far") == "1 of 9 games played"
    assert page.inner_text("#pace") == "2.5 a second, about 2 min left"
    reader.mark()
    feed.update(
        {
            "row/bee": [1, "1", "<b>bee", ["30.0"], 5, "40 %", "late 1", None],
            "row/ant": [2, "2", "ant", ["20.0"], 5, "60 %", "-", None],
        }
    )
    page.wait_for_function("() => document.querySelector('#standings tbody tr').textContent.includes('bee')")
    feed.update({"fault/1": ["p2-b0001-r0", "<b>bee", "late", "no answer within 0.050 s"]})
    page.wait_for_selector("#faults:has-text('no answer within')")
    feed.update({"running/p2-b0009-r0": [["ant", "<b>bee"], "round 1, x", 3, False]})
    page.wait_for_selector("#running button:has-text('p2-b0009-r0')")
    feed.update({"board/p2-b0009-r0/head": {**head, "start": None}, "board/p2-b0009-r0/0": running(3)[0]})
    page.wait_for_selector("#now:has-text('counts to 2')")
    feed.update({"board/p2-b0009-r0/0": running(5)[0]})
    page.wait_for_selector("#now:has-text('counts to 4')")
    end = {"ending": "finished", "ranks": [2, 1], "scores": [{}, {}], "retired": [], "chances": []}
    feed.update({"board/p2-b0009-r0/end": end, "running/p2-b0009-r0": None})
    page.wait_for_selector("#game-title:has-text('<b>bee beats ant')")
    assert reader.asks("document.querySelector('main').dataset.old") == "yes", "it renews itself"
    assert page.locator("main b").count() == 0
    reader.tell("finished", 9)
    page.wait_for_selector("#live:has-text('The tournament is over.')")


def test_another_server_at_the_same_address_is_noticed_though_it_counts_from_the_beginning(reader, tmp_path):
    reader.open("")
    reader.server.__exit__(None, None, None)
    reader.page.wait_for_selector("#live[data-state=gone]")
    assert [each for each in reader.errors if "net::ERR" not in each] == []
    reader.errors.clear()
    reader.mark()
    feed = Feed()
    with Server(create_app(tmp_path / "site", feed), feed, reader.server.port) as reader.server:
        reader.server.start()
        reader.pages = 0
        reader.tell("playing", 5)
        reader.page.wait_for_selector("main:not([data-old])")
        assert "5 of 9 games played" in reader.page.inner_text("#live")
        reader.errors.clear()  # it tried again before there was a server
        reader.page.close()

"""While standings are hidden, leagues that differ in results alone send the same bytes to all but organisers."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from arena.ledger import EntrantRecord, GameRecord, Ledger
from arena.serve.pages.actions import StoreActions
from arena.serve.pages.app import LeaguePages, create_league_app
from arena.serve.rounds import SITE, Season
from arena.serve.season_pages import write_pages
from arena.serve.stands import Stands
from arena.serve.store import LeagueRound, LeagueStore
from tests.arena.ledgers import SETTINGS
from tests.arena.serve.conftest import LeagueMaker
from tests.arena.serve.pages.conftest import TYPED

NOW = 1_800_000_000.0
HOME = "http://127.0.0.1:8780"
MORE = """
[[mark]]
name = "first"
top = 0.5
[[mark]]
name = "pass"
beats = "greedy"
[season]
hidden_from = 2020-01-01T00:00:00Z
final = "knockout"
[web]
replays = "at once"
"""
ADDRESSES = ("/", "/me", "/me/report", "/marks.csv", "/api/v1/openapi.json", "/final/", "/final/index.html")


class HiddenLeague:
    """A season with a round, in which one of two bots was mostly ahead, and a final under way."""

    def __init__(self, folder: Path, best: str) -> None:
        folder.mkdir()
        self.store = LeagueStore(folder, lambda: NOW)
        self.secrets = {name: self.store.add_member(name) for name in ("ada", "bob")}
        self.secrets["olga"] = self.store.add_member("olga", "organiser")
        league = LeagueMaker(folder).league(MORE, 'references = ["@greedy"]')
        self.season, field = Season(league, self.store), {}
        for name in ("ada", "bob"):
            field[name] = self.store.receive(name, "upload", name).id
            self.store.move(field[name], "joined", "4 trial games: place 1 of 2", fingerprint=name)
        what = LeagueRound("season-1", 1, NOW, field)
        self.store.begin_round(what)
        self._play(best)
        stands = Stands(self.season, self.store)
        self.marks = stands.marks(what)
        self.store.end_round("season-1", 1, "complete", stands.games(), self.marks, {})
        self.store.begin_round(LeagueRound("season-1/final", 2, NOW, {best: field[best]}))
        write_pages(self.season.folder, self.season.folder / SITE, "test", "later")
        (self.season.folder / SITE / "final").mkdir()
        (self.season.folder / SITE / "final" / "index.html").write_text(f"{best} has won")
        self.facts = Stands(self.season, self.store).facts(NOW)
        pages = LeaguePages(league, self.facts)
        actions = StoreActions(self.store, threading.Lock(), lambda *_: 0, lambda *_: None)
        self.feed, self.app = pages.feed, create_league_app(pages, actions, lambda: NOW)

    def _play(self, best: str) -> None:
        self.season.folder.mkdir(parents=True)
        with Ledger.create(self.season.folder, SETTINGS.entries()) as ledger:
            ledger.set_entrants([EntrantRecord(name, "x", name) for name in ("ada", "bob", "greedy")])
            for place, bots in enumerate([["ada", "bob"], ["ada", "greedy"], ["bob", "greedy"]] * 60):
                order = sorted(bots, key=lambda bot: ((bot != best) + (bot == "greedy"), bot), reverse=place % 18 < 3)
                ranks = [order.index(bot) + 1 for bot in bots]
                scores: list[dict[str, int | float]] = [{"days": 20} for _ in bots]
                words, times = (f"2-{place}-0", place, 2, place, 0, f"{place:032x}"), [[1000] for _ in bots]
                ledger.record(GameRecord(*words, bots, "finished", ranks, scores, [], [], [], times, f"{place}", ""))

    def sent(self, name: str | None) -> dict[str, tuple[int, bytes]]:
        """All that somebody can get, but for the courses of their own games, and how these ended."""
        browser = TestClient(self.app, HOME, follow_redirects=False)
        if name is not None:
            assert browser.get(f"/enter/{self.secrets[name]}", headers=TYPED).status_code == 200
        site = self.season.folder / SITE
        files = [f"/{each.relative_to(site).as_posix()}" for each in site.rglob("*") if each.is_file()]
        paths = [each for each in files if each.count("/") < 3 or not each.startswith("/games/")]
        described = browser.get("/api/v1/openapi.json").json()["paths"]
        paths += [*ADDRESSES, *(each for each in described if not each.endswith("/events"))]
        own = rb"<b>place \d of 2</b>"
        return {path: (got.status_code, re.sub(own, b"", got.content)) for path in paths for got in [browser.get(path)]}


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("both")
    one, other = (HiddenLeague(folder / best, best) for best in ("ada", "bob"))
    with one.store, other.store:
        yield one, other


def test_both_differ_for_organisers(both):
    one, other = both
    assert one.marks != other.marks
    assert one.facts.organiser.standings != other.facts.organiser.standings
    assert one.sent("olga")["/index.html"] != other.sent("olga")["/index.html"]
    assert one.sent("olga")["/marks.csv"] != other.sent("olga")["/marks.csv"]


@pytest.mark.parametrize("name", [None, "ada", "bob"])
def test_others_get_the_same_bytes_of_both(both, name):
    one, other = (each.sent(name) for each in both)
    assert one.keys() == other.keys()
    assert {path for path in one if one[path] != other[path]} == set()
    assert {one[path][0] for path in ("/", "/api/v1/standings", "/games/replay.html")} == {200}
    assert {one[path][0] for path in ("/final/index.html", "/statement.html", "/leaderboard.json")} == {404}


def test_facts_of_everybody_and_of_members_are_the_same(both):
    one, other = (each.facts for each in both)
    assert one.public == other.public
    assert [each.bots for each in one.public.rounds] == [("ada", "bob"), ()]
    assert {name: each.steps for name, each in one.members.items()} == {
        name: each.steps for name, each in other.members.items()
    }
    assert {each.report for each in (*one.members.values(), *other.members.values())} == {None}


def test_after_the_season_all_is_shown(both):
    for each in both:
        each.season.end("season-1")
        facts = Stands(each.season, each.store).facts(NOW)
        assert (facts.public.marks, facts.public.standings) == (each.marks, facts.organiser.standings)
        assert facts.public.league.has_final
        assert [len(round.bots) for round in facts.public.rounds] == [2, 1]

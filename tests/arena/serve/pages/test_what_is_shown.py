"""What pages are made of: the state of the league, its file as it is now, and what goes on."""

from __future__ import annotations

import re

import msgspec
import pytest

from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import LeagueStore
from tests.arena.serve.pages.conftest import NOW, SECRETS, UPLOAD, Office, events_of, write_league


def test_facts_are_filled_from_the_state_of_the_league(office, tmp_path):
    league = office.pages.league
    with LeagueStore(tmp_path, lambda: NOW) as store:
        secret = store.add_member("grace")
        store.add_member("olga", "organiser")
        store.add_member("paul")
        refused = store.receive("grace", "drop", "d").id
        store.move(refused, "unpacked")
        store.move(refused, "refused", reason="grace's secret traceback")
        store.receive("grace", "upload", "e")
        store.receive("paul", "upload", "f")
        store.set_member("olga", "paul", paused=True)
        log = tmp_path / "submissions" / "000001" / "steps.log"
        log.parent.mkdir(parents=True)
        log.write_text("as it went")
        report = tmp_path / "seasons" / "season-1" / "reports" / "grace.html"
        report.parent.mkdir(parents=True)
        report.write_text("how she fared")
        stands = Stands(Season(league, store), store)
        office.pages.show(stands.facts(NOW))
    assert "secret traceback" not in str(office.pages.facts.public)
    grace = office.browser()
    assert grace.get(f"/enter/{secret}").status_code == 200
    assert office.browser().get(f"/enter/{SECRETS['ada']}").status_code == 403
    own = office.pages.facts.members["grace"]
    assert [each.state for each in own.submissions] == ["received", "refused"]
    assert own.submissions[1].reason == "grace's secret traceback"
    assert [step.state for step in own.steps[refused]] == ["received", "unpacked", "refused"]
    assert list(own.logs) == ["submission 1"]
    assert (own.trials_left, own.versions_left) == (5, 10)
    assert grace.get("/me/report").text == "how she fared"
    organiser = office.pages.facts.organiser
    assert [each.id for each in organiser.queue] == [refused + 1, refused + 2]
    assert [each.id for each in organiser.refused] == [refused]
    assert organiser.waits == ("paul, submission 3: paused",)
    assert [each.name for each in organiser.members] == ["grace", "olga", "paul"]
    assert set(office.pages.facts.members) == {"grace", "paul"}


def test_a_changed_file_holds_for_pages_that_are_served(office):
    ada = office.browser("ada")
    body = b"x" * 1_500_000
    assert ada.post("/me/submissions", content=body, headers=UPLOAD).status_code == 200
    office.pages.league = write_league(office.folder, more="[submissions]\nsize_mb = 1\n")
    assert ada.post("/me/submissions", content=body, headers=UPLOAD).status_code == 413
    assert "1000000" in ada.get("/me").text


def test_marks_are_a_table_for_all_and_while_hidden_for_organisers(tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "hidden").mkdir()
    rule = '[[mark]]\nname = "pass"\nbeats = "greedy"\n'
    table = "submitter,pass\nada,1\n"
    office = Office(tmp_path / "open", more=rule)
    assert office.browser().get("/marks.csv").text == table
    assert office.browser().get("/marks.csv").headers["Content-Type"].startswith("text/csv")
    assert "/marks.csv" in office.browser().get("/").text
    hidden = Office(tmp_path / "hidden", more=rule, is_hidden=True)
    assert [hidden.browser(name).get("/marks.csv").status_code for name in (None, "ada")] == [403, 403]
    assert "/marks.csv" not in hidden.browser().get("/").text
    assert hidden.browser("olga").get("/marks.csv").text == table


def test_pages_lead_to_each_other(office):
    for name, own in ((None, None), ("ada", "/me"), ("olga", "/organiser")):
        browser = office.browser(name)
        for path in ("/", own) if own else ("/",):
            page = browser.get(path).text
            addresses = set(re.findall(r'href="(/[^"]*)"', page))
            assert {"/", "/index.html", "/games/rules.html"} <= addresses
            assert addresses & {"/me", "/organiser"} == ({own} if own else set())
            broken = [each for each in addresses if browser.get(each).status_code != 200]
            assert broken == [] or set(broken) <= {"/games/replay.html"}


@pytest.mark.parametrize("rule", ["at once", "1 day", "after the season"])
def test_games_under_way_are_watched_only_where_replays_are_shown_at_once(tmp_path, rule):
    office = Office(tmp_path, replays=rule)
    news = {"tournament": 1, "row/ada": 2, "running/game": 3, "board/game/0": 4, "board/other/0": 5, "fault/1": 6}
    office.pages.feed.update(news)

    def sees(query):
        return [key for key in news if f'"{key}"' in events_of(office, office.browser(), query)]

    is_open = rule == "at once"
    assert sees("live&game=game") == ([key for key in news if "other" not in key] if is_open else [])
    assert sees("") == (["tournament"] if is_open else [])
    public = msgspec.structs.replace(office.pages.facts.public, standings=(), marks={})
    league = msgspec.structs.replace(public.league, is_hidden=True)
    public = msgspec.structs.replace(public, league=league)
    office.pages.show(msgspec.structs.replace(office.pages.facts, public=public))
    assert sees("live&game=game") == []


def test_how_far_a_round_and_a_trial_are_is_said_and_is_news(office):
    before = office.pages.feed.newer_than(0).number
    facts = office.pages.facts
    league = msgspec.structs.replace(facts.public.league, played=3, expected=12)
    grace = msgspec.structs.replace(facts.members["grace"], trial="2 trial games: place 1 of 2, 2 of 2")
    public = msgspec.structs.replace(facts.public, league=league)
    office.pages.show(msgspec.structs.replace(facts, public=public, members={**facts.members, "grace": grace}))
    news = office.pages.feed.newer_than(before).text
    assert '"played": 3' in news
    assert "2 trial games" in news
    assert "3 of about 12 games" in office.browser().get("/").text
    assert "2 trial games: place 1 of 2" in office.browser("grace").get("/me").text
    ada = office.browser("ada")
    assert "2 trial games" not in ada.get("/me").text + events_of(office, ada)

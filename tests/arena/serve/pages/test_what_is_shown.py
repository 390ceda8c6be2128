"""What pages are made of: the state of the league, its file as it is now, and what goes on."""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from arena.ledger import EntrantRecord, Ledger
from arena.serve.pages.facts import MemberFacts
from arena.serve.rounds import Season
from arena.serve.stands import Stands
from arena.serve.store import LeagueStore
from tests.arena.ledgers import SETTINGS
from tests.arena.serve.pages.conftest import NOW, SECRETS, TYPED, UPLOAD, Office, events_of, write_league


def logged(folder):
    """The folder of a league, in which grace's submission has a log."""
    log = folder / "submissions" / "000002" / "steps.log"
    log.parent.mkdir(parents=True)
    log.write_text("how grace's bot was tried\n")
    return folder


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
    assert grace.get(f"/enter/{secret}", headers=TYPED).status_code == 200
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


def test_who_submits_without_end_neither_delays_the_league_nor_hides_others(office, tmp_path, monkeypatch):
    looks: list[int] = []
    with LeagueStore(tmp_path, lambda: NOW) as store:
        for name in ("ada", "grace"):
            store.add_member(name)
        store.move(store.receive("ada", "drop", "d").id, "unpacked")
        store.receive("grace", "drop", "d")
        stands, submissions = Stands(Season(office.pages.league, store), store), store.submissions

        def counted(*args, **kwargs):
            looks[-1] += 1
            return submissions(*args, **kwargs)

        monkeypatch.setattr(store, "submissions", counted)
        for more in (10, 30):
            for _ in range(more):
                store.receive("ada", "drop", "d")
            looks.append(0)
            facts = stands.facts(NOW)
    assert looks[0] == looks[1], "however many wait, each submitter is looked at as often"
    assert [each.id for each in facts.organiser.queue] == [1, 2, 38, 39, 40, 41, 42]
    office.pages.show(msgspec.structs.replace(facts, secrets=office.pages.facts.secrets))
    olga = office.browser("olga")
    assert "And 35 more" in olga.get("/organiser").text
    here = office.browser(peer="127.0.0.1").get("/metrics").text
    assert "arena_league_queue 42" in here


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


def test_pages_lead_to_each_other(office, tmp_path):
    logged(tmp_path)
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


def test_what_was_watched_is_gone_with_its_season_and_when_standings_are_hidden(tmp_path):
    office = Office(tmp_path, replays="at once")
    seasons = {name: tmp_path / "seasons" / name for name in ("ant", "bee")}
    for name, folder in seasons.items():
        folder.mkdir(parents=True)
        with Ledger.create(folder, SETTINGS.entries()) as ledger:
            ledger.set_entrants([EntrantRecord(each, f"bots/{each}.py", "00") for each in (name, "cat")])

    def keys():
        return set(json.loads(office.pages.feed.newer_than(0).text))

    of_league = keys()

    with office.pages.feed.watched():
        for name, folder in seasons.items():
            office.pages.follow(folder)
            of_table = {"columns", "lead", "unrated", f"row/{name}", "row/cat"}
            assert keys() == of_league | of_table | {"tournament", "pace"}
        facts = office.pages.facts
        league = msgspec.structs.replace(facts.public.league, is_hidden=True)
        public = msgspec.structs.replace(facts.public, league=league, standings=(), marks={})
        office.pages.show(msgspec.structs.replace(facts, public=public))
        office.pages.follow(seasons["bee"])
        assert keys() == of_league


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


def test_a_submitters_page_says_where_the_bot_stands_what_marks_mean_and_how_games_ended(tmp_path):
    office = Office(tmp_path, more='[[mark]]\nname = "pass"\nbeats = "greedy"\n[[mark]]\nname = "good"\ntop = 0.25\n')
    facts = office.pages.facts
    office.pages.show(msgspec.structs.replace(facts, ranks={"game-of-ada": [2, 1]}))
    page = office.browser("ada").get("/me").text
    assert "pass: surely better than greedy; good: surely among the best 25&nbsp;% of the field" in page
    assert "27.5 ± 1.2" in page
    assert "<b>place 2 of 2</b>" in page
    assert "bots/ada.html" not in page
    (facts.site / "bots").mkdir()
    (facts.site / "bots" / "ada.html").touch()
    for name, path in (("ada", "/me"), (None, "/")):
        assert '"/bots/ada.html"' in office.browser(name).get(path).text
    assert page.count("as ada") == 1
    assert '<time datetime="2027-01-15T07:58Z">2027-01-15 07:58 UTC</time>' in page
    assert office.browser("grace").get("/me").text.count("grace&#39;s secret traceback") == 1


def test_who_has_submitted_nothing_is_told_how_to_begin(office):
    facts = office.pages.facts
    office.pages.show(msgspec.structs.replace(facts, members={**facts.members, "ada": MemberFacts()}))
    page = office.browser("ada").get("/me").text
    for text in ("arena new mine --lang python", "arena check mine", "At most 20 MB", "6 submissions can be tried"):
        assert text in page


def test_the_first_page_says_what_the_next_round_waits_for_and_when_games_are_shown(office):
    def page(**changes):
        facts = office.pages.facts
        league = msgspec.structs.replace(facts.public.league, **changes)
        public = msgspec.structs.replace(facts.public, league=league)
        office.pages.show(msgspec.structs.replace(facts, public=public))
        return office.browser().get("/").text

    assert "The next round waits for submission 4." in page(waits_for=[4])
    assert "The next round waits for submissions 4, 5." in page(waits_for=[4, 5])
    assert "The final is being played: 0 games so far." in page(played=0, expected=None)
    assert "watch games a day after they were played" in page()
    assert "watch the games when the season is over" in page(replays="after the season")
    assert "watch all games" in page(is_season_over=True)
    assert "1 submitted bot, complete" in page()


def test_who_browses_is_refused_on_a_page_that_leads_on_and_programs_in_a_line(office):
    wants = {"Accept": "text/html,*/*"}
    for path, status in (("/me", 403), ("/nothing", 404), ("/enter/guess", 403)):
        page = office.browser().get(path, headers=wants)
        assert page.status_code == status
        assert '<a href="/">To the first page</a>' in page.text
        line = office.browser().get(path)
        assert (line.status_code, line.headers["Content-Type"]) == (status, "text/plain; charset=utf-8")
        assert line.text[1:] in page.text
    assert office.browser().post("/", headers=wants).status_code == 405


def test_organisers_read_the_log_of_every_submission_and_nobody_else_does(tmp_path):
    office = Office(logged(tmp_path))
    olga = office.browser("olga")
    assert '"/organiser/logs/2"' in olga.get("/organiser").text
    assert olga.get("/organiser/logs/2").text == "how grace's bot was tried\n"
    assert olga.get("/organiser/logs/3").status_code == 404
    assert [office.browser(name).get("/organiser/logs/2").status_code for name in (None, "grace")] == [403, 403]


def test_an_organiser_cannot_remove_oneself_by_mistake(office):
    page = office.browser("olga").get("/organiser").text
    assert "Remove ada" in page
    assert "New address for ada" in page
    assert "Remove olga" not in page
    assert "New address for olga" not in page

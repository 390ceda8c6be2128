"""The interface for programs: it is as it describes itself."""

from __future__ import annotations

import re

import jsonschema
import msgspec
import pytest

from arena.serve.pages.api import openapi
from arena.serve.pages.facts import LeagueGame

DESCRIBED = openapi()
LISTS = ("standings", "bots", "rounds", "games", "submissions")


def test_every_address_is_described_and_answers_as_described(office):
    browser = office.browser()
    assert browser.get("/api/v1/openapi.json").json() == DESCRIBED
    for schema in DESCRIBED["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    routes = {each.path for each in office.app._app.routes if each.path.startswith("/api/")}
    assert routes - {"/api/v1/openapi.json"} == set(DESCRIBED["paths"])
    for path, methods in DESCRIBED["paths"].items():
        assert set(methods) == {"get"}
        [kind] = methods["get"]["responses"]["200"]["content"].items()
        if kind[0] == "application/json":
            answer = browser.get(path)
            assert answer.status_code == 200
            jsonschema.validate(answer.json(), {**kind[1]["schema"], "components": DESCRIBED["components"]})
            assert answer.json(), "the example says something of each"


def test_a_description_says_what_each_type_is():
    assert "Moments are seconds" in DESCRIBED["components"]["schemas"]["LeagueState"]["description"]
    assert all(each.get("description") for each in DESCRIBED["components"]["schemas"].values())
    assert [name for name in LISTS if "parameters" in DESCRIBED["paths"][f"/api/v1/{name}"]["get"]] == list(LISTS)


def test_what_is_known_already_is_not_sent_again(office):
    browser = office.browser()
    tag = browser.get("/api/v1/standings").headers["ETag"]
    again = browser.get("/api/v1/standings", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    public = msgspec.structs.replace(office.pages.facts.public, standings=())
    office.pages.show(msgspec.structs.replace(office.pages.facts, public=public))
    assert browser.get("/api/v1/standings", headers={"If-None-Match": tag}).json() == []


def test_long_lists_come_in_parts(office):
    games = tuple(LeagueGame(f"g{number}", ("ada",), 1.0) for number in range(1500))
    public = msgspec.structs.replace(office.pages.facts.public, games=games)
    office.pages.show(msgspec.structs.replace(office.pages.facts, public=public))
    browser = office.browser()
    parts = [browser.get(f"/api/v1/games?first={first}").json() for first in (0, 1000, 2000)]
    assert [len(part) for part in parts] == [1000, 500, 0]
    assert parts[1][0]["id"] == "g1000"
    for bad in ("-1", "x", "9" * 40, "१"):
        assert browser.get("/api/v1/games", params={"first": bad}).status_code == 400


def test_figures_for_prometheus_name_nobody_and_are_for_this_machine_and_organisers(office):
    text = office.browser(peer="127.0.0.1").get("/metrics").text
    line = re.compile(r'arena_league_\w+(\{\w+="[\w ]+"\})? \d+|# (HELP|TYPE) arena_league_\w+ .+')
    assert [each for each in text.splitlines() if not line.fullmatch(each)] == []
    assert 'arena_league_submissions{state="refused"} 1' in text
    assert "arena_league_games_total 2" in text
    assert not re.search("ada|grace|olga", text)
    assert office.browser("olga").get("/metrics").text == text
    assert office.browser("ada").get("/metrics").status_code == 403


@pytest.mark.parametrize("path", ["/events", "/api/v1/events"])
def test_news_are_events_and_end_with_the_league(office, path):
    office.pages.feed.close()
    answer = office.browser().get(path)
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    assert answer.headers["X-Accel-Buffering"] == "no"  # or nginx would keep them
    assert answer.text == "event: gone\ndata: {}\n\n"

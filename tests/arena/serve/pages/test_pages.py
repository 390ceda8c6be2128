"""The pages of a league, without a socket: who sees what, and what is refused."""

from __future__ import annotations

import asyncio
import logging
import os
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from arena.serve.pages import app as league_app
from arena.serve.pages import uploads
from arena.serve.pages.facts import public_round
from arena.serve.store import LeagueRound
from arena.web.posts import pieces
from tests.arena.serve.pages.conftest import HOME, ORIGIN, SECRETS, TYPED, UPLOAD, Office, events_of, make_facts

EVERYBODY = (
    "/",
    "/leaderboard.json",
    "/games/list-0.js",
    "/games/rules.html",
    "/api/v1/league",
    "/api/v1/standings",
    "/api/v1/bots",
    "/api/v1/rounds",
    "/api/v1/games",
    "/api/v1/submissions",
    "/api/v1/marks",
    "/api/v1/openapi.json",
)
MORE = (
    "/games.csv",
    "/games/best.webp",
    "/games/game-of-ada/public.js",
    "/games/game-of-ada/seat-0.js",
    "/games/game-of-grace/public.js",
    "/games/game-of-grace/seat-0.js",
    "/me",
    "/me/logs/0",
    "/me/logs/1",
    "/me/report",
    "/organiser",
    "/metrics",
    "/marks.csv",
)


def all_that(office, browser):
    """All bytes that whoever browses can get, by address."""
    found = {
        path: (answer.status_code, answer.content) for path in (*EVERYBODY, *MORE) for answer in [browser.get(path)]
    }
    return {**found, "/events": events_of(office, browser)}


@pytest.mark.parametrize("path", ["/me", "/me/logs/0", "/me/report", "/organiser", "/metrics"])
def test_nobody_is_let_in_without_a_secret(office, path):
    for cookie in ({}, {"Cookie": "arena-league-8780=guess"}, {"Cookie": "arena-league-8780="}):
        assert office.browser().get(path, headers=cookie).status_code == 403
    assert office.browser("ada").get("/organiser").status_code == 403
    assert office.browser("olga").get("/me").status_code == 403
    assert office.browser().get("/enter/guess").status_code == 403


def test_a_secret_address_gives_a_cookie_that_neither_scripts_nor_other_sites_get(office):
    answer = office.browser().get(f"/enter/{SECRETS['ada']}", headers=TYPED)
    assert "url=/me" in answer.text
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=strict" in answer.headers["Set-Cookie"]
    assert "Secure" not in answer.headers["Set-Cookie"]
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    assert SECRETS["ada"] not in answer.text
    assert "url=/organiser" in office.browser().get(f"/enter/{SECRETS['olga']}", headers=TYPED).text


@pytest.mark.parametrize("site", ["cross-site", "same-site", None])
def test_from_another_site_one_enters_only_after_a_click(office, site):
    """Browsers do not say from where to a machine of a network without https: then it may be another site."""
    browser = office.browser()
    navigation = {} if site is None else {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate"}
    answer = browser.get(f"/enter/{SECRETS['ada']}", headers=navigation)
    assert "Enter as ada" in answer.text
    assert "refresh" not in answer.text
    assert SECRETS["ada"] not in answer.text
    assert not browser.cookies
    form = {"Content-Type": "application/x-www-form-urlencoded", **navigation}
    for origin in ({}, {"Origin": "null"}, {"Origin": "https://evil.example"}):
        assert browser.post(f"/enter/{SECRETS['ada']}", headers={**form, **origin}).status_code == 403
        assert not browser.cookies
    form = {**form, **ORIGIN} | ({} if site is None else {"Sec-Fetch-Site": "same-origin"})
    assert browser.post("/enter/guess", headers=form).status_code == 403
    assert "url=/me" in browser.post(f"/enter/{SECRETS['ada']}", headers=form).text
    assert browser.get("/me").status_code == 200
    browser.cookies.clear()
    clicked = {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate"}
    assert browser.get(f"/enter/{SECRETS['ada']}", headers=clicked).cookies


def test_a_browser_is_left(office):
    ada = office.browser("ada")
    assert ada.post("/leave", json={}).status_code == 403, "another site cannot"
    assert ada.get("/me").status_code == 200
    assert ada.post("/leave", json={}, headers=ORIGIN).status_code == 200
    assert ada.get("/me").status_code == 403


def test_behind_a_proxy_with_tls_only_its_name_is_answered_and_the_cookie_is_secure(tmp_path):
    office = Office(tmp_path, 'address = "https://league.example.org"')
    home = "https://league.example.org"
    assert office.browser(home="http://127.0.0.1:8780").get("/").status_code == 421
    browser = office.browser("ada", home)
    cookie = browser.get(f"/enter/{SECRETS['ada']}", headers=TYPED).headers["Set-Cookie"]
    assert cookie.startswith("__Host-arena-league=")
    assert "Secure" in cookie
    assert browser.post("/me/submissions", content=b"x", headers=UPLOAD).status_code == 403
    assert browser.post("/me/submissions", content=b"x", headers={**UPLOAD, "Origin": home}).status_code == 200
    here = office.browser(home=home, peer="127.0.0.1")
    assert here.get("/metrics").status_code == 403, "through the proxy everybody comes from this machine"
    token = {"Authorization": f"Bearer {SECRETS['olga']}"}
    assert here.get("/metrics", headers=token).status_code == 200


def test_a_submitter_sees_each_step_with_reasons_logs_and_report_of_their_own_bot(office):
    ada, grace = office.browser("ada"), office.browser("grace")
    page = ada.get("/me").text
    for text in ("Submission 1", "3 files", "as ada", "pass", "4 more this hour", "game-of-ada"):
        assert text in page
    assert "grace&#39;s secret traceback" in grace.get("/me").text
    assert ada.get("/me/logs/0").text == "what ada's bot printed\n"
    assert "text/plain" in ada.get("/me/logs/0").headers["Content-Type"]
    assert ada.get("/me/logs/1").status_code == 404
    report = ada.get("/me/report")
    assert report.text == "<p>report on ada</p>"
    assert "sandbox" in report.headers["Content-Security-Policy"]
    assert grace.get("/me/report").status_code == 404


def test_markup_in_what_bots_said_is_shown_as_text(office):
    bad = "<script>alert(1)</script>\x1b[2J"
    facts = office.pages.facts
    own = facts.members["grace"]
    wrong = msgspec.structs.replace(own.submissions[0], reason=bad)
    members = {
        **facts.members,
        "grace": msgspec.structs.replace(own, submissions=(wrong,), trial=bad, logs={bad: own.logs["trial"]}),
    }
    organiser = msgspec.structs.replace(facts.organiser, faults=(bad,), waits=(bad,))
    office.pages.show(msgspec.structs.replace(facts, members=members, organiser=organiser))
    for browser, path in ((office.browser("grace"), "/me"), (office.browser("olga"), "/organiser")):
        text = browser.get(path).text
        assert "<script>alert" not in text
        assert "\x1b" not in text
        assert "alert(1)" in text


def test_only_the_end_of_a_log_is_sent_and_nothing_but_a_regular_file(office, tmp_path, monkeypatch):
    monkeypatch.setattr(league_app, "_MOST_LOG", 10)
    ada, log = office.browser("ada"), tmp_path / "ada.log"
    log.write_bytes(b"a" * 50 + b"the end")
    assert ada.get("/me/logs/0").content == b"aaathe end"
    log.unlink()
    assert ada.get("/me/logs/0").status_code == 404
    os.mkfifo(log)
    assert ada.get("/me/logs/0").status_code == 404
    log.unlink()
    log.symlink_to(tmp_path / "league.toml")
    assert ada.get("/me/logs/0").status_code == 404


def test_what_others_may_not_know_changes_no_byte_that_they_get(hidden, tmp_path):
    """Two leagues that differ in secrets, logs, reasons, hidden standings and faults alone."""
    before = {name: all_that(hidden, hidden.browser(name)) for name in (None, "ada")}
    olga = all_that(hidden, hidden.browser("olga"))
    facts = hidden.pages.facts
    (tmp_path / "grace.log").write_text("something else")
    own = facts.members["grace"]
    wrong = msgspec.structs.replace(own.submissions[0], reason="another", fingerprint="00")
    organiser = msgspec.structs.replace(facts.organiser, standings=(), faults=("x",), waits=(), refused=(), queue=())
    changed = msgspec.structs.replace(
        facts,
        members={**facts.members, "grace": msgspec.structs.replace(own, submissions=(wrong,), steps={}, waits_for="y")},
        organiser=organiser,
        secrets={key: who for key, who in facts.secrets.items() if who[0] != "grace"},
    )
    for path in ("index.html", "leaderboard.json", "games/list-0.js", "games.csv", "games/game-of-grace/seat-0.js"):
        (tmp_path / "site" / path).write_text("other results")
    hidden.pages.show(changed)
    assert {name: all_that(hidden, hidden.browser(name)) for name in (None, "ada")} == before
    assert all_that(hidden, hidden.browser("olga")) != olga


def test_hidden_standings_are_nowhere_but_on_the_organisers_page(hidden):
    for name in (None, "ada", "grace"):
        browser = hidden.browser(name)
        said = all_that(hidden, browser)
        assert "27.5" not in str(said)
        assert "hidden until the end" in browser.get("/").text
        for path in (
            "/leaderboard.json",
            "/games.csv",
            "/games/list-0.js",
            "/index.html?x",
            "/%69ndex.html",
            "//index.html",
        ):
            assert b"contents" not in browser.get(path).content, path
        assert browser.get("/games/rules.html").status_code == 200
        assert browser.get("/games/game-of-ada/public.js").status_code == (200 if name == "ada" else 404)
        assert browser.get("/me/report").status_code in (403, 404)
    olga = hidden.browser("olga")
    assert "27.5" in olga.get("/organiser").text
    assert olga.get("/leaderboard.json").status_code == 200


@pytest.mark.parametrize("rule", ["at once", "1 day", "after the season"])
def test_replays_of_others_are_shown_when_the_league_says(tmp_path, rule):
    office = Office(tmp_path, replays=rule)
    visitor, ada = office.browser(), office.browser("ada")

    def sees(browser, path):
        return browser.get(path).status_code == 200

    facts = office.pages.facts
    games = tuple(msgspec.structs.replace(each, bots=(f"{each.bots[0]}@2", "adam")) for each in facts.public.games)
    office.pages.show(msgspec.structs.replace(facts, public=msgspec.structs.replace(facts.public, games=games)))
    for path in ("/games/game-of-ada/seat-0.js", "/games/game-of-ada/public.js"):
        assert sees(ada, path), "one's own at once"
        assert sees(visitor, path) == (rule == "at once")
    assert not sees(visitor, "/games/game-of-nobody/public.js")
    for path in (
        "/games/game-of-grace/seat-0.js",
        "/games/../games/game-of-grace/seat-0.js",
        "/games/x/%2e%2e/game-of-grace/seat-0.js",
    ):
        assert not sees(ada, path) or rule == "at once"
    assert sees(ada, "/games.csv") == sees(ada, "/games/best.webp") == (rule == "at once"), "a seed says which hands"
    office.now += 86_400
    assert sees(visitor, "/games/game-of-grace/seat-0.js") == (rule != "after the season")
    office.pages.show(make_facts(tmp_path, replays=rule, is_season_over=True))
    assert sees(visitor, "/games/game-of-grace/seat-0.js")
    assert sees(visitor, "/games.csv")


def test_standings_say_which_bots_run_elsewhere(office):
    facts = office.pages.facts
    bots = [msgspec.structs.replace(each, is_remote=each.name == "ada") for each in facts.public.bots]
    public = msgspec.structs.replace(facts.public, bots=tuple(bots))
    office.pages.show(msgspec.structs.replace(facts, public=public, site=None))
    rows = office.browser().get("/").text.partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")
    assert [("runs elsewhere" in row, "ada" in row) for row in rows[:2]] == [(True, True), (False, False)]


def test_standings_have_the_marks_of_each_bot_whatever_its_version(office):
    facts = office.pages.facts
    first = msgspec.structs.replace(facts.public.standings[0], versions=[1, 2])
    public = msgspec.structs.replace(facts.public, standings=(first,))
    office.pages.show(msgspec.structs.replace(facts, public=public, site=None))
    row = office.browser().get("/").text.partition("<tbody>")[2].partition("</tbody>")[0]
    assert "versions 1, 2" in row
    assert "pass" in row


def test_earlier_seasons_stay(office, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "index.html").write_text("last year")
    facts = msgspec.structs.replace(office.pages.facts, archive={"2025": tmp_path / "old"}, site=None)
    office.pages.show(facts)
    browser = office.browser()
    assert browser.get("/seasons/2025/").text == "last year"
    assert browser.get("/seasons/2025").status_code == 404
    assert browser.get("/seasons/2024/").status_code == 404
    assert browser.get("/seasons/2025/../../league.toml").status_code == 404
    assert "27.5" in browser.get("/").text, "before a site is published, the standings are on the first page"


def test_a_bot_is_uploaded_and_nothing_stays_behind(office, tmp_path):
    ada = office.browser("ada")
    answer = ada.post("/me/submissions", content=b"print()", headers={**UPLOAD, "X-File-Name": quote("mein bot.zip")})
    assert answer.json() == {"submission": 7}
    assert office.actions.asked == [("submit", "ada", "mein bot.zip", b"print()")]
    office.actions.refuses = True
    answer = ada.post("/me/submissions", content=b"print()", headers=UPLOAD)
    assert (answer.status_code, answer.json()) == (409, {"error": "not in this season"})
    assert list((tmp_path / "uploads").iterdir()) == []


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({}, b"", 400),
        ({"X-File-Name": "../bot.py"}, b"x", 400),
        ({"X-File-Name": quote("a/b.py")}, b"x", 400),
        ({"X-File-Name": ".bot.py"}, b"x", 400),
        ({"X-File-Name": quote("bot\n.py")}, b"x", 400),
        ({"Content-Type": "text/plain"}, b"x", 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, b"x", 415),
        ({"Origin": "https://evil.example"}, b"x", 403),
        ({"Origin": "null"}, b"x", 403),
        ({"Origin": ""}, b"x", 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, b"x", 403),
        ({"Host": "evil.example"}, b"x", 421),
        ({"Content-Length": "1048577"}, b"x", 413),
        ({}, b"x" * 1048577, 413),
        ({}, iter([b"x" * 700_000, b"x" * 700_000]), 413),
    ],
)
def test_an_upload_is_refused(tmp_path, headers, body, status):
    office = Office(tmp_path, more="[submissions]\nsize_mb = 1\n")
    answer = office.browser("ada").post("/me/submissions", content=body, headers={**UPLOAD, **headers})
    assert answer.status_code == status, answer.text
    assert office.actions.asked == []
    assert not (tmp_path / "uploads").exists() or list((tmp_path / "uploads").iterdir()) == []


async def first(pieces):
    return await anext(pieces)


def test_a_length_that_is_too_large_is_refused_before_anything_is_read():

    headers = {**UPLOAD, "Content-Length": str(1 << 40)}
    request = Request({"type": "http", "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()]})
    with pytest.raises(HTTPException) as refused:
        asyncio.run(first(pieces(request, 1 << 20)))  # there is nothing to read it from
    assert refused.value.status_code == 413


def test_uploads_are_limited_by_member(tmp_path):
    office = Office(tmp_path, more="[submissions]\nper_hour = 1\n")
    ada, grace = office.browser("ada"), office.browser("grace")
    answers = [ada.post("/me/submissions", content=b"x", headers=UPLOAD).status_code for _ in range(5)]
    assert answers == [200, 200, 200, 200, 429]
    assert grace.post("/me/submissions", content=b"x", headers=UPLOAD).status_code == 200
    office.now += 900
    assert ada.post("/me/submissions", content=b"x", headers=UPLOAD).status_code == 200


@pytest.mark.parametrize(("seconds", "statuses"), [(1000.0, (200, 503)), (0.0, (503, 200))])
def test_an_upload_that_comes_slowly_makes_room_after_a_while(office, monkeypatch, seconds, statuses):
    monkeypatch.setattr(uploads, "_MOST", 1)
    monkeypatch.setattr(uploads, "_SLOW", seconds)
    found: dict[str, int] = {}

    async def upload(name, receive):
        async def send(message):
            found.setdefault(name, message.get("status"))

        headers = {**UPLOAD, "Host": "127.0.0.1:8780", "Cookie": f"arena-league-8780={SECRETS[name]}"}
        scope = {"type": "http", "method": "POST", "path": "/me/submissions", "query_string": b"", "scheme": "http"}
        scope["headers"] = [(key.lower().encode(), value.encode()) for key, value in headers.items()]
        await office.app(scope, receive, send)

    async def both():
        pieces, waits, ends = [b"a", b"b"], asyncio.Event(), asyncio.Event()

        async def slowly():
            if len(pieces) == 1:
                waits.set()
                await ends.wait()
            return {"type": "http.request", "body": pieces.pop(0), "more_body": bool(pieces)}

        async def at_once():
            return {"type": "http.request", "body": b"c"}

        async with asyncio.TaskGroup() as tasks:
            slow = tasks.create_task(upload("ada", slowly))
            await waits.wait()
            await upload("grace", at_once)
            if statuses[1] == 200:
                await slow
            ends.set()

    asyncio.run(both())
    assert (found["ada"], found["grace"]) == statuses
    assert [what[3] for what in office.actions.asked] == [b"ab" if statuses[0] == 200 else b"c"]
    assert list((office.folder / "uploads").iterdir()) == []


def test_no_uploads_where_the_league_takes_none(tmp_path):
    office = Office(tmp_path, takes_uploads=False)
    ada = office.browser("ada")
    assert ada.post("/me/submissions", content=b"x", headers=UPLOAD).status_code == 403
    assert "Upload" not in ada.get("/me").text


def test_requests_are_limited_by_address_and_a_proxy_is_believed_only_if_there_is_one(tmp_path, monkeypatch):
    monkeypatch.setattr(league_app, "_A_MINUTE", 2)
    (tmp_path / "alone").mkdir()
    (tmp_path / "behind").mkdir()
    alone = Office(tmp_path / "alone")
    forged = [alone.browser().get("/", headers={"X-Forwarded-For": f"198.51.100.{n}"}).status_code for n in range(3)]
    assert forged == [200, 200, 429]
    assert int(alone.browser().get("/").headers["Retry-After"]) >= 1
    assert alone.browser(peer="203.0.113.8").get("/").status_code == 200
    alone.now += 60
    assert alone.browser().get("/").status_code == 200
    behind = Office(tmp_path / "behind", 'address = "http://league.example.org"')

    def ask(*said):
        headers = [("X-Forwarded-For", each) for each in said]
        return behind.browser(home="http://league.example.org").get("/", headers=headers).status_code

    assert [ask(f"198.51.100.{n}, 192.0.2.1") for n in range(3)] == [200, 200, 429], "what it added itself counts"
    assert [ask(f"198.51.100.{n}", "192.0.2.2") for n in range(3)] == [200, 200, 429], "also in a line of its own"
    assert [ask(f"2001:db8::{n}") for n in range(3)] == [200, 200, 429], "a household has many addresses of IPv6"
    assert [ask(each) for each in ("2001:db8:0:1::1", "::ffff:192.0.2.3")] == [200, 200]
    assert [ask("192.0.2.3") for _ in range(2)] == [200, 429]


def test_actions_are_limited_by_member(office):
    olga = office.browser("olga")
    answers = [olga.post("/organiser", json={"what": "stop"}, headers=ORIGIN).status_code for _ in range(61)]
    assert set(answers[:60]) == {200}
    assert answers[60] == 429


@pytest.mark.parametrize(
    ("name", "path", "body", "headers", "status"),
    [
        ("olga", "/organiser", {"what": "pause", "name": "ada"}, ORIGIN, 200),
        ("olga", "/organiser", {"what": "pause", "name": "ada"}, {}, 403),
        ("olga", "/organiser", {"what": "pause", "name": "ada"}, {"Origin": "http://127.0.0.1:9999"}, 403),
        ("olga", "/organiser", {"what": "pause"}, {**ORIGIN, "Content-Type": "text/plain"}, 415),
        ("olga", "/organiser", {"what": "dance"}, ORIGIN, 400),
        ("olga", "/organiser", {"what": "pause", "secret": 1}, ORIGIN, 400),
        ("olga", "/organiser", {"what": "pause", "name": "x" * 5000}, ORIGIN, 413),
        ("ada", "/organiser", {"what": "pause", "name": "grace"}, ORIGIN, 403),
        (None, "/organiser", {"what": "pause", "name": "grace"}, ORIGIN, 403),
        ("ada", "/me/withdraw", {"submission": 1}, ORIGIN, 200),
        ("ada", "/me/withdraw", {"submission": 1}, {}, 403),
        ("olga", "/me/withdraw", {"submission": 1}, ORIGIN, 403),
    ],
)
def test_actions_come_from_the_right_page_and_member_alone(office, name, path, body, headers, status):
    answer = office.browser(name).post(path, json=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert len(office.actions.asked) == (status == 200)


@pytest.mark.parametrize("path", [*EVERYBODY, "/me", "/organiser", "/metrics", "/enter/x"])
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST", "OPTIONS"])
def test_other_methods_are_refused(office, path, method):
    if (path, method) not in (("/organiser", "POST"), ("/enter/x", "POST")):
        assert office.browser("olga").request(method, path, headers=ORIGIN).status_code == 405


def test_a_secret_that_holds_no_longer_lets_nobody_in_and_ends_private_news(office):
    ada = office.browser("ada")
    assert '"member/ada"' in events_of(office, ada)
    assert '"member/grace"' not in events_of(office, ada)
    assert '"organiser"' not in events_of(office, ada)
    assert '"organiser"' in events_of(office, office.browser("olga"))
    facts = office.pages.facts
    left = {key: who for key, who in facts.secrets.items() if who[0] != "ada"}
    office.pages.show(msgspec.structs.replace(facts, secrets=left))
    assert ada.get("/me").status_code == 403
    assert '"member/ada"' not in events_of(office, ada)


def test_no_secret_is_in_a_page_or_a_log(office, caplog):
    caplog.set_level(logging.DEBUG)
    said = [all_that(office, office.browser(name)) for name in (None, *SECRETS)]
    office.browser().get(f"/enter/{SECRETS['ada']}?x")
    for secret in SECRETS.values():
        assert secret not in str(said)
        assert not [each for each in caplog.records if each.name != "httpx2" and secret in each.getMessage()]


def test_standings_that_are_hidden_cannot_be_shown_by_mistake(office, tmp_path):
    with pytest.raises(ValueError, match="hidden"):
        office.pages.show(make_facts(tmp_path, is_hidden=True))


def test_public_parts_leave_out_what_is_not_for_all(office):
    fields: dict[str, Any] = {"season": "s", "number": 1, "due": 1.0, "field": {"ada": 1}, "target": 4}
    known = {key: value for key, value in fields.items() if key in LeagueRound.__struct_fields__}
    failed = public_round(LeagueRound(**known, outcome="not complete: what a bot said", ended=2.0))
    assert failed.state == "not complete"
    assert "said" not in str(failed)
    assert public_round(LeagueRound(**known)).state == "playing"


def test_home_is_loopback_by_default(office):
    assert office.browser(home="http://192.168.1.20:8780").get("/").status_code == 421
    assert office.browser(home=HOME).get("/").status_code == 200

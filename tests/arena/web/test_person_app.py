"""The server for persons who play, without a socket: who is let in, and what is refused."""

from __future__ import annotations

import asyncio

import pytest
from starlette.testclient import TestClient

from arena.web import person_app
from arena.web.guard import is_loopback
from arena.web.person_app import PersonPages, create_person_app
from arena.web.posts import ServedAt
from arena.web.visitors import Bulletin, NotNowError, Visitor, Visitors

ORIGIN = {"Origin": "http://127.0.0.1:8770"}
HOME = "http://127.0.0.1:8770"


class Requests:
    """Notes what was asked for."""

    def __init__(self):
        self.asked = []

    def __getattr__(self, name):
        return lambda *args: self.asked.append((name, *args))

    def choose(self, visitor, decision, index):
        if index > 2:
            raise NotNowError("there are the actions 0 to 2")
        self.asked.append(("choose", visitor, decision, index))


class Door:
    """An application, its only visitor, and a browser that has not been let in."""

    def __init__(self, folder):
        (folder / "games").mkdir()
        (folder / "games" / "replay.html").write_text("replayed")
        self.visitor = Visitor("Ann")
        self.visitors = Visitors([self.visitor])
        self.requests = Requests()
        pages = PersonPages("<h1>table</h1>", "<h1>rules</h1>", None, folder)
        self.app = create_person_app(self.visitors, self.requests, pages, ServedAt(is_loopback), print)

    def browser(self):
        return TestClient(self.app, HOME, follow_redirects=False)

    def enter(self):
        browser = self.browser()
        assert browser.get(f"/enter/{self.visitors.invite(self.visitor)}").status_code == 200
        return browser


@pytest.fixture
def door(tmp_path):
    return Door(tmp_path)


@pytest.mark.parametrize("path", ["/", "/rules.html", "/events", "/tutorial", "/replay/games/replay.html"])
def test_nobody_is_let_in_without_an_invitation(door, path):
    assert door.browser().get(path).status_code == 403
    assert door.browser().get(path, headers={"Cookie": "arena-seat-8770=guess"}).status_code == 403
    assert door.browser().post("/choose", json={"decision": 1, "index": 0}, headers=ORIGIN).status_code == 403


def test_an_invitation_works_once_and_gives_a_cookie_that_scripts_cannot_read(door):
    token = door.visitors.invite(door.visitor)
    first = door.browser()
    assert first.head(f"/enter/{token}").status_code == 200, "a look ahead does not use it up"
    entered = first.get(f"/enter/{token}?to=tutorial")
    assert "url=/#tutorial" in entered.text
    cookie = entered.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert first.get("/").text == "<h1>table</h1>"
    assert first.get("/replay/games/replay.html").text == "replayed"
    assert first.get(f"/enter/{token}").status_code == 200, "where it was used it leads on"
    assert door.browser().get(f"/enter/{token}").status_code == 403
    assert door.visitors.enter("") is None


def test_of_several_invitations_the_latest_works(door):
    older, latest = (door.visitors.invite(door.visitor) for _ in range(2))
    assert door.browser().get(f"/enter/{older}").status_code == 403
    assert door.browser().get(f"/enter/{latest}").status_code == 200


def test_a_visitor_has_closed_its_pages_once_when_the_last_one_is_closed_and_none_comes_back(monkeypatch):
    monkeypatch.setattr(person_app, "_CLOSED_SECONDS", 0.01)
    closed, ann = [], Visitor("Ann")
    events = person_app.PersonEvents(lambda _: ann, closed.append)

    async def follow(*steps):
        for step in steps:
            if step == "begins":
                events.begin(ann)
            else:
                events.end(ann, step == "ended by the server")
        await asyncio.sleep(0.02)  # timers run in the order of their times

    asyncio.run(follow("begins", "begins", "closed"))
    asyncio.run(follow("begins", "closed", "ended by the server"))
    asyncio.run(follow("begins", "closed", "begins"))
    assert closed == []
    asyncio.run(follow("begins", "closed", "closed"))
    assert closed == [ann]


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        (ORIGIN, {"decision": 7, "index": 1}, 204),
        (ORIGIN, {"decision": 7, "index": 9}, 409),
        (ORIGIN, {"decision": "7", "index": 1}, 400),
        (ORIGIN, {"decision": 7}, 400),
        (ORIGIN, {"decision": 7, "index": 1, "seat": 2}, 400),
        (ORIGIN, {"decision": 7, "index": 1, "more": "x" * 5000}, 413),
        ({}, {"decision": 7, "index": 1}, 403),
        ({"Origin": "http://127.0.0.1:9999"}, {"decision": 7, "index": 1}, 403),
        ({"Origin": "null"}, {"decision": 7, "index": 1}, 403),
        ({**ORIGIN, "Content-Type": "text/plain"}, {"decision": 7, "index": 1}, 415),
        ({**ORIGIN, "Host": "evil.example"}, {"decision": 7, "index": 1}, 421),
        ({**ORIGIN, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, {"decision": 7, "index": 1}, 403),
    ],
)
def test_a_choice_is_taken_from_the_page_alone(door, headers, body, status):
    answer = door.enter().post("/choose", json=body, headers=headers)
    assert answer.status_code == status, answer.text
    assert door.requests.asked == ([("choose", door.visitor, 7, 1)] if status == 204 else [])
    if status == 409:
        assert answer.json() == {"error": "there are the actions 0 to 2"}


def test_everything_else_that_a_page_asks_for_reaches_the_table(door):
    browser = door.enter()
    for name in ("begin", "again"):
        assert browser.post(f"/{name}", json={}, headers=ORIGIN).status_code == 204
    for name in ("hint", "show"):
        assert browser.post(f"/{name}", json={"decision": 3}, headers=ORIGIN).status_code == 204
    names = [name for name, *_ in door.requests.asked]
    assert names == ["begin", "want_rematch", "hint", "show"]
    assert browser.get("/choose").status_code == 405


def test_a_page_that_connects_is_sent_what_holds_and_then_what_follows(door):
    bulletin = door.visitor.bulletin
    bulletin.put("thinking", b'{"seat":1}')
    bulletin.put("lobby", b"{}")
    bulletin.put("table", b'{"number":1}')
    bulletin.put("turn", b'{"decision":1}', drop=("lobby",))
    bulletin.put("gone", b"{}")
    bulletin.close()
    text = door.enter().get("/events").text
    assert text.startswith("retry: 500\n\n")
    assert [line for line in text.splitlines() if line.startswith("event")] == [
        f"event: {each}" for each in ("table", "turn", "thinking", "gone")
    ]
    assert 'data: {"decision":1}' in text


def test_of_each_kind_the_latest_message_counts():
    bulletin = Bulletin()
    for number in range(100):
        bulletin.put("mistakes", b"{}", key=str(number % 2))
        bulletin.put("turn", b'{"decision":%d}' % number, due=0.0)
    [turn, *mistakes] = bulletin.newer_than(0)
    assert turn.text() == '{"decision":99,"deadline":0}'
    assert len(mistakes) == 2
    assert bulletin.newer_than(max(each.number for each in (turn, *mistakes))) == []
    bulletin.close()
    assert bulletin.wait(1000, 60) == [], "nobody waits for what will not come"

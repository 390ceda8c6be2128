"""The local server's application, without a socket."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from arena.web.feed import Feed
from arena.web.files import Files
from arena.web.live import create_app


@pytest.fixture
def client(site):
    return TestClient(create_app(site, Feed()), "http://localhost", raise_server_exceptions=False)


def test_a_page_is_sent_with_its_type(client):
    answer = client.get("/")
    assert (answer.status_code, answer.text) == (200, "<main>first</main>")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 200),
        ("/bots", {}, 301),
        ("/nothing", {}, 404),
        ("/", {"Host": "evil.example"}, 421),
        ("/", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
    ],
)
def test_every_answer_says_what_a_browser_may_do_with_it(client, path, headers, status):
    answer = client.get(path, headers=headers, follow_redirects=False)
    assert answer.status_code == status
    assert answer.headers["Cache-Control"] == "no-store"
    assert "object-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_details_of_an_internal_error_are_sent_to_nobody(site, monkeypatch):
    async def failing(*_):
        raise RuntimeError("secret")

    monkeypatch.setattr(Files, "answer", failing)
    client = TestClient(create_app(site, Feed()), "http://localhost", raise_server_exceptions=False)
    answer = client.get("/")
    assert (answer.status_code, answer.text) == (500, "Internal Server Error")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_page_that_is_made_anew_while_it_is_sent_keeps_its_length(site):
    """What was opened is what is sent, whatever takes its name meanwhile."""
    page = site / "index.html"

    async def replaced(self, request):
        answer = await original(self, request)
        fresh = site / "fresh"
        fresh.write_text("much longer than the first one")
        fresh.replace(page)
        return answer

    original = Files.answer
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Files, "answer", replaced)
        client = TestClient(create_app(site, Feed()), "http://localhost")
        answer = client.get("/")
    assert (answer.text, answer.headers["Content-Length"]) == ("<main>first</main>", "18")

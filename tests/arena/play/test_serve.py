"""The table over HTTP: in a network, with TLS, and when a page is closed."""

from __future__ import annotations

import http.client
import json
import ssl
import stat
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from arena.cli import play
from arena.play.serve import Listening, served
from arena.web import WebError, person_app
from arena.web.guard import names_of
from arena.web.visitors import Visitor
from engine import catalog
from tests.arena.play.local_table import LocalTable
from tests.arena.play.page_client import PageClient
from tests.certificates import certificate, needs_openssl


@contextmanager
def a_table(listening=None, said=None):
    ann, bob = Visitor("Ann"), Visitor("Bob")
    local = LocalTable({"Ann": ann, "Bob": bob}, ["Ann", "Bob"])
    rules = catalog.rules("ravensburger")
    lines = [] if said is None else said
    with served(local.table, rules, local.edition, None, listening or Listening(port=None), lines.append) as serving:
        yield serving, ann, bob


@pytest.mark.slow
def test_each_person_has_an_address_that_leads_to_their_own_seat():
    with ExitStack() as stack:
        serving, ann, bob = stack.enter_context(a_table())
        one, other = PageClient(serving.invitation(ann)), PageClient(serving.invitation(bob))
        assert (one.next("table")["mine"], other.next("table")["mine"]) == ([0], [1])
        assert one.post("/begin") == 204
        while (lobby := other.next("lobby"))["waiting_for"]:
            assert lobby == {"ready": False, "waiting_for": ["Ann"]}
        assert 'id="R-' in one.request("GET", "/rules.html")[2]
        page = one.request("GET", "/")[2]
        assert all(one.request("GET", f"/{path}")[0] == 200 for path in _assets(page))
    for client in (one, other):
        assert client.next("gone")["text"]
        client.close()


def _assets(page):
    return [part.partition('"')[0] for part in page.split('"') if part.startswith("assets/")]


def test_a_page_finds_an_arena_again_that_was_killed(tmp_path):
    kept = tmp_path / "pages.json"
    with a_table(Listening(port=None, pages=kept)) as (serving, _, bob), PageClient(serving.invitation(bob)) as page:
        cookie, address = page._cookie, serving.invitation(bob).split("/enter")[0]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with a_table(Listening(port=None, pages=kept)) as (serving, ann, _):
        assert serving.invitation(ann).startswith(f"{address}/")
        with PageClient(serving.invitation(ann)) as page:
            assert page.request("GET", "/", cookie=cookie)[0] == 200
    kept.write_text("{")
    with a_table(Listening(port=None, pages=kept)) as (serving, ann, _), PageClient(serving.invitation(ann)) as page:
        assert page.request("GET", "/", cookie=cookie)[0] == 403


def test_the_first_person_has_an_address_for_each_of_the_others():
    with a_table() as (serving, ann, _), PageClient(serving.invitation(ann)) as page:
        status, _, text = page.request("POST", "/invite", {"name": "Bob"})
        assert status == 200
        address = serving.invitation(ann).split("/enter")[0]
        with PageClient(f"{address}{json.loads(text)['path']}") as other:
            assert other.next("table")["mine"] == [1]
            assert [
                each.request("POST", "/invite", {"name": name})[0]
                for each, name in ((other, "Ann"), (other, "Bob"), (page, "Ann"), (page, "Cem"))
            ] == [409] * 4


def test_a_page_that_was_closed_can_be_opened_again(monkeypatch):
    monkeypatch.setattr(person_app, "_CLOSED_SECONDS", 0.05)
    closed, said = threading.Event(), []

    class Lines(list):
        def append(self, line):
            said.append(line)
            closed.set()

    with a_table(said=Lines()) as (serving, ann, _):
        with PageClient(serving.invitation(ann)) as page:
            page.next("table")
        assert closed.wait(60)
        assert said[0].startswith("the page of Ann was closed; the game waits. To open it again: http://127.0.0.1:")
        with PageClient(said[0].split()[-1]) as again:
            assert again.next("table")["mine"] == [0]


def test_a_stream_that_the_server_ends_is_no_page_that_was_closed(monkeypatch):
    monkeypatch.setattr(person_app, "_CLOSED_SECONDS", 0.0)
    monkeypatch.setattr(person_app, "SECONDS", 0.05)
    ended, said = threading.Event(), []
    end = person_app.PersonEvents.end

    def noted(*given):
        end(*given)
        ended.set()

    monkeypatch.setattr(person_app.PersonEvents, "end", noted)
    with a_table(said=said) as (serving, ann, _):
        with PageClient(serving.invitation(ann)) as page:
            assert ended.wait(60)
            assert page.request("GET", "/")[0] == 200, "by now it would have been said"
        assert said == []


def test_a_browser_is_led_to_an_address_by_a_file_that_nobody_else_can_read():
    """Its name is what other users of the machine can see of the browser's command."""
    with a_table() as (serving, ann, bob):
        address, other = serving.invitation(ann), serving.invitation(bob)
        file, unused = serving.file_to(address), serving.file_to(other)
        assert (stat.S_IMODE(file.stat().st_mode), stat.S_IMODE(file.parent.stat().st_mode)) == (0o600, 0o700)
        token = address.rpartition("/")[2]
        assert token not in file.as_uri()
        assert f"url={address}" in file.read_text()
        with PageClient(address) as page:
            assert page.next("table")["mine"] == [0]
            assert not file.exists(), "the address has been used"
        assert not serving.file_to(address).exists(), "it was used before"
        assert unused.exists()
    assert not unused.exists()


def test_the_command_opens_the_browser_at_that_file(monkeypatch):
    opened, done = [], threading.Event()
    local = LocalTable({"Ann": Visitor("Ann")}, ["Ann", "Bob"])

    def run(plan, visitors, front, progress):
        with front(local.table, SimpleNamespace(pages=None)):
            assert done.wait(60)

    def open_page(page):
        opened.append((page, Path(urlsplit(page).path).read_text()))
        done.set()

    said = []
    monkeypatch.setattr(play, "run", run)
    monkeypatch.setattr(play, "say", said.append)
    monkeypatch.setattr(play, "_has_screen", lambda: True)
    monkeypatch.setattr("arena.cli.play.webbrowser.open", open_page)
    rules = catalog.rules("ravensburger")
    plan = SimpleNamespace(persons=["Ann"], rules=rules, edition=local.edition, has_tutorial=False)
    play._play_on_pages(plan, Listening(), False, False)  # type: ignore[arg-type]
    [(page, text)] = opened
    [line] = said
    before, _, after = line.partition("http://")
    assert before == "If no page opens, open this address: "
    address = f"http://{after.split()[0]}"
    assert address in text
    assert page.startswith("file:///")
    assert address.rpartition("/")[2] not in page
    play._play_on_pages(plan, Listening(), True, False)  # type: ignore[arg-type]
    assert len(opened) == 1
    assert said[1].startswith("http://")


@pytest.mark.process
@needs_openssl
def test_with_a_certificate_it_speaks_tls_alone(tmp_path):
    made = certificate(tmp_path)
    with a_table(Listening("127.0.0.1", None, made)) as (serving, ann, _):
        invitation = serving.invitation(ann)
        assert invitation.startswith("https://127.0.0.1:")
        port, path = int(invitation.split(":")[2].split("/")[0]), "/" + invitation.split("/", 3)[3]
        trusting = ssl.create_default_context(cafile=made.file)
        connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trusting)
        connection.request("GET", path)
        assert "Secure" in connection.getresponse().headers["Set-Cookie"]
        plain = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        plain.request("GET", "/")
        with pytest.raises((http.client.HTTPException, OSError)):
            plain.getresponse()


@pytest.mark.parametrize(
    ("listening", "host", "expected"),
    [
        (None, "127.0.0.1:8770", True),
        (None, "192.168.1.20:8770", False),
        (None, "evil.example", False),
        ("192.168.1.20", "192.168.1.20:8770", True),
        ("192.168.1.20", "127.0.0.1", True),
        ("192.168.1.20", "evil.example:8770", False),
        ("192.168.1.20", "192.168.1.20.evil.example", False),
        ("fd00::1", "[fd00::1]:8770", True),
        ("table.lan", "table.lan:8770", True),
    ],
)
def test_only_names_of_its_own_are_answered(listening, host, expected):
    assert names_of(listening)([host]) is expected
    assert not names_of(listening)([host, host])


def test_an_address_that_is_not_of_this_machine_is_refused():
    with pytest.raises(WebError, match=r"192\.0\.2\.1 cannot be used"), a_table(Listening("192.0.2.1")):
        raise AssertionError

"""The pages over real connections: uploads that lie about their length, never end or break off."""

from __future__ import annotations

import socket
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest

from arena.serve.pages import app as league_app
from arena.serve.pages.app import CONNECTIONS, LeaguePages, league_server
from arena.web import WebError
from arena.web import server as web_server
from tests.arena.serve.pages.conftest import SECRETS, Actions, make_facts, write_league

SECONDS = 60


class Uploads(Actions):
    """A league that is served, and what comes."""

    def __init__(self, folder):
        super().__init__()
        self.league = write_league(folder, "port = 0", "[submissions]\nsize_mb = 1\n")
        self.pages = LeaguePages(self.league, make_facts(folder))
        (folder / "uploads").mkdir()
        (folder / "uploads" / "left").touch()  # by a process that was killed
        self.server = league_server(self.pages, self)

    @contextmanager
    def begun(self, *lines):
        """Begin an upload by Ada."""
        port = self.server.port
        with closing(socket.create_connection(("127.0.0.1", port), timeout=SECONDS)) as line:
            head = [
                "POST /me/submissions HTTP/1.1",
                f"Host: 127.0.0.1:{port}",
                f"Origin: http://127.0.0.1:{port}",
                f"Cookie: arena-league-{port}={SECRETS['ada']}",
                "Content-Type: application/octet-stream",
                "X-File-Name: bot.zip",
                *lines,
            ]
            line.sendall("\r\n".join([*head, "", ""]).encode())
            yield line


@pytest.fixture
def uploads(tmp_path):
    found = Uploads(tmp_path)
    with found.server:
        found.server.start()
        yield found


def answer_to(line):
    received = b""
    while piece := line.recv(4096):
        received += piece
    return int(received.split()[1])


def test_a_length_that_is_too_large_is_refused_though_nothing_comes(uploads, tmp_path):
    assert not (tmp_path / "uploads").exists(), "what was left behind is gone"
    with uploads.begun("Content-Length: 1099511627776") as line:
        assert answer_to(line) == 413
    assert list((tmp_path / "uploads").iterdir()) == []


def status_of(uploads, header: str, data: bytes) -> int:
    """Upload, again until it was noticed that the upload before it has ended."""
    status = 503
    while status == 503:
        with uploads.begun(header) as line:
            line.sendall(data)
            status = answer_to(line)
    return status


def test_an_upload_without_a_length_is_counted_and_ended(uploads, tmp_path):
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with uploads.begun("Transfer-Encoding: chunked") as line:
        line.sendall(piece * 15 + b"4240\r\n" + b"x" * 0x4240 + b"\r\n")  # a million
        line.sendall(b"1\r\nx\r\n")  # nothing after it, which would stay unread and reset the connection
        assert answer_to(line) == 413
    assert status_of(uploads, "Transfer-Encoding: chunked", piece + b"0\r\n\r\n") == 200
    assert [what[:3] for what in uploads.asked] == [("submit", "ada", "bot.zip")]
    assert list((tmp_path / "uploads").iterdir()) == []


def test_an_upload_may_take_longer_than_an_answer_and_what_breaks_off_leaves_nothing(uploads, tmp_path, monkeypatch):
    monkeypatch.setattr(web_server, "ANSWER", 0.0)  # only what extends its time gets any further
    with uploads.begun("Content-Length: 2") as line:
        line.sendall(b"x")
    assert status_of(uploads, "Content-Length: 2", b"ab") == 200
    assert [what[-1] for what in uploads.asked] == [b"ab"]
    assert list((tmp_path / "uploads").iterdir()) == []


def test_there_is_room_for_a_class_that_watches(uploads):
    assert uploads.server._uvicorn.config.http.most == CONNECTIONS


def test_a_port_that_is_taken_is_said_with_what_to_do(uploads, tmp_path):
    uploads.pages.league = write_league(tmp_path, f"port = {uploads.server.port}")
    with pytest.raises(WebError, match=r"port \d+ of 127.0.0.1 cannot be used: .+ \[web\]"):
        league_server(uploads.pages, uploads)


def sent(server, text: bytes, most=SECONDS) -> bytes:
    """Everything that comes back until the server closes the connection."""
    with closing(socket.create_connection(("127.0.0.1", server.port), timeout=most)) as line:
        received = b""
        with suppress(ConnectionError):
            line.sendall(text)
            while piece := line.recv(65536):
                received += piece
        return received


GET = "GET {path} HTTP/1.1\r\nHost: {name}\r\n{more}\r\n"


def get(server, path="/", name=None, more="") -> bytes:
    return GET.format(path=path, name=name or f"127.0.0.1:{server.port}", more=more).encode()


def test_a_request_behind_another_is_not_answered(uploads):
    """A proxy could take the second one for that of somebody else."""
    port = uploads.server.port
    hidden = get(uploads.server, "/metrics")
    for head in (
        f"Content-Length: {len(hidden)}\r\nTransfer-Encoding: chunked",
        "Content-Length: 5\r\nContent-Length: 6",
    ):
        post = f"POST /organiser HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n\r\n0\r\n\r\n".encode()
        assert sent(uploads.server, post + hidden).count(b"HTTP/1.1") <= 1
    both = sent(uploads.server, get(uploads.server) + hidden)
    assert both.count(b"HTTP/1.1") == 1
    assert b"arena_league_" not in both
    assert uploads.asked == []


def test_heads_that_are_too_long_and_targets_of_other_sites_are_refused(uploads):
    assert b"200 OK" not in sent(uploads.server, get(uploads.server, more=f"X-Long: {'x' * 200_000}\r\n"))[:100]
    assert b"200 OK" not in sent(uploads.server, get(uploads.server, path="/" + "x" * 200_000))[:100]
    for name in ("evil.example", "127.0.0.1.evil.example", "evil.example#127.0.0.1", ""):
        answer = sent(uploads.server, get(uploads.server, name=name or " "))
        assert b" 421 " in answer[:40] or b" 400 " in answer[:40], name
    assert b" 200 " in sent(uploads.server, get(uploads.server))[:40]


def test_who_sends_slowly_is_not_waited_for_and_many_leave_room(uploads, monkeypatch):
    monkeypatch.setattr(web_server, "HEAD", 0.2)
    with closing(socket.create_connection(("127.0.0.1", uploads.server.port), timeout=SECONDS)) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: ")
        assert slow.recv(10) == b"", "closed though it goes on"
    monkeypatch.setattr(web_server, "HEAD", 1000.0)
    lines = [socket.create_connection(("127.0.0.1", uploads.server.port)) for _ in range(CONNECTIONS + 20)]
    try:
        assert b" 200 " in sent(uploads.server, get(uploads.server))[:40]
    finally:
        for line in lines:
            line.close()


def test_visitors_who_wait_for_news_leave_room_for_members(uploads, monkeypatch):
    monkeypatch.setattr(league_app, "_STREAMS", (1, 1))
    server = league_server(uploads.pages, uploads)
    with server:
        server.start()
        streams = []
        try:
            for more in ("", f"Cookie: arena-league-{server.port}={SECRETS['ada']}\r\n"):
                for status in (b" 200 ", b" 503 "):
                    streams.append(socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS))
                    streams[-1].sendall(get(server, "/events", more=more))
                    assert status in streams[-1].recv(40)
        finally:
            for each in streams:
                each.close()


def test_nobody_takes_all_streams_of_news(uploads, tmp_path, monkeypatch):
    monkeypatch.setattr(league_app, "_STREAMS_FOR_EACH", (2, 2))
    uploads.pages.league = write_league(tmp_path, 'port = 0\naddress = "http://league.example.org"')
    askers = [f"Cookie: arena-league-0={SECRETS[name]}\r\n" for name in ("ada", "grace")]
    askers += [f"X-Forwarded-For: {address}\r\n" for address in ("198.51.100.1", "198.51.100.2")]
    with league_server(uploads.pages, uploads) as server, ExitStack() as streams:
        server.start()
        for more in askers:
            for status in (b" 200 ", b" 200 ", b" 503 "):
                line = streams.enter_context(closing(socket.create_connection(("127.0.0.1", server.port), SECONDS)))
                line.sendall(get(server, "/events", "league.example.org", more))
                assert status in line.recv(40), more

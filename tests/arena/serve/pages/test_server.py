"""The pages over real connections: uploads that lie about their length, never end or break off."""

from __future__ import annotations

import socket
from contextlib import closing, contextmanager

import pytest

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


def test_an_upload_without_a_length_is_counted_and_ended(uploads, tmp_path):
    piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with uploads.begun("Transfer-Encoding: chunked") as line:
        line.sendall(piece * 16)
        line.sendall(b"1\r\nx\r\n")
        assert answer_to(line) == 413
    with uploads.begun("Transfer-Encoding: chunked") as line:
        line.sendall(piece + b"0\r\n\r\n")
        assert answer_to(line) == 200
    assert [what[:3] for what in uploads.asked] == [("submit", "ada", "bot.zip")]
    assert list((tmp_path / "uploads").iterdir()) == []


def test_an_upload_may_take_longer_than_an_answer_and_what_breaks_off_leaves_nothing(uploads, tmp_path, monkeypatch):
    monkeypatch.setattr(web_server, "ANSWER", 0.0)  # only what extends its time gets any further
    with uploads.begun("Content-Length: 2") as line:
        line.sendall(b"x")
    status = 503  # until it was noticed that the first has ended
    while status == 503:
        with uploads.begun("Content-Length: 2") as line:
            line.sendall(b"ab")
            status = answer_to(line)
    assert status == 200
    assert [what[-1] for what in uploads.asked] == [b"ab"]
    assert list((tmp_path / "uploads").iterdir()) == []


def test_there_is_room_for_a_class_that_watches(uploads):
    assert uploads.server._uvicorn.config.http.most == CONNECTIONS


def test_a_port_that_is_taken_is_said_with_what_to_do(uploads, tmp_path):
    uploads.pages.league = write_league(tmp_path, f"port = {uploads.server.port}")
    with pytest.raises(WebError, match=r"port \d+ of 127.0.0.1 cannot be used: .+ \[web\]"):
        league_server(uploads.pages, uploads)

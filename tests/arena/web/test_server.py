"""The server of the live pages: what it sends, and what it refuses."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from arena.web import WebError, events
from arena.web import server as web_server
from arena.web.feed import Feed
from arena.web.live import create_app
from arena.web.server import HOST, Server
from tests.certificates import certificate, needs_openssl

SECONDS = 60
"""After that a wait is a failure; nothing here takes a tenth of it."""
LARGE = b"GET /large.js HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def server(site) -> Iterator[Server]:
    with serve(site) as server:
        server.start()
        yield server


@pytest.fixture(scope="module")
def lasting_server(lasting_site) -> Iterator[Server]:
    """For tests that only ask it for pages: ending one takes longer than they do."""
    with serve(lasting_site) as server:
        server.start()
        yield server


def serve(site, port=0, certificate=None) -> Server:
    feed = Feed()
    return Server(create_app(site, feed), feed, port, certificate=certificate)


def ask(server, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=SECONDS)
    try:
        connection.putrequest(method, path, skip_host=True)
        for name, value in ({"Host": f"127.0.0.1:{server.port}"} | headers).items():
            if value is not None:
                connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()
    finally:
        connection.close()


def stream(server, stack, query=""):
    """An open stream of events, once the server has answered."""
    connection = stack.enter_context(socket.create_connection((HOST, server.port), SECONDS))
    connection.sendall(f"GET /events{query} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
    lines = stack.enter_context(connection.makefile("r", encoding="utf-8", newline="\n"))
    for line in lines:
        if line == "\r\n":
            return lines
    raise AssertionError("no answer")


def event(lines):
    found = {}
    for line in lines:
        if line == "\n" and found:
            return found["event"], json.loads(found["data"])
        name, _, value = line.rstrip("\n").partition(": ")
        if name:
            found[name] = value
    raise AssertionError("the stream ended")


def test_pages_are_sent_with_their_types_and_kept_by_nobody(lasting_server):
    status, headers, text = ask(lasting_server, "/")
    assert (status, text) == (200, "<main>first</main>")
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert headers["Cache-Control"] == "no-store"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "default-src 'self'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    status, headers, text = ask(lasting_server, "/bots/a%20b.js?3")
    assert (status, text, headers["Content-Type"]) == (200, "arenaData(1)", "text/javascript; charset=utf-8")


def test_head_is_the_head_alone(lasting_server):
    status, headers, text = ask(lasting_server, "/index.html", "HEAD")
    assert (status, headers["Content-Length"], text) == (200, "18", "")
    assert ask(lasting_server, "/events", "HEAD")[0] == 200


def test_a_folder_leads_to_its_first_page_and_is_never_listed(lasting_server):
    status, headers, _ = ask(lasting_server, "/bots")
    assert (status, headers["Location"]) == (301, "/bots/")
    assert ask(lasting_server, "/bots/")[2] == "bots"
    assert ask(lasting_server, "/empty")[0] == 404
    assert ask(lasting_server, "/empty/")[0] == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/bots/../../secret.txt",
        "/bots/%2e%2e/%2e%2e/secret.txt",
        "/..\\secret.txt",
        "//secret.txt",
        "//etc/passwd",
        "/%2fetc/passwd",
        "/secret.txt",
        "/out/secret.txt",
        "/.published.json",
        "/bots//index.html",
        "/index.html/",
        "/%00",
        "/%ff",
        "/" + "x" * 5000,
        "http://127.0.0.1/index.html",
        "nothing",
    ],
)
def test_nothing_outside_the_site_is_sent(lasting_server, path):
    status, _, text = ask(lasting_server, path)
    assert status == 404
    assert "secret" not in text


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"])
@pytest.mark.parametrize("path", ["/", "/events"])
def test_it_can_only_be_read(lasting_server, method, path):
    assert ask(lasting_server, path, method)[0] == 405


@pytest.mark.parametrize("target", ["http://[", "//[", "http://[x]/index.html", "http://a]b/"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_target_that_is_no_address_is_answered_and_nothing_is_printed(lasting_server, capfd, method, target):
    status, _, text = ask(lasting_server, target, method, Host="localhost")
    assert status in (400, 404)
    assert "first" not in text
    assert ask(lasting_server, "/")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_an_unknown_method_is_refused(lasting_server):
    assert ask(lasting_server, "/", "BREW")[0] == 405


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "LOCALHOST:9000", "127.0.0.1:80", "[::1]", "[::1]:8765"])
def test_this_machine_is_answered_by_its_names(lasting_server, host):
    assert ask(lasting_server, "/", Host=host)[0] == 200


@pytest.mark.parametrize(
    "host",
    [None, "", "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost:x", "::1", "[::1", "1", ":80"],
)
@pytest.mark.parametrize("path", ["/", "/events", "/nothing"])
def test_other_names_are_refused(lasting_server, host, path):
    status, _, text = ask(lasting_server, path, Host=host)
    assert status == (400 if host is None else 421)  # without any it is no request
    assert "first" not in text


def test_pages_of_other_sites_get_nothing_to_embed_but_may_lead_here(lasting_server):
    foreign = {"Sec_Fetch_Site": "cross-site"}
    assert ask(lasting_server, "/bots/a%20b.js", Sec_Fetch_Mode="no-cors", **foreign)[0] == 403
    assert ask(lasting_server, "/events", Sec_Fetch_Mode="cors", **foreign)[0] == 403
    assert ask(lasting_server, "/", Sec_Fetch_Mode="navigate", **foreign)[0] == 200
    assert ask(lasting_server, "/", Sec_Fetch_Mode="no-cors", Sec_Fetch_Site="same-origin")[0] == 200


def test_news_reach_everybody_who_waits_and_whoever_comes_later_gets_the_latest(server):
    with ExitStack() as stack:
        early = [stream(server, stack) for _ in range(3)]
        server.feed.update({"pages": 1, "pace": 5})
        assert [event(lines) for lines in early] == [("all", {"pages": 1, "pace": 5})] * 3
        server.feed.update({"pages": 2})
        assert [event(lines) for lines in early] == [("delta", {"pages": 2})] * 3, "only what changed"
        server.feed.update({"pages": 3})
        assert event(stream(server, stack)) == ("all", {"pages": 3, "pace": 5})


def test_a_page_is_sent_what_it_asks_for(server):
    with ExitStack() as stack:
        server.feed.update({"pages": 1, "row/a": [1], "running/g-1": [], "board/g-1/head": {}, "board/g-2/head": {}})
        assert event(stream(server, stack))[1].keys() == {"pages"}
        assert server.feed.watching == 0
        assert event(stream(server, stack, "?live"))[1].keys() == {"pages", "row/a", "running/g-1"}
        live = stream(server, stack, "?live&game=g-1")
        assert event(live)[1].keys() == {"pages", "row/a", "running/g-1", "board/g-1/head"}
        assert server.feed.watching == 2
        server.feed.update({"board/g-2/head": {"other": 1}, "board/g-1/head": None})
        assert event(live) == ("delta", {"board/g-1/head": None})
    assert ask(server, "/events?live&game=../secret")[0] == 400


def test_a_silent_stream_says_that_it_is_still_there(server, monkeypatch):
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    with ExitStack() as stack:
        lines = stream(server, stack)
        assert next(lines) == ": still here\n"


def test_a_stream_ends_after_its_time(server, monkeypatch):
    monkeypatch.setattr(events, "SECONDS", 0.05)
    with ExitStack() as stack:
        lines = stream(server, stack)
        assert not [line for line in lines if line.startswith("event")]


def test_all_readers_get_the_end(site):
    with ExitStack() as stack:
        with serve(site) as server:
            server.start()
            lines = stream(server, stack)
        assert event(lines) == ("gone", {})
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((HOST, server.port), SECONDS)


def test_who_only_waits_leaves_room_for_pages(server):
    with ExitStack() as stack:
        for _ in range(events.STREAMS):
            stream(server, stack)
        assert ask(server, "/events")[0] == 503
        assert ask(server, "/")[0] == 200


def connect(server, stack, sent=b""):
    found = stack.enter_context(socket.create_connection((HOST, server.port), SECONDS))
    found.sendall(sent)
    return found


@pytest.mark.slow
def test_who_is_silent_makes_room_for_who_asks(server):
    with ExitStack() as stack:
        silent = [connect(server, stack) for _ in range(2 * web_server.CONNECTIONS)]
        assert ask(server, "/")[0] == 200
        assert silent[0].recv(100) == b"", "whoever was silent longest is not waited for"
        silent[-1].sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert silent[-1].recv(100).startswith(b"HTTP/1.1 200 ")


@pytest.mark.slow
def test_connections_are_bounded_and_free_again_when_they_end(server, site, monkeypatch):
    monkeypatch.setattr(web_server, "LONG", 1000.0)
    (site / "large.js").write_bytes(bytes(8_000_000))  # more than what is on its way to one who does not read
    with ExitStack() as stack:
        for _ in range(web_server.CONNECTIONS):
            lasting = connect(server, stack, LARGE)
            assert lasting.recv(12) == b"HTTP/1.1 200"
        one_more = connect(server, stack)
        assert one_more.recv(100).startswith(b"HTTP/1.1 503 ")
    until(lambda: ask_or_none(server) == 200)


@pytest.mark.slow
def test_answers_that_nobody_reads_make_room_after_a_while_and_streams_stay(server, site, monkeypatch):
    monkeypatch.setattr(web_server, "LONG", 0.0)
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    (site / "large.js").write_bytes(bytes(8_000_000))
    with ExitStack() as stack:
        lines = stream(server, stack)
        for _ in range(web_server.CONNECTIONS):
            assert connect(server, stack, LARGE).recv(12) == b"HTTP/1.1 200"
        assert ask(server, "/")[0] == 200
        assert next(lines) == ": still here\n"


@pytest.mark.slow
@needs_openssl
def test_handshakes_that_stop_half_way_leave_room_and_descriptors(site, tmp_path):
    made = certificate(tmp_path)
    with serve(site, certificate=made) as server, ExitStack() as stack:
        server.start()
        silent = [connect(server, stack, b"\x16\x03\x01") for _ in range(web_server._GREETING + 20)]
        context = ssl.create_default_context(cafile=made.file)
        asks = http.client.HTTPSConnection(HOST, server.port, timeout=SECONDS, context=context)
        asks.request("GET", "/")
        assert asks.getresponse().status == 200
        asks.close()
        for each in silent[:21]:  # who has taken longest is not waited for
            with suppress(ConnectionResetError):
                assert each.recv(1) == b""
        silent[21].setblocking(False)
        with pytest.raises(BlockingIOError):
            silent[21].recv(1)


def test_who_does_not_read_is_not_waited_for(server, site, monkeypatch):
    monkeypatch.setattr(web_server, "ANSWER", 0.2)
    (site / "large.js").write_bytes(bytes(8_000_000))
    with ExitStack() as stack:
        lasting = connect(server, stack, LARGE)
        assert lasting.recv(12) == b"HTTP/1.1 200"
        until(lambda: not server._uvicorn.server_state.connections)
        left = sum(map(len, iter(lambda: lasting.recv(1_000_000), b"")))
        assert left < 8_000_000, "the answer was cut short"


@pytest.mark.slow
def test_a_stream_outlasts_the_time_for_an_answer(server, monkeypatch):
    monkeypatch.setattr(web_server, "ANSWER", 0.1)
    monkeypatch.setattr(events, "HEARTBEAT", 0.05)
    with ExitStack() as stack:
        lines = stream(server, stack)
        heard = [line for line, _ in zip(lines, range(12), strict=False) if line == ": still here\n"]
        assert len(heard) == 6


def until(condition):
    ends = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


def ask_or_none(server):
    try:
        return ask(server, "/")[0]
    except (OSError, http.client.HTTPException):
        return None


def test_a_request_that_drips_in_ends_all_the_same(server, monkeypatch):
    monkeypatch.setattr(web_server, "HEAD", 0.2)
    with socket.create_connection((HOST, server.port), SECONDS) as slow:
        stop = threading.Event()

        def drip():
            while not stop.wait(0.02):
                try:
                    slow.sendall(b"G")
                except OSError:
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            dripping.join(SECONDS)
            assert not dripping.is_alive(), "the connection is ended while it still drips"
        finally:
            stop.set()
            dripping.join()


def test_a_port_that_is_taken_does_not_end_the_news(server, site):
    feed = Feed()
    with pytest.raises(OSError, match="in use"):
        Server(create_app(site, feed), feed, server.port)
    assert not feed.is_closed


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello, is there TLS?\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nA: " + b"x" * 200_000,
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno number\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        b"GET /events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 200_000,
    ],
)
def test_what_is_no_request_is_outlived_and_nothing_is_printed(lasting_server, capfd, sent):
    with ExitStack() as stack, suppress(OSError):  # it need not read to the end
        strange = connect(lasting_server, stack, sent)
        strange.shutdown(socket.SHUT_WR)
        strange.recv(100)
    assert ask(lasting_server, "/")[0] == 200
    assert capfd.readouterr() == ("", "")


def test_an_answer_to_what_is_no_request_has_the_same_head(lasting_server):
    with ExitStack() as stack:
        answer = connect(lasting_server, stack, b"nonsense\r\n\r\n").recv(10_000).decode()
    assert answer.startswith("HTTP/1.1 400 ")
    assert "\r\nX-Content-Type-Options: nosniff\r\n" in answer
    assert "\r\nContent-Security-Policy: default-src 'self';" in answer


def test_it_only_listens_to_this_machine(lasting_server):
    with pytest.raises(OSError, match=r"refused|assign"):  # a server on all addresses has this one too
        socket.create_connection(("127.0.0.2", lasting_server.port), SECONDS)


def test_signals_stay_with_who_had_them(site):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with serve(site) as server:
        server.start()
        assert ask(server, "/")[0] == 200
        assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


def test_a_server_that_ended_by_itself_is_an_error(site, monkeypatch):
    async def failing(_):
        raise RuntimeError("its loop is broken")

    with serve(site) as server:
        monkeypatch.setattr(server, "_serve", lambda: failing(server))
        server.start()
        with pytest.raises(WebError, match=r"the server has ended.*its loop is broken.*again"):
            server.wait(SECONDS)

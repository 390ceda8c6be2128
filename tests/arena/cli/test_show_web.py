"""`arena show --web`: a tournament in a browser while it is played, and the end of it."""

from __future__ import annotations

import http.client
import importlib.util
import json
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, contextmanager

import pytest

from arena.cli import interrupts
from tests.arena.cli.conftest import ROOT

pytestmark = [pytest.mark.process, pytest.mark.slow]

BOTS = [ROOT / "bots" / "greedy.py", ROOT / "bots" / "explorer.py"]
"""One that takes its time: the games last longer than what is done about them."""
SECONDS = 200
"""After that a wait is a failure; nothing here takes a tenth of it."""


class Web:
    """A running `arena show --web`."""

    def __init__(self, shell, process) -> None:
        self.shell = shell
        self.process = process
        self.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/ .*\n", process.stdout.readline())[1])

    def get(self, path, method="GET", host="localhost"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, headers={"Host": host})
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")  # pictures too
        finally:
            connection.close()

    def events(self):
        """What is sent of changes, until the stream ends; first, everything as it is."""
        with ExitStack() as stack:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", self.port), SECONDS))
            connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            for line in stack.enter_context(connection.makefile("r", encoding="utf-8")):
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    def shows(self, path, text):
        """Whether a page has this text once it was published anew, which takes longer than to tell how far it is."""
        return any(self.get(path)[1] == text for event in self.events() if "pages" in event)

    def news(self):
        """How far the tournament is, whenever that changes, until the stream ends; last, nothing."""
        for told in self.events():
            if not told or "tournament" in told:
                yield told.get("tournament", {})
        assert self.process.poll() is None or self.process.returncode == 130, self.process.stderr.read()

    def until(self, state):
        return next(each for each in self.news() if each["state"] == state)

    def folders(self):
        return list(self.shell.temporary.glob("arena-live-*"))

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=SECONDS)
        assert "Traceback" not in out + err
        assert not self.folders()
        return self.process.returncode


@pytest.fixture
def web(shell):
    @contextmanager
    def web(*words):
        with shell.start("show", *words, "--web") as process:
            yield Web(shell, process)

    return web


def test_the_pages_of_a_running_tournament_follow_its_games_to_the_end(shell, cli, web):
    words = [*BOTS, "--start", 60, "--bank", 60, "--jobs", 1, "--out", "t"]
    with ExitStack() as stack:
        run = stack.enter_context(shell.start("tournament", *words, "--games", 100_000))
        for line in run.stderr:
            if line.startswith("playing"):
                break
        live = stack.enter_context(web("t"))
        assert live.get("/")[0] == 200
        news = live.news()
        told = [next(news) for _ in range(3)]
        assert [each["state"] for each in told] == ["playing"] * 3, "it came while the tournament was played"
        assert told[0]["played"] < told[1]["played"] < told[2]["played"] < told[2]["expected"]
        run.terminate()
        run.communicate()
        assert next(each for each in news if each["state"] == "stopped")["played"] >= told[2]["played"]
        assert live.shows("/leaderboard.json", cli("leaderboard", "t", "--json").stdout)
        shell.run("tournament", *words, "--games", 2)  # there are more: nothing is played, and this is the end
        finished = next(each for each in news if each["state"] == "finished")
        assert finished["expected"] is None
        assert live.shows("/leaderboard.json", cli("leaderboard", "t", "--json").stdout)
        status, page = live.get("/index.html")
        assert status == 200
        assert "assets/live.js" in page
        assert "greedy" in page
        for path in re.findall(r'(?:src|href)="([^":#?]+)"', page):
            assert live.get(f"/{path}")[0] in (200, 301), path
        assert live.get("/", host="evil.example")[0] == 421
        assert live.get("/", "POST")[0] == 405
        assert live.get("/%2e%2e/%2e%2e/t/ledger.sqlite")[0] == 404
        assert live.get("/.published.json")[0] == 404
        assert len(live.folders()) == 1
        assert live.end() == 130


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_at_once_and_leaves_nothing(played, web, number):
    with web(played) as live:
        assert live.until("finished")["played"] == 7
        waiting = live.news()
        assert next(waiting)["state"] == "finished"
        assert live.end(number) == 130
        assert list(waiting) == [{}], "whoever waits is told"


LOST = """
import signal, sys, weakref

from arena.cli import main
from arena.web.live import Follower

class Thing:
    pass

def step(_):
    thing = Thing()
    reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGTERM))
    del thing

Follower.step = step
sys.argv = ["arena", "show", sys.argv[1], "--web"]
main()
"""


def test_it_ends_also_if_asked_where_python_swallows_what_is_raised(played, shell):
    command = [sys.executable, "-c", LOST, str(played)]
    done = subprocess.run(command, env=shell.environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 130, done.stderr
    assert done.stderr == interrupts.MESSAGE
    assert not list(shell.temporary.glob("arena-live-*"))


HEARD = """
import signal, sys

from arena.cli import main
import arena.cli.show, arena.web.live

arena.cli.show._publish = lambda _, site: (site / "index.html").touch()
owner = {owner}
original = owner.{name}

def heard(*args, **options):
    owner.{name} = original
    if {after}:
        original(*args, **options)
    signal.raise_signal(signal.SIGTERM)
    return original(*args, **options)

owner.{name} = heard
sys.argv = ["arena", "show", sys.argv[1], "--web"]
main()
"""


@pytest.mark.parametrize(
    ("owner", "name", "after"),
    [
        ("arena.web.live", "create_app", False),
        ("arena.web.live.Server", "__enter__", False),
        ("arena.web.live.Follower", "begin", False),
        ("arena.web.live.Server", "start", False),
        ("arena.web.live.Server", "wait", False),
        ("arena.web.live.Follower", "step", True),
    ],
)
def test_it_ends_wherever_the_signal_finds_it(played, shell, owner, name, after):
    program = HEARD.format(owner=owner, name=name, after=after)
    command = [sys.executable, "-c", program, str(played)]
    done = subprocess.run(command, env=shell.environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stderr) == (130, interrupts.MESSAGE)
    assert not list(shell.temporary.glob("arena-live-*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_clients_that_are_silent_or_do_not_read_do_not_keep_it(played, web, number):
    with web(played) as live, ExitStack() as stack:
        for sent in (b"", b"GET / HT", b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n") * 5:
            client = stack.enter_context(socket.create_connection(("127.0.0.1", live.port), SECONDS))
            client.sendall(sent)
        assert live.get("/")[0] == 200
        live.process.send_signal(number)
        assert live.process.wait(SECONDS) == 130
        assert live.process.stderr.read() == interrupts.MESSAGE
        assert not live.folders()


def test_what_is_missing_is_said_and_how_to_get_it(cli, played, monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "uvicorn" else real(name))
    refused = cli("show", played, "--web", code=2)
    assert "uvicorn" in refused.stderr


def test_only_the_server_loads_its_libraries():
    program = "import arena.cli.app, sys; print({'starlette', 'uvicorn', 'anyio'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(played, shell):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = shell.run("show", played, "--web", "--port", port, code=2)
    assert refused.stdout == ""
    assert str(port) in refused.stderr
    assert not list(shell.temporary.glob("arena-live-*"))


def test_where_there_is_no_tournament_there_is_nothing_to_serve(cli):
    assert cli("show", "nowhere", "--web", code=2).stdout == ""

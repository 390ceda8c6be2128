"""A league with two submitters and an organiser, without anything that runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from arena.serve import LeagueError
from arena.serve.league import read_league
from arena.serve.pages import app as league_app
from arena.serve.pages.actions import StoreActions
from arena.serve.pages.app import LeaguePages, create_league_app
from arena.serve.pages.facts import (
    LeagueBot,
    LeagueFacts,
    LeagueGame,
    LeagueStanding,
    LeagueState,
    MemberFacts,
    OrganiserFacts,
    PublicFacts,
    PublicRound,
    PublicSubmission,
)
from arena.serve.store import Member, Submission, SubmissionStep, secret_hash

HOME = "http://127.0.0.1:8780"
ORIGIN = {"Origin": HOME}
TYPED = {"Sec-Fetch-Site": "none"}
NOW = 1_800_000_000.0
SECRETS = {name: f"secret-of-{name}" for name in ("ada", "grace", "olga")}
TEXT = 'name = "AI course"\n[rounds]\nevery = "1 day"\n[plan]\ngame = "kosmos"\n'


UPLOAD = {**ORIGIN, "Content-Type": "application/octet-stream", "X-File-Name": "bot.py"}


def write_league(folder: Path, web: str = "", more: str = ""):
    (folder / "league.toml").write_text(f"{TEXT}{more}[web]\n{web}\n")
    return read_league(folder / "league.toml")


def make_facts(folder: Path, **state: Any) -> LeagueFacts:
    """Ada's bot plays, Grace's was refused; one game of each, ended an hour ago."""
    (folder / "ada.log").write_text("what ada's bot printed\n")
    (folder / "grace.log").write_text("what grace's bot printed\n")
    (folder / "ada.html").write_text("<p>report on ada</p>")
    refused = SubmissionStep(2, NOW - 50, "refused", "grace's secret traceback")
    received = Submission(2, "grace", "upload", NOW - 60, "d", "refused", "grace's secret traceback", None)
    public = PublicFacts(
        league=LeagueState("AI course", "kosmos", "autumn", **state),
        standings=(LeagueStanding("1", "ada", 27.5, 1.2, 40), LeagueStanding("", "greedy", 25.0, 1.0, 40, True)),
        bots=(LeagueBot("ada", False, 1), LeagueBot("greedy", True)),
        rounds=(PublicRound("autumn", 1, NOW - 7200, ("ada",), "complete", NOW - 3600),),
        games=(
            LeagueGame("game-of-ada", ("ada", "greedy"), NOW - 3600),
            LeagueGame("game-of-grace", ("grace", "greedy"), NOW - 3600),
        ),
        submissions=(
            PublicSubmission(1, "ada", "upload", NOW - 100, "joined"),
            PublicSubmission(2, "grace", "upload", NOW - 60, "refused"),
        ),
        marks={"ada": ["pass"]},
    )
    steps = (SubmissionStep(1, NOW - 100, "received", "3 files"), SubmissionStep(1, NOW - 40, "joined", "as ada"))
    return LeagueFacts(
        public=public,
        members={
            "ada": MemberFacts(
                (Submission(1, "ada", "upload", NOW - 100, "d", "joined", None, "ff" * 16),),
                {1: list(steps)},
                trials_left=4,
                logs={"trial": folder / "ada.log"},
                report=folder / "ada.html",
            ),
            "grace": MemberFacts(
                (received,),
                {2: [refused]},
                logs={"trial": folder / "grace.log"},
            ),
        },
        organiser=OrganiserFacts(
            standings=public.standings,
            members=tuple(
                Member(name, "organiser" if name == "olga" else "submitter", False, False) for name in SECRETS
            ),
            refused=(received,),
            waits=("round 2 waits for grace",),
            faults=("grace: timed out",),
            marks={"ada": ["pass"]},
            disk_bytes=5_000_000,
            quota_bytes=20_000_000_000,
        ),
        secrets={
            secret_hash(secret): (name, "organiser" if name == "olga" else "submitter")
            for name, secret in SECRETS.items()
        },
        site=make_site(folder),
    )


def make_site(folder: Path) -> Path:
    site = folder / "site"
    for path in (
        "index.html",
        "leaderboard.json",
        "games.csv",
        "games/list-0.js",
        "games/replay.html",
        "games/rules.html",
        "games/board.js",
        "games/best.webp",
        "games/game-of-ada/public.js",
        "games/game-of-ada/seat-0.js",
        "games/game-of-grace/public.js",
        "games/game-of-grace/seat-0.js",
    ):
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(f"contents of {path}")
    return site


class Actions(StoreActions):
    """Notes what was asked for."""

    def __init__(self):
        self.asked = []
        self.refuses = False

    def _note(self, *what):
        if self.refuses:
            raise LeagueError("not in this season")
        self.asked.append(what)

    def submit(self, member, file_name, file):
        self._note("submit", member, file_name, file.read_bytes())
        return 7

    def withdraw(self, member, number):
        self._note("withdraw", member, number)

    def organise(self, who, wish):
        self._note("organise", who, *msgspec.structs.astuple(wish))


class Office:
    """The pages of a league, and browsers that were let in or not."""

    def __init__(self, folder: Path, web: str = "", more: str = "", **state: Any):
        self.folder = folder
        league = write_league(folder, web, more)
        facts = make_facts(folder, **state)
        if facts.public.league.is_hidden:  # the league leaves out what is not public
            public = msgspec.structs.replace(facts.public, standings=(), marks={})
            facts = msgspec.structs.replace(facts, public=public)
        self.pages = LeaguePages(league, facts)
        self.actions = Actions()
        self.now = NOW
        self.app = create_league_app(self.pages, self.actions, lambda: self.now)

    def browser(self, name: str | None = None, home: str = HOME, peer: str = "203.0.113.7") -> TestClient:
        browser = TestClient(self.app, home, follow_redirects=False, client=(peer, 4444))
        if name is not None:
            assert browser.get(f"/enter/{SECRETS[name]}", headers=TYPED).status_code == 200
        return browser


@pytest.fixture
def office(tmp_path):
    return Office(tmp_path)


@pytest.fixture
def hidden(tmp_path):
    """A league whose standings are shown to organisers alone."""
    return Office(tmp_path, is_hidden=True)


def events_of(office, browser, query=""):
    """All that whoever browses is sent as events."""
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    request = Request(
        {"type": "http", "headers": [(b"host", b"127.0.0.1:8780"), (b"cookie", cookies.encode())], "method": "GET",
         "path": "/events", "query_string": query.encode(), "server": ("127.0.0.1", 8780), "scheme": "http"}
    )  # fmt: skip
    wants = league_app._LeagueApp(office.pages, office.actions, lambda: NOW).wanted(request)
    return office.pages.feed.newer_than(0, wants).text

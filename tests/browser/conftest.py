"""A browser, sites of real tournaments, and a reader who notices whatever goes wrong on a page."""

from __future__ import annotations

import fcntl
import functools
import http.server
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from arena.common.authors import Author
from arena.ledger import EntrantRecord, FieldEvent, Ledger
from arena.site import publish
from tests.shell import Shell

ROOT = Path(__file__).parents[2]
PLANS = {
    "kosmos": ("greedy", "planner", "pairs", "random_bot", "sprinter", "saboteur"),
    "ravensburger": ("explorer", "navigator", "strider", "random_bot", "strider_too", "random_bot_too"),
}
"""By game: the bots that play it here. One that ends with `_too` is a copy of another."""
SIZES = {
    "wide": {"width": 1280, "height": 800},
    "tablet": {"width": 768, "height": 1024},
    "phone": {"width": 360, "height": 740},
    "low": {"width": 360, "height": 420},
}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
LONG = "endless" * 714 + "ly"
"""5,000 characters without a place to break."""
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-smooth-scrolling",
    "--disable-sync",
]
WORST = ("moderate", "serious", "critical")
PATIENCE = 30_000
"""Milliseconds until what should be on a page is missed: on a busy machine five seconds can pass."""


class Site(NamedTuple):
    """A published tournament."""

    folder: Path
    ledger: Path

    def games(self, players: int | None = None) -> list[Any]:
        with Ledger.open(self.ledger) as ledger:
            return [each for each in ledger.games() if players in (None, each.players)]


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, which is closed in the end."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = next(filter(None, map(shutil.which, names)), None)
    assert program is not None, "these tests need Chromium: .ci/browser installs it"
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A folder that all workers of pytest share."""
    folder = tmp_path_factory.getbasetemp()
    found = (folder if worker_id == "master" else folder.parent) / "sites"
    found.mkdir(exist_ok=True)
    return found


def once(folder: Path, make: Callable[[Path], None]) -> Path:
    """The folder, made by whichever worker comes first."""
    folder.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder.with_suffix(".done")
        if not done.exists():
            make(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def sites(base: Path) -> dict[str, Site]:
    """By game: its site, in a folder of folders. Not to be changed."""
    return {game: _site(once(base / game, functools.partial(_play, game))) for game in PLANS}


@pytest.fixture(scope="session")
def hostile(base: Path, sites: dict[str, Site]) -> Site:
    """The games of kosmos by bots whose names and notes would do harm."""
    return _site(once(base / "hostile", functools.partial(_rename, sites["kosmos"])))


@pytest.fixture(scope="session")
def changed(base: Path, sites: dict[str, Site]) -> Site:
    """The games of kosmos, before the second half of which `greedy` changed."""
    return _site(once(base / "changed", functools.partial(_change, sites["kosmos"])))


def _site(folder: Path) -> Site:
    return Site(folder / "deep" / "down" / "site", folder / "t")


def _publish(site: Site) -> None:
    site.folder.mkdir(parents=True)
    done = publish(site.ledger, site.folder, jobs=1)
    assert done.games
    assert not done.problems


def _play(game: str, folder: Path) -> None:
    shell = Shell(folder)
    bots = [_program(bot, folder) for bot in PLANS[game]]
    limits = ["--start", 60, "--bank", 60]  # on a busy machine they are not what these tests are about
    amount = ["--games", 4, "--players", f"2,{len(bots)}", "--seed", 5, "--jobs", 2]
    shell.run("tournament", *bots, "--game", game, *limits, *amount, "--out", "t")
    shell.close()
    _publish(_site(folder))


def _program(bot: str, folder: Path) -> Path:
    own = ROOT / "bots" / f"{bot.removesuffix('_too')}.py"
    if bot == "explorer":
        return _without_clock(own, folder)
    return own if own.stem == bot else Path(shutil.copy(own, folder / f"{bot}.py"))


def _without_clock(explorer: Path, folder: Path) -> Path:
    """Return a copy that makes a few walks for each decision, so that the games are the same on every machine."""
    text = explorer.read_text("utf-8")
    for before, after in {"walks = 200": "walks = 4", "clock is None": "clock is None or self.walks"}.items():
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    copy = folder / explorer.name
    copy.write_text(text, "utf-8")
    return copy


def _rename(site: Site, folder: Path) -> None:
    names = {"greedy": HOSTILE, "planner": LONG}
    (folder / "t").mkdir()
    with Ledger.open(site.ledger) as before, Ledger.create(folder / "t", before.meta) as ledger:
        entrants = before.entrants()
        ledger.set_entrants([_renamed(each, names) for each in entrants])
        for game in before.games():
            notes = [msgspec.structs.replace(step, note=f"{HOSTILE} {LONG[:900]}") for step in game.steps]
            bots = [names.get(bot, bot) for bot in game.bots]
            ledger.record(msgspec.structs.replace(game, bots=bots, steps=notes))
    _publish(_site(folder))


def _change(site: Site, folder: Path) -> None:
    (folder / "t").mkdir()
    with Ledger.open(site.ledger) as before, Ledger.create(folder / "t", before.meta) as ledger:
        ledger.set_entrants(before.entrants())
        games = list(before.games())
        place = games[len(games) // 2].index
        for game in games[: len(games) // 2]:
            ledger.record(game)
        [old] = [each for each in before.entrants() if each.name == "greedy"]
        events = [FieldEvent("leave", "greedy", 1, place), FieldEvent("join", "greedy@2", 1, place)]
        new = msgspec.structs.replace(old, name="greedy@2", fingerprint="ff")
        ledger.change_field([new], events, place, f"goes east {HOSTILE} {LONG[:280]}")
        for game in games[len(games) // 2 :]:
            bots = ["greedy@2" if bot == "greedy" else bot for bot in game.bots]
            ledger.record(msgspec.structs.replace(game, bots=bots))
    _publish(_site(folder))


def _renamed(entrant: EntrantRecord, names: dict[str, str]) -> EntrantRecord:
    name = names.get(entrant.name, entrant.name)
    author = Author(HOSTILE, LONG, "javascript:alert(3)", HOSTILE, "../../../alert.png")
    return msgspec.structs.replace(entrant, name=name, language=HOSTILE, declared_version=name, author=author)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture(scope="session")
def server(base: Path) -> Iterator[str]:
    """The address of a server of the folder that has all sites."""
    handler = functools.partial(_Quiet, directory=str(base))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


BOTH_WAYS = pytest.mark.parametrize("way", ["file", "http"], indirect=True)
"""For tests of pages that fetch or name others, which may go wrong in one way alone."""


@pytest.fixture
def way(request: pytest.FixtureRequest) -> str:
    """How a site is read: from the disk, or from a folder of a server. From the disk, unless a test says otherwise."""
    return str(getattr(request, "param", "file"))


@pytest.fixture
def address(way: str, base: Path, request: pytest.FixtureRequest) -> Callable[[Site], str]:
    """Where a site is, with a slash at the end."""

    def of(site: Site) -> str:
        if way == "file":
            return f"{site.folder.as_uri()}/"
        return f"{request.getfixturevalue('server')}{site.folder.relative_to(base).as_posix()}/"

    return of


class Reader:
    """A page in a browser, and what went wrong on it."""

    def __init__(self, page: Any, home: str) -> None:
        """`home`: the address of the site, which nothing may leave."""
        self.page = page
        self.home = home
        self.errors: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(f"error: {error}"))
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def open(self, path: str) -> None:
        self.page.goto(self.home + path)

    def replay(self, game: str, *rest: object) -> None:
        """The page of a game, once it shows that game."""
        self.open(f"games/replay.html#{'/'.join(map(str, (game, *rest)))}")
        self.page.wait_for_function("id => document.getElementById('viewer').dataset.game === id", arg=game)
        self.page.locator("#viewer").wait_for()

    def count(self) -> tuple[int, int]:
        """The step of a replay, and the number of its steps."""
        found = re.fullmatch(r"step (\d+) of (\d+)", self.page.inner_text("#position"))
        assert found
        return int(found[1]), int(found[2])

    def standings(self) -> list[list[str]]:
        """The final standings as they are read: a list of cells a row."""
        rows = self.page.locator("#standings-table tr[data-seat]").all()
        return [[cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows]

    def assert_accessible(self) -> None:
        from axe_playwright_python.sync_playwright import Axe

        # Without `preload`: it fetches stylesheets, which a page from the disk may not.
        found = Axe().run(self.page, options={"preload": False}).response["violations"]
        bad = [(each["id"], [node["html"] for node in each["nodes"]]) for each in found if each["impact"] in WORST]
        assert not bad

    def boxes(self, selector: str) -> list[dict[str, float]]:
        """Where each of these that are displayed is in the window: left, right, top, bottom in CSS pixels."""
        script = """found => found.filter(each => each.getClientRects().length).map(each => {
            const { left, right, top, bottom } = each.getBoundingClientRect();
            return { left, right, top, bottom };
        })"""
        found: list[dict[str, float]] = self.page.locator(selector).evaluate_all(script)
        return found

    def assert_fits(self) -> None:
        """The page does not scroll sideways, and its title fits in a tab or a chat."""
        width, room = self.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert width <= room
        assert 0 < len(self.page.title()) <= 80

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(f"{message.type}: {message.text}")

    def _dialog(self, dialog: Any) -> None:
        self.errors.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.home, "data:")):
            self.errors.append(f"left the site: {request.url}")


Open = Callable[..., Reader]


@pytest.fixture
def reader(browser: Any, address: Callable[[Site], str]) -> Iterator[Open]:
    """Opens a reader of a site; at the end nothing may have gone wrong."""
    readers: list[Reader] = []

    def make(site: Site, theme: str = "light", size: str = "wide", **options: Any) -> Reader:
        context = browser.new_context(color_scheme=theme, viewport=SIZES[size], **options)
        readers.append(Reader(context.new_page(), address(site)))
        return readers[-1]

    yield make
    for each in readers:
        each.page.context.close()
    assert [each.errors for each in readers if each.errors] == []


@pytest.fixture
def shoot(tmp_path: Path) -> Callable[[Reader, str], None]:
    """Keeps a picture of a page in the folder that ARENA_SCREENSHOTS names."""
    folder = Path(os.environ.get("ARENA_SCREENSHOTS") or tmp_path)

    def keep(reader: Reader, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        reader.page.screenshot(path=folder / f"{name}.png", full_page=True)
        assert (folder / f"{name}.png").stat().st_size > 5_000

    return keep

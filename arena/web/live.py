"""Publish a tournament again and again while it is played.

The ledger is read from outside, as any reader does, so the tournament neither notices nor waits. What goes on between
two publishings is told by `arena.web.news`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.common.errors import ArenaError
from arena.ledger.ledger import Standing, standing
from arena.web import PORT, WebError
from arena.web.analyses import Analyses
from arena.web.events import Events
from arena.web.feed import Feed
from arena.web.files import Files
from arena.web.guard import Guard
from arena.web.news import TournamentNews, stepping
from arena.web.server import Server
from engine.catalog import UnknownRules
from engine.rules import EditionError

Publish = Callable[[Path, Path], object]
"""Writes the pages of the ledger in the first folder into the second, and only those that changed."""

PACE: Final = 1.0
"""Seconds between two checks of the ledger."""
_SHARE: Final = 4
"""Publishing pauses this many times as long as it took, because the bots need the cores more."""


class Follower:
    """Keeps a site up to date with the ledger, and says so: `pages` is how often it was published."""

    def __init__(
        self,
        folder: Path,
        site: Path,
        publish: Publish,
        feed: Feed,
        warn: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the folder of the ledger, and that of the site. `warn` is called with each problem."""
        self._folder = folder
        self._site = site
        self._publish = publish
        self._feed = feed
        self._warn = warn
        self._clock = clock
        self._published: Standing | None = None
        self._pages = 0
        self._not_before = float("-inf")
        self._warned = ""

    def begin(self) -> None:
        """Publish for the first time, and say how far the tournament is. Raises what publishing raises."""
        now = standing(self._folder)
        self._feed.update({"tournament": now.data()})
        self._renew(now)

    def step(self) -> None:
        """Check the ledger, and publish if it changed and enough time has passed since the last publishing."""
        if self._clock() < self._not_before:
            return
        try:
            now = standing(self._folder)
            if now != self._published:
                self._renew(now)
            self._warned = ""
        except Exception as error:
            # The folder may have been moved aside, to be replaced soon; or a plug-in's game raises an error. Warn once.
            is_for_users = isinstance(error, (ArenaError, EditionError, OSError, UnknownRules))
            why = str(error) if is_for_users else repr(error)
            if why != self._warned:
                self._warned = why
                self._warn(f"the pages stay as they are: {why}")

    def changed(self) -> None:
        """Note from another thread that pages changed without the ledger: they are published again."""
        self._published = None

    def _renew(self, now: Standing) -> None:
        began = self._clock()
        try:
            self._publish(self._folder, self._site)
        finally:
            ended = self._clock()
            self._not_before = ended + _SHARE * (ended - began)
        self._published = now
        self._pages += 1
        # How far the tournament is, `arena.web.news` may have told more lately than this publishing began.
        self._feed.update({"pages": self._pages})


def show_live(
    folder: Path,
    publish: Publish,
    say: Callable[[str], None],
    warn: Callable[[str], None],
    port: int | None = None,
    on_open: Callable[[str], object] | None = None,
) -> None:
    """Serve the pages of the tournament in `folder` until `KeyboardInterrupt`, then remove them.

    Args:
        folder: Holds the ledger.
        publish: Writes the pages.
        say: Called with the address once the first page is there.
        warn: Called with each problem while serving.
        port: The port to listen on. None takes `PORT`, or any other if that is taken.
        on_open: Also called with the address, to open a browser.

    Raises:
        WebError: The port cannot be used.
        LedgerError: There is no tournament in `folder`, or none that can be read.
    """
    standing(folder)  # says what is wrong before anything is made
    feed = Feed()
    with tempfile.TemporaryDirectory(prefix="arena-live-", ignore_cleanup_errors=True) as temporary:
        site = Path(temporary) / "site"
        site.mkdir()
        follower = Follower(folder, site, publish, feed, warn)
        analyses = Analyses(folder, follower.changed)
        with closing(analyses), _bound(create_app(site, feed, analyses.routes), feed, port) as server:
            follower.begin()
            server.start()
            say(server.address)
            if on_open is not None:
                on_open(server.address)
            with stepping(TournamentNews(folder, feed)):
                while True:
                    server.wait(PACE)
                    follower.step()


def create_app(folder: Path, feed: Feed, more: Sequence[Route] = ()) -> ASGIApp:
    """Make the application that serves the pages in `folder`, the news of `feed`, and what `more` answers."""
    app = Starlette(
        routes=[
            Route("/events", Events(feed).answer, methods=["GET"]),
            *more,
            Route("/{path:path}", Files(folder).answer, methods=["GET"]),
        ]
    )
    app.router.redirect_slashes = False  # it would build an address from what the request says
    return Guard(app)  # not as a middleware, so that it also guards the answers to errors


def _bound(app: ASGIApp, feed: Feed, port: int | None) -> Server:
    if port is None:
        try:
            return Server(app, feed, PORT)
        except OSError:
            return Server(app, feed)
    try:
        return Server(app, feed, port)
    except OSError as error:
        why = f"port {port} of this machine cannot be used: {error.strerror}"
        raise WebError(f"{why}. Choose another --port, or none") from None

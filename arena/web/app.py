"""The routes of the local server."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.web.events import Events
from arena.web.feed import Feed
from arena.web.files import Files
from arena.web.guard import Guard


def create_app(folder: Path, feed: Feed) -> ASGIApp:
    """Make the application that serves the pages in `folder` and the news of `feed`."""
    app = Starlette(
        routes=[
            Route("/events", Events(feed).answer, methods=["GET"]),
            Route("/{path:path}", Files(folder).answer, methods=["GET"]),
        ]
    )
    app.router.redirect_slashes = False  # it would build an address from what the request says
    return Guard(app)  # not as a middleware, so that it also guards the answers to errors

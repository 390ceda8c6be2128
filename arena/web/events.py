"""Send news as server-sent events.

`all` has everything that there is to know, as a JSON object by key, and `delta` what has changed since then; null is
for what is gone. Any page is told how far the tournament is. With `?live` come tables, faults and the list of running
games, with `&game=ID` also the board of one of them. `gone` is the last event of a server that ends.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.web.feed import Feed, Wants

STREAMS: Final = 32
"""The most connections that may wait for news, so that room for fetching pages remains."""
SECONDS: Final = 600.0
"""Seconds until a stream ends. Its page then connects again."""
EXTENSION: Final = "arena.stream"
"""The key in a request's scope of the function that extends the connection's time to that of a stream."""
HEARTBEAT: Final = 15.0
"""Seconds of silence until a comment is sent, by which either side notices that the other is gone."""
MEDIA_TYPE: Final = "text/event-stream"
_GAME: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
_FOR_ALL: Final = frozenset({"tournament", "pace", "pages"})
"""The keys that every page is sent."""


class Events:
    """Answers requests for news."""

    def __init__(
        self,
        feed: Feed,
        wanted: Callable[[Request], Wants] | None = None,
        most: int = STREAMS,
        each: int = STREAMS,
        asker: Callable[[Request], str] = lambda _: "",
    ) -> None:
        """Take the feed whose news are sent.

        Args:
            feed: The feed.
            wanted: Returns which keys a request is answered with, and may raise `HTTPException`; None: as above.
            most: How many connections may wait for news.
            each: How many of them may be one asker's.
            asker: Returns whose a request is.
        """
        self._feed = feed
        self._wanted = wanted or asked_for
        self._most, self._each, self._asker = most, each, asker
        self._open = Counter[str]()

    async def answer(self, request: Request) -> Response:
        """Send what there is to know, and then what changes. Raises `HTTPException`."""
        wants, asker = self._wanted(request), self._asker(request)
        if self._open.total() >= self._most or self._open[asker] >= self._each:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are open")
        if request.method == "HEAD":
            return Response(media_type=MEDIA_TYPE)
        if (last_long := request.scope.get("extensions", {}).get(EXTENSION)) is not None:
            last_long()
        return _Counted(self._open, asker, self._feed, self._news(wants), "live" in request.query_params)

    async def _news(self, wants: Wants) -> AsyncIterator[str]:
        clock = asyncio.get_running_loop().time
        number, ends, silent = 0, clock() + SECONDS, clock()
        while (left := ends - clock()) > 0:
            news = await self._feed.after(number, min(left, max(0.0, silent + HEARTBEAT - clock())), wants)
            if news is not None:
                number = news.number
                if news.text:
                    silent = clock()
                    yield f"event: {'all' if news.whole else 'delta'}\ndata: {news.text}\n\n"
            elif self._feed.is_closed:
                yield "event: gone\ndata: {}\n\n"
                return
            elif clock() >= silent + HEARTBEAT:
                silent = clock()
                yield ": still here\n\n"


def asked_for(request: Request) -> Wants:
    """Return which keys a page is sent. Raises `HTTPException`."""
    live, game = "live" in request.query_params, request.query_params.get("game", "")
    if game and not _GAME.fullmatch(game):
        raise HTTPException(HTTPStatus.BAD_REQUEST, "this is not the id of a game")

    def wants(key: str) -> bool:
        topic, _, rest = key.partition("/")
        if topic == "board":
            return live and rest.partition("/")[0] == game
        return live or topic in _FOR_ALL

    return wants


class _Counted(StreamingResponse):
    """A stream that is counted while it is sent."""

    def __init__(self, open_: Counter[str], asker: str, feed: Feed, news: AsyncIterator[str], live: bool) -> None:
        super().__init__(news, media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"})
        self._open, self._asker, self._feed, self._live = open_, asker, feed, live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._open[self._asker] += 1
        try:
            with self._feed.watched() if self._live else nullcontext():
                await super().__call__(scope, receive, send)
        finally:
            self._open -= Counter([self._asker])  # in place, and nobody stays with 0

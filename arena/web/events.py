"""Send news as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.web.feed import Feed

STREAMS: Final = 32
"""The most connections that may wait for news, so that room for fetching pages remains."""
SECONDS: Final = 600.0
"""Seconds until a stream ends. Its page then connects again."""
EXTENSION: Final = "arena.stream"
"""The key in a request's scope of the function that extends the connection's time to that of a stream."""
_HEARTBEAT: Final = 15.0
"""Seconds of silence until a comment is sent, by which either side notices that the other is gone."""
_TYPE: Final = "text/event-stream"


class Events:
    """Answers requests for news."""

    def __init__(self, feed: Feed) -> None:
        """Take the feed whose news are sent."""
        self._feed = feed
        self._open = 0

    async def answer(self, request: Request) -> Response:
        """Send the latest news and those that follow. Raises `HTTPException`."""
        if self._open >= STREAMS:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are open")
        if request.method == "HEAD":
            return Response(media_type=_TYPE)
        if (last_long := request.scope.get("extensions", {}).get(EXTENSION)) is not None:
            last_long()
        return _Counted(self, self._news())

    async def _news(self) -> AsyncIterator[str]:
        clock = asyncio.get_running_loop().time
        number, ends = 0, clock() + SECONDS
        while (left := ends - clock()) > 0:
            news = await self._feed.after(number, min(left, _HEARTBEAT))
            if news is not None:
                number, text = news
                yield f"event: news\ndata: {text}\n\n"
            elif self._feed.is_closed:
                yield "event: gone\ndata: {}\n\n"
                return
            else:
                yield ": still here\n\n"


class _Counted(StreamingResponse):
    """A stream that is counted while it is sent."""

    def __init__(self, events: Events, news: AsyncIterator[str]) -> None:
        super().__init__(news, media_type=_TYPE)
        self._events = events

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._events._open += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._events._open -= 1

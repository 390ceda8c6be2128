"""Send a visitor's bulletin as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from arena.web.events import EXTENSION, HEARTBEAT, MEDIA_TYPE, SECONDS
from arena.web.visitors import Visitor

_STREAMS: Final = 8
"""The most pages of one visitor that may be connected."""
_CLOSED_SECONDS: Final = 3.0
"""After so long without a page, its visitor has closed it. A page that is loaded again is back sooner."""
_RETRY_MILLISECONDS: Final = 500
"""After so long a page connects again when its stream has ended; by themselves, browsers wait for some seconds."""


class PersonEvents:
    """Answers requests for messages."""

    def __init__(self, visitor: Callable[[Request], Visitor], on_closed: Callable[[Visitor], object]) -> None:
        """Take what finds the visitor of a request, and what to call when a visitor has closed its last page."""
        self._visitor = visitor
        self._on_closed = on_closed
        self._looks: dict[Visitor, asyncio.TimerHandle] = {}

    async def answer(self, request: Request) -> Response:
        """Send what holds, and what follows. Raises `HTTPException`."""
        visitor = self._visitor(request)
        if visitor.streams >= _STREAMS:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are open")
        if request.method == "HEAD":
            return Response(media_type=MEDIA_TYPE)
        if (last_long := request.scope.get("extensions", {}).get(EXTENSION)) is not None:
            last_long()
        return _PersonStream(self, visitor)

    def begin(self, visitor: Visitor) -> None:
        """Count a stream that begins."""
        visitor.streams += 1
        self._forget(visitor)

    def end(self, visitor: Visitor, is_by_server: bool) -> None:
        """Count a stream that has ended. If it was the visitor's last, and its page ended it, see whether one comes."""
        visitor.streams -= 1
        self._forget(visitor)
        if not visitor.streams and not is_by_server:
            loop = asyncio.get_running_loop()
            self._looks[visitor] = loop.call_later(_CLOSED_SECONDS, self._note_closed, visitor)

    def _forget(self, visitor: Visitor) -> None:
        if (look := self._looks.pop(visitor, None)) is not None:
            look.cancel()

    def _note_closed(self, visitor: Visitor) -> None:
        del self._looks[visitor]
        if not visitor.bulletin.is_closed:
            self._on_closed(visitor)


class _PersonStream(StreamingResponse):
    """A stream that is counted while it is sent."""

    def __init__(self, events: PersonEvents, visitor: Visitor) -> None:
        super().__init__(self._messages(visitor), media_type=MEDIA_TYPE)
        self._events = events
        self._visitor = visitor
        self._is_over = False
        """Whether all was sent: not the page ended the stream."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._events.begin(self._visitor)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._events.end(self._visitor, self._is_over)

    async def _messages(self, visitor: Visitor) -> AsyncIterator[str]:
        yield f"retry: {_RETRY_MILLISECONDS}\n\n"
        async for text in _messages(visitor):
            yield text
        self._is_over = True


async def _messages(visitor: Visitor) -> AsyncIterator[str]:
    clock = asyncio.get_running_loop().time
    number, ends = 0, clock() + SECONDS
    while (left := ends - clock()) > 0:
        closed = visitor.bulletin.is_closed
        messages = await visitor.bulletin.after(number, min(left, HEARTBEAT))
        for each in messages:
            number = max(number, each.number)
            yield f"event: {each.event}\ndata: {each.text()}\n\n"
        if closed:
            return
        if not messages:
            yield ": still here\n\n"

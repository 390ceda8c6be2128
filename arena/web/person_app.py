"""The routes of the local server for persons who play: see `docs/play.md`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.web.events import EXTENSION, HEARTBEAT, MEDIA_TYPE, SECONDS
from arena.web.files import Files
from arena.web.guard import Guard
from arena.web.posts import JSON_TYPE, ServedAt, check_post, decoded, onward, set_cookie
from arena.web.visitors import NotNowError, PersonRequests, Visitor, Visitors

_MOST: Final = 4096
"""Bytes of a request's body."""
_STREAMS: Final = 8
"""The most pages of one visitor that may be connected."""
_CLOSED_SECONDS: Final = 3.0
"""After so long without a page, its visitor has closed it. A page that is loaded again is back sooner."""
_RETRY_MILLISECONDS: Final = 500
"""After so long a page connects again when its stream has ended; by themselves, browsers wait for some seconds."""


class _Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing."""


class _Decision(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decision: int


class _Invite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    decision: int
    index: int


@dataclass(frozen=True)
class PersonPages:
    """What the server sends besides the messages of a game."""

    page: str
    rules: str
    tutorial: bytes | None
    """JSON; None: the game has none."""
    replays: Path
    """The folder into which the ledger is published after a game."""


def create_person_app(
    visitors: Visitors,
    requests: PersonRequests,
    pages: PersonPages,
    serving: ServedAt,
    on_closed: Callable[[Visitor], object],
) -> ASGIApp:
    """Make the application.

    Args:
        visitors: Who may come.
        requests: Takes what they ask for.
        pages: What they are sent.
        serving: How the server is reached.
        on_closed: Called when the last page of a visitor has been closed for a while.
    """
    made = _PersonApp(visitors, serving)
    events = PersonEvents(made.visitor, on_closed)
    assets = Files(Path(str(files("arena.site"))) / "assets", "/assets")
    replays = Files(pages.replays, "/replay")
    post: dict[str, tuple[type[Any], Callable[[Visitor, Any], Any]]] = {
        "begin": (_Begin, lambda visitor, _: requests.begin(visitor)),
        "choose": (_Choice, lambda visitor, asked: requests.choose(visitor, asked.decision, asked.index)),
        "hint": (_Decision, lambda visitor, asked: requests.hint(visitor, asked.decision)),
        "show": (_Decision, lambda visitor, asked: requests.show(visitor, asked.decision)),
        "again": (_Begin, lambda visitor, _: requests.want_rematch(visitor)),
        "invite": (_Invite, made.invite),
    }
    app = Starlette(
        routes=[
            Route("/", made.sender(pages.page, "text/html"), methods=["GET"]),
            Route("/enter/{token}", made.enter, methods=["GET"]),
            Route("/rules.html", made.sender(pages.rules, "text/html"), methods=["GET"]),
            Route("/tutorial", made.sender(pages.tutorial, JSON_TYPE), methods=["GET"]),
            Route("/events", events.answer, methods=["GET"]),
            Route("/assets/{path:path}", assets.answer, methods=["GET"]),
            Route("/replay/{path:path}", made.for_visitors(replays.answer), methods=["GET"]),
            *(Route(f"/{name}", made.taker(*each), methods=["POST"]) for name, each in post.items()),
        ]
    )
    app.router.redirect_slashes = False
    return Guard(app, serving.is_host)


@dataclass(frozen=True)
class _PersonApp:
    """The answers but for files and events."""

    visitors: Visitors
    serving: ServedAt

    def visitor(self, request: Request) -> Visitor:
        """Return whose request this is. Raises `HTTPException` if it is nobody's."""
        visitor = self.visitors.of(request.cookies.get(_cookie(request)))
        if visitor is None:
            why = "this page is for the person who opened the address that the arena printed: open that one"
            raise HTTPException(HTTPStatus.FORBIDDEN, why)
        return visitor

    def for_visitors(self, answer: Callable[[Request], Any]) -> Callable[[Request], Any]:
        """Return the same answers, for visitors only."""

        async def answer_visitors(request: Request) -> Response:
            self.visitor(request)
            found: Response = await answer(request)
            return found

        return answer_visitors

    async def enter(self, request: Request) -> Response:
        """Exchange a token for a cookie. Raises `HTTPException`."""
        if request.method != "GET":  # a look ahead must not use it up
            return Response()
        answer = onward(f"/{_TARGETS.get(request.query_params.get('to', ''), '')}", "To the table")
        entered = self.visitors.enter(request.path_params["token"])
        if entered is None:
            if self.visitors.of(request.cookies.get(_cookie(request))) is not None:
                return answer  # opened again where it was opened before
            why = "this address has been used: it works once. Open the latest one that the arena printed"
            raise HTTPException(HTTPStatus.FORBIDDEN, why)
        set_cookie(answer, _cookie(request), entered[1], self.serving)
        return answer

    def sender(self, body: str | bytes | None, media_type: str) -> Callable[[Request], Any]:
        """Return what sends the same to every visitor; None: the game has no such thing."""

        async def answer(request: Request) -> Response:
            self.visitor(request)
            if body is None:
                raise HTTPException(HTTPStatus.NOT_FOUND, "this game has none")
            return Response(body, media_type=media_type)

        return answer

    def invite(self, visitor: Visitor, asked: _Invite) -> dict[str, str]:
        """Return where a person comes in, once. Only who sits at the arena may ask. Raises `NotNowError`."""
        found = [each for each in self.visitors.all[1:] if each.name == asked.name]
        if visitor is not self.visitors.all[0] or not found:
            raise NotNowError("only the first person invites the others")
        return {"path": f"/enter/{self.visitors.invite(found[0])}"}

    def taker(self, kind: type[Any], take: Callable[[Visitor, Any], Any]) -> Callable[[Request], Any]:
        """Return what answers one kind of requests."""

        async def answer(request: Request) -> Response:
            visitor = self.visitor(request)
            check_post(request, self.serving)
            asked = await decoded(request, kind, _MOST)
            try:
                found = take(visitor, asked)
            except NotNowError as error:
                return JSONResponse({"error": str(error)}, HTTPStatus.CONFLICT)
            return Response(status_code=HTTPStatus.NO_CONTENT) if found is None else JSONResponse(found)

        return answer


_TARGETS: Final = {"tutorial": "#tutorial"}


def _cookie(request: Request) -> str:
    """Return the name of the cookie, with the port's number: browsers send a machine's cookies to all its ports."""
    return f"arena-seat-{request.url.port or 0}"


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

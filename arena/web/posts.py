"""What the server's own pages may send, and no others: how they are let in, and what their requests must be like."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from arena.common.decoding_words import in_words

JSON_TYPE: Final = "application/json"
COOKIE_SECONDS: Final = 30 * 86_400
"""How long a browser keeps a cookie."""
_ONWARD: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8">{2}<title>{1}</title>'
    '<link rel="icon" href="data:,"><p><a href="{0}">{1}</a>'
)


@dataclass(frozen=True)
class ServedAt:
    """How the server is reached."""

    is_host: Callable[[list[str]], bool]
    """Whether a request's `Host` names it."""
    is_secure: bool = False
    """Whether browsers speak TLS with it, or with what stands before it."""


def onward(path: str, title: str, is_asked: bool = False) -> HTMLResponse:
    """Return a page that leads on: by itself, or asking first.

    It is no redirect: after one, a cookie is not sent if another site's page led here.
    """
    refresh = "" if is_asked else f'<meta http-equiv="refresh" content="0;url={escape(path)}">'
    return HTMLResponse(_ONWARD.format(escape(path), escape(title), refresh))


def set_cookie(answer: HTMLResponse, name: str, value: str, served: ServedAt) -> None:
    """Add a cookie that no script can read, and that no other site's request carries."""
    answer.set_cookie(name, value, COOKIE_SECONDS, path="/", secure=served.is_secure, httponly=True, samesite="strict")


def check_post(request: Request, served: ServedAt, media_type: str = JSON_TYPE) -> None:
    """Raise `HTTPException` for what a page of another site could have sent."""
    scheme = "https" if served.is_secure else "http"
    if request.headers.get("Origin", "").lower() != f"{scheme}://{request.headers.get('Host', '')}".lower():
        raise HTTPException(HTTPStatus.FORBIDDEN, "another site must not use this one")
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != media_type:
        raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"send {media_type}")


async def pieces(request: Request, most: int) -> AsyncIterator[bytes]:
    """Read a request's body. Raises `HTTPException` if it is too long: before it is read, where that is said."""
    said, read = request.headers.get("Content-Length", ""), 0
    too_large = HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {most:,} bytes")
    if said.isdecimal() and int(said[:20]) > most:
        raise too_large
    async for piece in request.stream():
        read += len(piece)
        if read > most:
            raise too_large
        yield piece


async def decoded(request: Request, kind: type[Any], most: int) -> Any:
    """Read a request's body, which is JSON. Raises `HTTPException`."""
    try:
        return msgspec.json.decode(b"".join([each async for each in pieces(request, most)]), type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"not understood: {in_words(error)}") from None

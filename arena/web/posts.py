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
FORM_TYPE: Final = "application/x-www-form-urlencoded"
COOKIE_SECONDS: Final = 30 * 86_400
"""How long a browser keeps a cookie."""
_PAGE: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8">{0}<title>{1}</title><link rel="icon" href="data:,">'
)
_ASKING: Final = "default-src 'none'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"


@dataclass(frozen=True)
class ServedAt:
    """How the server is reached."""

    is_host: Callable[[list[str]], bool]
    """Whether a request's `Host` names it."""
    is_secure: bool = False
    """Whether browsers speak TLS with it, or with what stands before it."""


def onward(path: str, title: str) -> HTMLResponse:
    """Return a page that leads on by itself.

    It is no redirect: after one, a cookie is not sent if another site's page led here.
    """
    path, title = escape(path), escape(title)
    refresh = f'<meta http-equiv="refresh" content="0;url={path}">'
    return HTMLResponse(f'{_PAGE.format(refresh, title)}<p><a href="{path}">{title}</a>')


def question(title: str) -> HTMLResponse:
    """Return a page with a button that sends a form of `FORM_TYPE`, which `check_post` takes, to its own address."""
    title = escape(title)
    page = f'{_PAGE.format("", title)}<form method="post"><button>{title}</button></form>'
    # Without a referrer, browsers do not say from where a form comes.
    return HTMLResponse(page, headers={"Content-Security-Policy": _ASKING, "Referrer-Policy": "strict-origin"})


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

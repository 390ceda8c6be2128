"""Decide who may use the local server, and add security headers to every answer.

Every program on this machine can connect, and so can every page in a browser on it. So a request must name a loopback
host (a foreign name that resolves to this machine is another site's trick, DNS rebinding), and pages of other sites get
nothing to embed.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every answer."""
_NAMES: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})


class Guard:
    """Refuses requests for other host names or by other sites' pages, and adds the `HEADERS` that answers lack."""

    def __init__(self, app: ASGIApp, is_host: Callable[[list[str]], bool] | None = None) -> None:
        """Take the application to guard. `is_host`: which `Host` is answered; None: those of loopback."""
        self._app = app
        self._is_host = is_host or is_loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        app = _refusal(Headers(scope=scope), self._is_host) or self._app
        await app(scope, receive, send_with_headers)


def _refusal(headers: Headers, is_host: Callable[[list[str]], bool]) -> ASGIApp | None:
    if not is_host(headers.getlist("host")):
        why = "this site is not served under that name: open the address that the arena printed"
        return PlainTextResponse(why, HTTPStatus.MISDIRECTED_REQUEST)
    if _is_embedded(headers):
        return PlainTextResponse("another site must not use these pages", HTTPStatus.FORBIDDEN)
    return None


def is_loopback(hosts: list[str]) -> bool:
    """Return whether a request's `Host` names this machine. Any port will do, because it may be forwarded."""
    if len(hosts) != 1:
        return False
    host = hosts[0].strip().lower()
    name, colon, port = host.rpartition(":")
    if not colon or name.startswith("[") != name.endswith("]"):
        return host in _NAMES
    return name in _NAMES and port.isascii() and port.isdecimal()


def names_of(host: str | None) -> Callable[[list[str]], bool]:
    """Return what tells whether a request's `Host` names this server.

    In a network that is an address, which no other site can make its own name stand for, or the machine's own name.
    """
    if host is None:
        return is_loopback
    names = {socket.gethostname().lower(), host.lower()}
    names |= {f"{name.partition('.')[0]}.local" for name in names if not _is_address(name)}

    def is_ours(hosts: list[str]) -> bool:
        if is_loopback(hosts):
            return True
        if len(hosts) != 1:
            return False
        name = hosts[0].strip().lower()
        head, colon, port = name.rpartition(":")
        if colon and port.isdecimal() and not name.endswith("]"):
            name = head
        name = name.removeprefix("[").removesuffix("]")
        return name in names or _is_address(name)

    return is_ours


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_embedded(headers: Headers) -> bool:
    """Return whether a page of another site asks for more than to link here."""
    mode = headers.get("Sec-Fetch-Mode", "navigate")
    return headers.get("Sec-Fetch-Site") in ("cross-site", "same-site") and mode != "navigate"

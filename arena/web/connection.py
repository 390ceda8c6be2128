"""Bound the number of connections to the local server, and the time each may take.

uvicorn waits without limit for a request, and for a client that does not read its answer. Here a connection is closed
whatever its client does: after `HEAD` seconds without a whole request, `ANSWER` seconds after that, or when its stream
has had its time. A connection carries one request.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.web import events
from arena.web.guard import HEADERS

CONNECTIONS: Final = 64
HEAD: Final = 10.0
"""Seconds from the start of a connection until its whole request must have arrived."""
ANSWER: Final = 30.0
"""Seconds from then until the last byte of the answer must have been sent."""


class Connection(H11Protocol):
    """A connection that carries one request."""

    _deadline: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept the connection if there is room."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._since = self.loop.time()
        self._end_within(HEAD)
        if len(self.connections) > CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """Read a part of the request."""
        waited = self._is_waiting
        super().data_received(data)
        if waited and not self._is_waiting:  # its task runs after this
            self._end_within(ANSWER)
            cast("dict[str, Any]", self.scope)["extensions"] = {events.EXTENSION: self._last_long}

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection's place."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no valid request."""
        if self._is_waiting:
            self._refuse(HTTPStatus.BAD_REQUEST, msg)
        else:
            self.transport.abort()  # in the middle of an answer

    @property
    def _is_waiting(self) -> bool:
        """Return whether the whole request has not arrived yet."""
        return cast("object", self.cycle) is None

    def _end_within(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _last_long(self) -> None:
        self._end_within(events.SECONDS + ANSWER)

    def _make_room(self) -> None:
        """Close the connection that has been waited for longest. Close this one if no other is."""
        # A browser asks as soon as it is connected: a silent one has least to lose.
        waiting = [each for each in self.connections if isinstance(each, Connection) and each._is_waiting]
        oldest = min(waiting, key=lambda each: each._since)
        self.connections.discard(oldest)
        if oldest is self:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are asked for at once", {"Retry-After": "1"})
        else:
            oldest.transport.abort()

    def _refuse(self, status: HTTPStatus, why: str, more: dict[str, str] | None = None) -> None:
        head = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": len(why), "Connection": "close"}
        lines = [f"HTTP/1.1 {status.value} {status.phrase}"]
        lines += [f"{name}: {value}" for name, value in {**head, **HEADERS, **(more or {})}.items()]
        self.transport.write("\r\n".join([*lines, "", why]).encode("ascii"))
        self.transport.close()

"""A page without a browser: enters, follows the events, and posts what a person does."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

SECONDS = 60


class PageClient:
    """Enters by an invitation and keeps the cookie."""

    def __init__(self, invitation: str) -> None:
        parts = urlsplit(invitation)
        assert parts.hostname is not None
        assert parts.port is not None
        self._place = (parts.hostname, parts.port)
        self._origin = f"http://{parts.netloc}"
        self.events: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        """What the server sent: event and data; at the end `closed`."""
        self.read: list[str] = []
        """The events that were taken from there."""
        entered = self.request("GET", parts.path, cookie="")
        assert entered[0] == 200, entered
        self._cookie = entered[1]["Set-Cookie"].partition(";")[0]
        self._connection = http.client.HTTPConnection(*self._place, timeout=SECONDS)
        self._connection.request("GET", "/events", headers={"Cookie": self._cookie})
        self._socket = self._connection.sock
        self._stream = self._connection.getresponse()
        assert self._stream.status == 200
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def request(
        self, method: str, path: str, body: Any = None, cookie: str | None = None
    ) -> tuple[int, http.client.HTTPMessage, str]:
        connection = http.client.HTTPConnection(*self._place, timeout=SECONDS)
        headers = {"Cookie": self._cookie if cookie is None else cookie, "Origin": self._origin}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        found = answer.status, answer.headers, answer.read().decode()
        connection.close()
        return found

    def post(self, path: str, **body: Any) -> int:
        return self.request("POST", path, body)[0]

    def next(self, *events: str) -> Any:
        """The data of the next of these events."""
        while True:
            event, data = self.events.get(timeout=SECONDS)
            self.read.append(event)
            if event in events:
                return data
            assert event != "closed", f"closed while {events} was waited for"

    def play(self, choose: Any, most: int = 10_000) -> Any:
        """Answer every question as `choose` says, until the game is over; the data of its end."""
        for _ in range(most):
            turn = self.next("turn", "over")
            if "decision" not in turn:
                return turn
            assert self.post("/choose", decision=turn["decision"], index=choose(turn)) == 204
        return None

    def _follow(self) -> None:
        event = ""
        try:
            for raw in self._stream:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    self.events.put((event, json.loads(line.removeprefix("data: "))))
        except (OSError, http.client.HTTPException, ValueError):
            pass
        self.events.put(("closed", None))

    def close(self) -> None:
        """Close the page."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(SECONDS)
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

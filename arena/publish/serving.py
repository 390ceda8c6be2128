"""A folder of pages over HTTP, to this machine alone and to be read only, with news as server-sent events.

Everything on this machine can connect, and so can every page in a browser on it. So a request must name a loopback
host (a foreign name that resolves to us is another site's trick), a page of another site gets nothing to embed, only
regular files within the folder are sent, and neither connections nor waits are without end.
"""

from __future__ import annotations

import json
import shutil
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any, BinaryIO, Final
from urllib.parse import unquote, urlsplit

EVENTS: Final = "/events"
"""Where news are told."""
HOST: Final = "127.0.0.1"
_NAMES: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})
_CONNECTIONS: Final = 64
_STREAMS: Final = 32
"""Connections that wait for news: pages can be fetched however many do."""
_PATIENCE: Final = 10.0
"""Seconds for one read or write of a connection."""
_REQUEST: Final = 30.0
"""Seconds for a request from its first byte to the last byte of its answer."""
_STREAM: Final = 600.0
"""Seconds until a stream ends; its page connects again."""
_HEARTBEAT: Final = 15.0
"""Seconds of silence until a comment is sent, by which either side finds out that the other is gone."""
_FAREWELL: Final = 1.0
"""Seconds that the end waits for streams to say so."""
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".xml": "application/atom+xml; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Feed:
    """The latest news, for any number of readers that wait for it."""

    def __init__(self) -> None:
        """Nothing has been told."""
        self._changed = threading.Condition()
        self._number = 0
        self._text = ""
        self._closed = False

    def tell(self, news: Mapping[str, Any]) -> None:
        """These are the news now."""
        with self._changed:
            self._number += 1
            self._text = json.dumps({**news, "number": self._number})
            self._changed.notify_all()

    def close(self) -> None:
        """There will be no more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether there will be no more."""
        return self._closed

    def after(self, number: int, seconds: float) -> tuple[int, str] | None:
        """The news behind that number, as soon as there are any; None: `seconds` are over, or the feed is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > number or self._closed, seconds)
            return None if self._closed or self._number <= number else (self._number, self._text)


class Server(ThreadingHTTPServer):
    """Serves a folder on loopback. Use as a context manager around `start`."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_port = False
    """With it two servers would share a port, and pages come from either."""
    request_queue_size = 16

    def __init__(self, folder: Path, feed: Feed, port: int = 0) -> None:
        """Take the port (0: any that is free). Raises `OSError`."""
        self.folder = folder.resolve()
        self.feed = feed
        self.streams = threading.BoundedSemaphore(_STREAMS)
        self._room = threading.BoundedSemaphore(_CONNECTIONS)
        self._since: dict[socket.socket, float] = {}
        self._guard = threading.Lock()
        super().__init__((HOST, port), _Handler)

    @property
    def address(self) -> str:
        """Where its first page is."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def start(self) -> None:
        """Answer, in a thread of its own, until the context ends."""
        threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True).start()
        self._started = True

    _started = False

    def server_bind(self) -> None:
        """Take the port, and ask nobody what this machine is called."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = HOST, self.server_address[1]

    def server_close(self) -> None:
        """Stop answering; whoever waits for news is told that there are none."""
        if not self._started:
            super().server_close()  # the port was taken, perhaps
            return
        self.shutdown()
        super().server_close()
        self.feed.close()
        ends = time.monotonic() + _FAREWELL
        for _ in range(_STREAMS):
            if not self.streams.acquire(timeout=max(0.0, ends - time.monotonic())):
                return  # somebody does not read; the process ends all the same

    def endless(self, request: socket.socket) -> None:
        """This connection is a stream: it ends by itself."""
        with self._guard:
            self._since.pop(request, None)

    def service_actions(self) -> None:
        """End requests that take too long."""
        late = time.monotonic() - _REQUEST
        with self._guard:
            found = [request for request, since in self._since.items() if since < late]
            for request in found:
                del self._since[request]
                with suppress(OSError):
                    request.shutdown(socket.SHUT_RDWR)  # its thread then closes it

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread, while there is room for one more."""
        if not self._room.acquire(blocking=False):
            request.settimeout(0.1)
            with suppress(OSError):
                request.sendall(b"HTTP/1.0 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
            self.shutdown_request(request)
            return
        with self._guard:
            self._since[request] = time.monotonic()
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._leave(request)
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._leave(request)

    def _leave(self, request: socket.socket) -> None:
        with self._guard:
            self._since.pop(request, None)
        self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Whoever goes away in the middle is no error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Server
    server_version = "arena"
    sys_version = ""
    timeout = _PATIENCE
    error_content_type = "text/plain; charset=utf-8"
    error_message_format = "%(code)d %(message)s\n"

    def do_GET(self) -> None:
        """A file, or the news."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """The head of the same."""
        self._answer(body=False)

    def _refuse(self) -> None:
        self.send_error(HTTPStatus.METHOD_NOT_ALLOWED, "this site can only be read")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_TRACE = do_CONNECT = _refuse  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal belongs to the tournament."""

    def end_headers(self) -> None:
        """With what every answer says."""
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def _answer(self, body: bool) -> None:
        if not _is_loopback(self.headers.get_all("Host") or []):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, "this site is only served to this machine, as 127.0.0.1")
        elif self._is_embedded():
            self.send_error(HTTPStatus.FORBIDDEN, "another site must not use these pages")
        elif (path := _path(self.path)) is None:
            self.send_error(HTTPStatus.BAD_REQUEST, "this is no address")
        elif path == EVENTS:
            self._news(body)
        else:
            self._page(body)

    def _is_embedded(self) -> bool:
        """Whether a page of another site asks, for more than to lead here."""
        mode = self.headers.get("Sec-Fetch-Mode", "navigate")
        return self.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site") and mode != "navigate"

    def _page(self, body: bool) -> None:
        found = within(self.server.folder, self.path)
        if found is None:
            self.send_error(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        if found.is_dir():
            self._lead_to_index(found)
            return
        try:
            file: BinaryIO = found.open("rb")
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        with file:
            size = file.seek(0, 2)
            file.seek(0)
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", _TYPES.get(found.suffix, "application/octet-stream"))
            self.send_header("Content-Length", str(size))
            self.end_headers()
            if body:
                shutil.copyfileobj(file, self.wfile)

    def _lead_to_index(self, folder: Path) -> None:
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", f"/{folder.relative_to(self.server.folder).as_posix()}/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _news(self, body: bool) -> None:
        if not self.server.streams.acquire(blocking=False):
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE, "too many pages are open")
            return
        try:
            self.send_response(HTTPStatus.OK)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.end_headers()
            if body:
                self.server.endless(self.connection)
                self._stream()
        finally:
            self.server.streams.release()

    def _stream(self) -> None:
        number, ends = 0, time.monotonic() + _STREAM
        while (left := ends - time.monotonic()) > 0:
            news = self.server.feed.after(number, min(left, _HEARTBEAT))
            if news is not None:
                number, text = news
                self.wfile.write(f"event: news\ndata: {text}\n\n".encode())
            elif self.server.feed.is_closed:
                self.wfile.write(b"event: gone\ndata: {}\n\n")
                return
            else:
                self.wfile.write(b": still here\n\n")


def _is_loopback(hosts: list[str]) -> bool:
    """Whether a request names us as this machine; at which port is no matter, it may be a forwarded one."""
    if len(hosts) != 1:
        return False
    name, colon, port = hosts[0].strip().lower().rpartition(":")
    if not colon or name.startswith("[") != name.endswith("]"):
        return hosts[0].strip().lower() in _NAMES
    return name in _NAMES and port.isascii() and port.isdecimal()


def _path(target: str) -> str | None:
    """The path of a request's target; None: it has none."""
    try:
        return urlsplit(target).path
    except ValueError:
        return None


def within(folder: Path, target: str) -> Path | None:
    """The file that a request's target means, a folder's first page for the folder; None: nothing that is served.

    A folder with a first page is given for its name without a slash at the end.
    """
    if not target.startswith("/"):
        return None
    try:
        *folders, name = unquote(urlsplit(target).path, errors="strict").split("/")[1:]
        if any(not part or part.startswith(".") for part in folders) or name.startswith("."):
            return None  # upwards, or what is nobody's business
        file = folder.joinpath(*folders, name or "index.html").resolve()
        if not file.is_relative_to(folder):
            return None
        if file.is_dir():
            return file if (file / "index.html").is_file() else None
        return file if file.is_file() else None
    except (OSError, ValueError):  # no name for a file
        return None

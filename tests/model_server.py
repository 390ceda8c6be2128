"""A server on this machine that speaks as OpenAI's does, and whose model is a function of the test's."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

HELD: Final = 30.0
"""Seconds after which an answer that nobody waits for any more is given up."""


@dataclass
class Reply:
    """What comes back, instead of a completion."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    held: bool = False
    """Whether it comes only when the server ends."""


Model = Callable[[dict[str, Any]], "str | Reply"]


class ModelServer:
    """The server. `asked` has the bodies and `headers` the headers of all requests, in order."""

    def __init__(self, model: Model) -> None:
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.ended = threading.Event()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server._lock:  # in their order also for the model
                    server.asked.append(asked)
                    server.headers.append({**dict(self.headers), "path": self.path})
                    said = model(asked)
                reply = Reply(body=completion(said)) if isinstance(said, str) else said
                if reply.held:
                    server.ended.wait(HELD)
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, *_: Any) -> None:
                pass

            def handle(self) -> None:
                with contextlib.suppress(ConnectionError):  # nobody waited for it
                    super().handle()

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    @contextmanager
    def running(self) -> Iterator[ModelServer]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self.ended.set()
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def completion(text: Any, usage: bool = True, **message: Any) -> bytes:
    """Return the bytes of a completion."""
    whole = {"choices": [{"message": {"role": "assistant", "content": text, **message}}]}
    return json.dumps(whole | ({"usage": {"prompt_tokens": 100, "completion_tokens": 10}} if usage else {})).encode()


def offered(asked: dict[str, Any]) -> list[str]:
    """Return the words of the actions in a request."""
    question = next(each["content"] for each in asked["messages"] if each["role"] == "user")
    listed = question.rpartition("Your actions:\n")[2].partition("\n\n")[0]
    found = [re.fullmatch(r"(\d+): (.*)", line) for line in listed.split("\n")]
    assert all(each is not None and int(each[1]) == number for number, each in enumerate(found)), listed
    return [each[2] for each in found if each is not None]

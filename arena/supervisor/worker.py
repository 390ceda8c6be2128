"""Speak with the worker, at the other end of standard input and output, which are one socket."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import Any

CHUNK = 65536


class Worker:
    """The worker, at the other end of standard input."""

    def __init__(self) -> None:
        """Read the orders, which come first."""
        data = b""
        while b"\n" not in data:
            more = _receive()
            if not more:
                sys.exit(1)
            data += more
        line, _, rest = data.partition(b"\n")
        self.orders: dict[str, Any] = json.loads(line)
        self.orderly = False
        """Whether the worker announced an orderly end."""
        self.stopped = False
        """Whether the worker wants the bot stopped."""
        self.games = 0
        """How many games the worker has announced."""
        self._obey(rest)

    def listen(self) -> bool:
        """Read the worker's letters. Return False if it is gone or wants the bot to end."""
        letters = _receive()
        self._obey(letters)
        return bool(letters)

    def wait_for_end(self) -> None:
        """Wait until the worker has learnt of the bot's end.

        Until then no other process can get the bot's process id.
        """
        while self.listen():
            pass

    def _obey(self, letters: bytes) -> None:
        for letter in letters:
            if letter == ord("e"):
                self.orderly = True
            elif letter == ord("n"):
                self.games += 1
            else:
                self.stopped = letter == ord("s")


def _receive() -> bytes:
    """Read what the worker sends. It is empty when the worker is gone."""
    try:
        return os.read(0, CHUNK)
    except ConnectionError:  # it was killed before it read everything
        return b""


def report(news: dict[str, Any]) -> None:
    """Tell the worker what happened to the bot."""
    with contextlib.suppress(ConnectionError):
        os.write(1, json.dumps(news).encode() + b"\n")

"""Write a trace: every message of a game as a line of JSON, to see what went over the socket.

The referee writes it while the game is played, and only with `--trace`: `arena.referee.games.OpenGames` opens the
file of a game and writes what it sends, `arena.referee.inbox.Inbox` writes what bots send. In a tournament the
referee of each worker writes into `<folder>/trace`, beside the ledger. `arena match` writes into the folder that
`--trace` names, and nothing else: it has no ledger. Results are written by `arena.ledger.ledger.Ledger.record`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

OnMessage = Callable[[Mapping[str, Any]], None]
"""Called with every line of a trace as it is written."""


class TraceError(BaseException):
    """A trace cannot be written; the message says why.

    It is not an Exception, because within a game an Exception would count as the game's failure.
    """


class GameTrace:
    """The trace file of one game.

    Each line has `ms` since the game began, `to` or `from` with a seat, and the `message`, or `hex` for bytes that are
    none.
    """

    def __init__(self, folder: Path, game_id: str, on_message: OnMessage | None = None) -> None:
        """Create the file `GAME.jsonl`. Raises `TraceError`, as does every method that writes to it."""
        self._on_message = on_message
        self._name = folder / f"{game_id}.jsonl"
        self._began = time.monotonic()
        with self._reporting_errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._file = self._name.open("w", encoding="utf-8")

    def sent(self, seat: int, message: msgspec.Struct) -> None:
        """Write a message that the referee sent."""
        self._write({"to": seat, "message": msgspec.to_builtins(message)})

    def received(self, seat: int, frame: bytes) -> None:
        """Write a frame that a bot sent."""
        try:
            self._write({"from": seat, "message": msgspec.msgpack.decode(frame)})
        except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
            self._write({"from": seat, "hex": frame[:4096].hex()})

    def _write(self, line: dict[str, Any]) -> None:
        line = {"ms": round((time.monotonic() - self._began) * 1000, 3), **line}
        with self._reporting_errors():
            self._file.write(json.dumps(line, default=repr) + "\n")
        if self._on_message is not None:
            self._on_message(line)

    def close(self) -> None:
        """Close the file: the game is over."""
        with self._reporting_errors():
            self._file.close()

    @contextmanager
    def _reporting_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            why = f"{self._name} cannot be written: {error.strerror}"
            raise TraceError(f"{why}. Make room or leave out --trace: the games that were recorded are kept") from None

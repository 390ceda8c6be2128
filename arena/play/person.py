"""A person's seat at the referee: a bot whose program is a thread of this process and speaks the bots' protocol.

What its person is shown of that is decided in `arena.play.page_data_by_seat`, and sent by `arena.play.table`.
"""

from __future__ import annotations

import contextlib
import errno
import math
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from arena.client import PROTOCOL, Socket
from arena.entrants import ProcessExit
from arena.referee.source import RunningBot

Message = Mapping[str, Any]
LANGUAGE: Final = "person"
"""What a person's `hello` and record give as its language."""


class Person:
    """A `BotSource` that connects to the referee from a thread. What comes is passed on; nothing is answered by itself.

    If the connection is lost it is made again, as any bot may do, and the referee repeats what is open.
    """

    def __init__(self, name: str, hear: Callable[[Message], object], lose: Callable[[str], object]) -> None:
        """Take what is called in the person's thread.

        Args:
            name: The person's name.
            hear: Called with each message of the referee.
            lose: Called with the error if the thread ends while the referee may still wait for this person.
        """
        self.name: Final = name
        self._hear = hear
        self._lose = lose
        self._guard = threading.Lock()
        self._connection: Socket | None = None

    @property
    def transport(self) -> str:
        """How it connects."""
        return "ipc"

    def hello_seconds(self, usual: float) -> float:
        """Set no limit: a busy machine may take its time to run the thread."""
        return math.inf

    def leave(self, name: str, endpoint: str, token: str) -> float:
        """Set no limit: the thread connects again, or calls `lose`."""
        return math.inf

    def start(
        self, name: str, endpoint: str, token: str, folder: Path, cores: Sequence[int] | None
    ) -> RunningBot | None:
        """Connect in a thread. Raises `OSError` if there can be none."""
        thread = threading.Thread(target=self._talk, args=(endpoint, token), name=f"person {name}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:
            raise OSError(errno.EAGAIN, str(error)) from None
        return None

    def explain(self, ended: ProcessExit, stderr: str, has_connected: bool) -> str:
        """Return nothing: it has no process of ours."""
        return ""

    def choose(self, game_id: str, turn: int, index: int) -> None:
        """Answer a decision."""
        self._send({"type": "act", "game_id": game_id, "turn": turn, "index": index})

    def wake(self) -> None:
        """Let the referee go once around its loop: say hello again, to which it repeats what is open."""
        self._send(self._hello())

    def _talk(self, endpoint: str, token: str) -> None:
        try:
            self._converse(endpoint, token)
        except Exception:  # nobody else would notice, and the referee would wait for ever
            self._lose(traceback.format_exc())

    def _converse(self, endpoint: str, token: str) -> None:
        is_new = True
        while is_new:
            try:
                connection = Socket(endpoint, token)
            except OSError:
                return  # the referee has ended
            with self._guard:
                self._connection = connection
            self._send(self._hello())
            is_new = False
            try:
                while (message := connection.receive()) is not None:
                    if message["type"] == "bye":
                        return
                    is_new = True
                    self._hear(message)
            finally:
                with self._guard:
                    self._connection = None
                connection.close()
        raise ConnectionResetError(errno.ECONNRESET, "the referee closes each connection at once")

    def _hello(self) -> Message:
        return {"type": "hello", "protocol": list(PROTOCOL), "name": self.name, "language": LANGUAGE}

    def _send(self, message: Message) -> None:
        with self._guard, contextlib.suppress(OSError):  # the referee may have gone
            if self._connection is not None:
                self._connection.send(message)

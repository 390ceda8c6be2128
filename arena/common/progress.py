"""The progress of long work (playing, publishing, exporting), shown as a bar, as log lines or not at all."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

_LONG_SECONDS: Final = 1.0


class Progress(Protocol):
    """Receives the progress of some work. Its methods may be called from several threads."""

    def say(self, text: str) -> None:
        """Show a message of one line or several."""

    def stage(self, name: str, total: int | None) -> None:
        """Begin a stage of `total` parts. `total` is None if their number is not known."""

    def expect(self, total: int) -> None:
        """Say that the stage has another number of parts than was thought."""

    def begin(self, what: str) -> None:
        """Begin a part that may take a while. `advance` gets the same text when it is done."""

    def advance(self, what: str) -> None:
        """Count one part of the stage as done."""


class Silent:
    """Progress that is not shown."""

    def say(self, text: str) -> None:
        """Do nothing."""

    def stage(self, name: str, total: int | None) -> None:
        """Do nothing."""

    def expect(self, total: int) -> None:
        """Do nothing."""

    def begin(self, what: str) -> None:
        """Do nothing."""

    def advance(self, what: str) -> None:
        """Do nothing."""


SILENT: Final = Silent()


@contextmanager
def said_if_long(progress: Progress, what: str) -> Iterator[None]:
    """Say what is going on if the block takes longer than a second."""
    if getattr(progress, "is_quiet", False):  # only messages are wanted, and this is none
        yield
        return
    timer = threading.Timer(_LONG_SECONDS, progress.say, [f"{what} ..."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

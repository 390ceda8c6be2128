"""How a run tells whoever watches it what it does."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

_LONG_SECONDS: Final = 1.0


class Progress(Protocol):
    """Told by a run as it goes on; may be called from several threads."""

    def say(self, text: str) -> None:
        """Something to know: a line, or several."""

    def stage(self, name: str, total: int | None) -> None:
        """A stage begins that has so many parts (None: nobody knows)."""

    def begin(self, what: str) -> None:
        """One part of the stage begins that may take a while. `advance` is told the same when it is done."""

    def advance(self, what: str) -> None:
        """One part of the stage is done."""


class Silent:
    """Tells nobody."""

    def say(self, text: str) -> None:
        """Nothing."""

    def stage(self, name: str, total: int | None) -> None:
        """Nothing."""

    def begin(self, what: str) -> None:
        """Nothing."""

    def advance(self, what: str) -> None:
        """Nothing."""


@contextmanager
def said_if_long(progress: Progress, what: str) -> Iterator[None]:
    """Say what goes on if it takes longer than a second."""
    timer = threading.Timer(_LONG_SECONDS, progress.say, [f"{what} ..."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

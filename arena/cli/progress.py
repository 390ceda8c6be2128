"""Show progress: as a bar where stderr is a terminal, else as plain lines."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

from arena.cli.terminal import can_draw, warn
from arena.common.printable import printable

if TYPE_CHECKING:
    from arena.cli.progress_bar import ProgressBar


def drawn_bar() -> ProgressBar | None:
    """Return a bar if stderr is a terminal on which one can be drawn."""
    if not can_draw():
        return None
    from arena.cli.progress_bar import ProgressBar  # only now, because loading rich takes long

    return ProgressBar()


class ProgressLines:
    """Prints progress as lines on stderr, one for every tenth of a stage.

    A part that `begin` announces has a line when it begins and one when it is done.
    """

    def __init__(self) -> None:
        """Begin without a stage."""
        self._lock = threading.Lock()
        self._begun: dict[str, float] = {}
        self._name, self._done = "", 0
        self._total: int | None = None

    def say(self, text: str) -> None:
        """Print a message."""
        warn(text)

    def stage(self, name: str, total: int | None) -> None:
        """Print the stage's name and total."""
        with self._lock:
            self._name, self._total, self._done = name, total, 0
        warn(name + ("" if total is None else f": {total}"))

    def expect(self, total: int) -> None:
        """Use another total for the lines to come."""
        with self._lock:
            self._total = total

    def begin(self, what: str) -> None:
        """Print that the part begins, and note the time."""
        with self._lock:
            self._begun[what] = time.monotonic()
            warn(f"{self._name}: {printable(what)} ...")

    def advance(self, what: str) -> None:
        """Count the part, and print a line if it was announced or a tenth is done."""
        with self._lock:
            self._done += 1
            began = self._begun.pop(what, None)
            step = max(1, (self._total or 1000) // 10)
            if began is None and self._done % step != 0:
                return
            took = "" if began is None else f", {what} after {time.monotonic() - began:.1f} s"
            warn(f"{self._name}: {self._done}" + ("" if self._total is None else f" of {self._total}") + took)

    def __enter__(self) -> ProgressLines:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Do nothing."""

"""Show progress: as a bar where stderr is a terminal, else as plain lines."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.terminal import can_draw, warn
from arena.common.printable import printable

if TYPE_CHECKING:
    from arena.cli.progress_bar import ProgressBar

LONG_SECONDS: Final = 5.0
"""What takes longer is said while it goes on, and so long it is quiet between two lines of a stage."""


class _Wishes:
    """What the user wants to see of it."""

    quiet = False
    """No progress at all. Messages are shown all the same."""


def set_quiet(wanted: bool) -> None:
    """Show progress from now on, or none."""
    _Wishes.quiet = wanted


def is_quiet() -> bool:
    """Return whether no progress is to be shown."""
    return _Wishes.quiet


def _quiet(wanted: bool) -> bool:
    if wanted:  # else it may have been typed before the command
        set_quiet(True)
    return wanted


QUIET_HELP: Final = "Show no progress, only results and warnings."
Quiet = Annotated[bool, typer.Option("--quiet", "-q", callback=_quiet, help=QUIET_HELP)]


def drawn_bar() -> ProgressBar | None:
    """Return a bar if stderr is a terminal on which one can be drawn, and the user wants to see one."""
    if is_quiet() or not can_draw():
        return None
    from arena.cli.progress_bar import ProgressBar  # only now, because loading rich takes long

    return ProgressBar()


class ProgressLines:
    """Prints progress as lines on stderr: each stage, each part that takes long, and now and then how far it is.

    A reader of these lines should see at any time what is waited for, and have little to read where nothing is.
    """

    def __init__(self) -> None:
        """Begin without a stage."""
        self._lock = threading.Lock()
        self._begun: dict[str, tuple[float, threading.Timer]] = {}
        self._said = set[str]()
        """Parts under way of which it was said that they are."""
        self._name, self._done = "", 0
        self._total: int | None = None
        self._spoke = time.monotonic()

    def say(self, text: str) -> None:
        """Print a message."""
        warn(text)

    def stage(self, name: str, total: int | None) -> None:
        """Print the stage's name and total."""
        with self._lock:
            self._name, self._total, self._done = name, total, 0
            self._warn(name + ("" if total is None else f": {total}"))

    def expect(self, total: int) -> None:
        """Use another total for the lines to come."""
        with self._lock:
            self._total = total

    def begin(self, what: str) -> None:
        """Note that the part begins. If it is not done soon, print that it is under way."""
        timer = threading.Timer(LONG_SECONDS, self._say_it_takes_long, [what])
        timer.daemon = True
        with self._lock:
            self._begun[what] = time.monotonic(), timer
        timer.start()

    def advance(self, what: str) -> None:
        """Count the part. Print a line if it took long, or if a tenth is done and the last line is some time ago."""
        with self._lock:
            self._done += 1
            began, timer = self._begun.pop(what, (0.0, None))
            if timer is not None:
                timer.cancel()
            took = ""
            if what in self._said:
                self._said.remove(what)
                took = f", {what} after {time.monotonic() - began:.1f} s"
            step = max(1, (self._total or 1000) // 10)
            if took or (self._done % step == 0 and time.monotonic() - self._spoke >= LONG_SECONDS):
                self._warn(f"{self._name}: {self._done}" + ("" if self._total is None else f" of {self._total}") + took)

    def _say_it_takes_long(self, what: str) -> None:
        with self._lock:
            if what in self._begun:
                self._said.add(what)
                self._warn(f"{self._name}: {printable(what)} ...")

    @property
    def is_quiet(self) -> bool:
        """Whether only messages are shown."""
        return is_quiet()

    def _warn(self, line: str) -> None:
        self._spoke = time.monotonic()
        if not self.is_quiet:
            warn(line)

    def __enter__(self) -> ProgressLines:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Say no more of parts that are under way."""
        with self._lock:
            for _began, timer in self._begun.values():
                timer.cancel()
            self._begun.clear()

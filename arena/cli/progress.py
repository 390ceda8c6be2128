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
"""What takes longer is said while it goes on, and so long it is quiet before the second line of a stage."""


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


def _quiet(context: typer.Context, wanted: bool) -> None:
    set_quiet(wanted or (context.parent is not None and is_quiet()))  # it may have been typed before the command


Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", callback=_quiet, expose_value=False, help="Show no progress, only results and warnings."
    ),
]


def drawn_bar() -> ProgressBar | None:
    """Return a bar if stderr is a terminal on which one can be drawn, and the user wants to see one."""
    if is_quiet() or not can_draw():
        return None
    from arena.cli.progress_bar import ProgressBar  # only now, because loading rich takes long

    return ProgressBar()


class ProgressLines:
    """Prints progress as lines on stderr: each stage, and if it takes long now and then how far it is.

    A reader of these lines should see at any time what is waited for, and have little to read where nothing is. So the
    pause between two lines of a stage doubles with each: nine bots that start slowly are a handful of lines.
    """

    def __init__(self) -> None:
        """Begin without a stage."""
        self._lock = threading.Lock()
        self._begun = dict[str, None]()
        """Parts under way, in the order in which they began."""
        self._timer: threading.Timer | None = None
        self._name, self._done = "", 0
        self._total: int | None = None
        self._spoke, self._pause = time.monotonic(), LONG_SECONDS

    def say(self, text: str) -> None:
        """Print a message."""
        warn(text)

    def stage(self, name: str, total: int | None) -> None:
        """Print the stage's name and total."""
        with self._lock:
            self._name, self._total, self._done = name, total, 0
            self._stop_waiting()
            self._warn(name + ("" if total is None else f": {total}"), LONG_SECONDS)

    def expect(self, total: int) -> None:
        """Use another total for the lines to come."""
        with self._lock:
            self._total = total

    def begin(self, what: str) -> None:
        """Note that the part begins. If it and others are not done soon, print that they are under way."""
        with self._lock:
            self._begun[what] = None
            if self._timer is None:
                self._wait()

    def advance(self, what: str) -> None:
        """Count the part. Print a line if a tenth is done and the last line is some time ago."""
        with self._lock:
            self._done += 1
            self._begun.pop(what, None)
            if not self._begun:
                self._stop_waiting()
            step = max(1, (self._total or 1000) // 10)
            if self._done % step == 0 and time.monotonic() - self._spoke >= self._pause:
                self._say_how_far()

    def _wait(self) -> None:
        self._timer = timer = threading.Timer(self._pause, lambda: self._say_what_takes_long(timer))
        timer.daemon = True
        timer.start()

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _say_what_takes_long(self, timer: threading.Timer) -> None:
        with self._lock:
            if timer is not self._timer:
                return  # it was stopped just now
            if time.monotonic() - self._spoke >= self._pause:
                self._say_how_far()
            self._wait()

    def _say_how_far(self) -> None:
        line = f"{self._name}: {self._done}" + ("" if self._total is None else f" of {self._total}")
        first, *others = self._begun or [""]
        if first:
            line += f", {printable(first)}" + (f" and {len(others)} more" if others else "") + " ..."
        self._warn(line, 2 * self._pause)

    @property
    def is_quiet(self) -> bool:
        """Whether only messages are shown."""
        return is_quiet()

    def _warn(self, line: str, pause: float) -> None:
        self._spoke, self._pause = time.monotonic(), pause
        if not self.is_quiet:
            warn(line)

    def __enter__(self) -> ProgressLines:
        """Return itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Say no more of parts that are under way."""
        with self._lock:
            self._stop_waiting()
            self._begun.clear()

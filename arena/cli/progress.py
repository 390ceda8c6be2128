"""Progress of a run: a bar on a terminal, plain lines off one."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from arena.cli.terminal import console, printable, warn


class Lines:
    """Progress off a terminal: plain lines on stderr, one for every tenth of the way."""

    def __init__(self) -> None:
        """Nothing is going on."""
        self._lock = threading.Lock()
        self._name, self._done = "", 0
        self._total: int | None = None

    def say(self, text: str) -> None:
        """A line."""
        warn(text)

    def stage(self, name: str, total: int | None) -> None:
        """A stage begins."""
        with self._lock:
            self._name, self._total, self._done = name, total, 0
        warn(name + ("" if total is None else f": {total}"))

    def advance(self, what: str) -> None:
        """One part of it is done."""
        with self._lock:
            self._done += 1
            step = max(1, (self._total or 1000) // 10)
            if self._done % step == 0:
                warn(f"{self._name}: {self._done}" + ("" if self._total is None else f" of {self._total}"))

    def __enter__(self) -> Lines:
        """Itself."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Nothing to tidy up."""


class Bar:
    """Progress on a terminal: a bar that stays in its line."""

    def __init__(self) -> None:
        """No bar yet."""
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[what]}", markup=False),
            console=console(stderr=True),
        )
        self._task: TaskID | None = None

    def say(self, text: str) -> None:
        """A line above the bar."""
        self._bar.console.print(printable(text))

    def stage(self, name: str, total: int | None) -> None:
        """A bar of its own for the stage."""
        self._task = self._bar.add_task(printable(name, lines=False), total=total, what="")

    def advance(self, what: str) -> None:
        """The bar moves."""
        if self._task is not None:
            self._bar.update(self._task, advance=1, what=printable(what, lines=False))

    def __enter__(self) -> Bar:
        """Show it."""
        self._bar.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Leave it as it stands."""
        self._bar.stop()

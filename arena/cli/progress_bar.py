"""Show progress as a bar on a terminal."""

from __future__ import annotations

import time
from collections.abc import Iterable
from types import TracebackType

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from arena.cli.terminal import console
from arena.common.printable import printable, printable_lines


class _Display(Progress):
    """A bar with a line below it for each part under way and its seconds so far."""

    def __init__(self, *columns: ProgressColumn, console: Console) -> None:
        """Begin with no part under way."""
        self.begun: dict[str, float] = {}
        super().__init__(*columns, console=console)

    def get_renderables(self) -> Iterable[RenderableType]:
        """Yield what rich draws, several times a second, in a thread of its own."""
        yield from super().get_renderables()
        now = time.monotonic()
        for what, began in list(self.begun.items()):
            yield Text(f"  {what}  {now - began:.0f} s")


class ProgressBar:
    """Shows progress as a bar on stderr, with a line for each announced part that is under way."""

    def __init__(self) -> None:
        """Prepare a display without a bar."""
        self._bar = _Display(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(elapsed_when_finished=True),
            TextColumn("{task.fields[what]}", markup=False),
            console=console(stderr=True),
        )
        self._task: TaskID | None = None

    def say(self, text: str) -> None:
        """Print a message above the bar."""
        self._bar.console.print(printable_lines(text))

    def stage(self, name: str, total: int | None) -> None:
        """Add a bar for the stage."""
        self._task = self._bar.add_task(printable(name), total=total, what="")

    def expect(self, total: int) -> None:
        """Make the bar so long."""
        if self._task is not None:
            self._bar.update(self._task, total=total)

    def begin(self, what: str) -> None:
        """Show the part in a line of its own."""
        self._bar.begun[printable(what)] = time.monotonic()

    def advance(self, what: str) -> None:
        """Move the bar, and remove the part's own line."""
        self._bar.begun.pop(printable(what), None)
        if self._task is not None:
            self._bar.update(self._task, advance=1, what=printable(what))

    def __enter__(self) -> ProgressBar:
        """Start drawing."""
        self._bar.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Stop drawing and leave the bar as it is."""
        self._bar.stop()

"""Draw on a terminal: progress as a bar, and what is known while games are played.

Loading rich takes long, so this is imported when something is drawn, not before.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Final

from rich.console import Console, RenderableType
from rich.console import Group as Group
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress_bar import ProgressBar as PlainBar
from rich.table import Table
from rich.text import Text

from arena.cli.terminal import console
from arena.common.printable import percent, printable, printable_lines
from arena.rating import RatingColumns
from arena.standings.running import RunningRow, faults_cell, rating_cells, rating_headings


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


_BAR_WIDTH: Final = 40


def text_line(text: str) -> Text:
    """Return one line, cut off where the terminal ends."""
    return Text(printable(text), no_wrap=True, overflow="ellipsis")


def bar(total: float | None, done: float) -> Table:
    """Return a bar of which a part is done."""
    table = Table.grid()
    table.add_row(PlainBar(total=total, completed=min(done, total or done), width=_BAR_WIDTH))
    return table


def standings(rows: Sequence[RunningRow], columns: RatingColumns) -> Table:
    """Return the table of the best bots; a line separates those that are not in the field."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), collapse_padding=True)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True, overflow="ellipsis", ratio=None, min_width=8)
    for heading in rating_headings(columns):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("games", "wins"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("faults", no_wrap=True, overflow="ellipsis", min_width=6)
    for rank, row in enumerate(rows, start=1):
        if not row.in_field and table.rows and rows[rank - 2].in_field:
            table.add_section()
        cells = [row.place(rank), printable(row.bot), *rating_cells(row, columns), str(row.games)]
        cells += [percent(row.wins), faults_cell(row)]
        table.add_row(*map(Text, cells))
    return table

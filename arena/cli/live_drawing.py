"""Draw what is shown on a terminal while games are played.

Loading rich takes long, so this is imported when something is drawn, not before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.console import Group as Group
from rich.console import RenderableType as RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from arena.common.printable import printable
from arena.rating import RatingColumns
from arena.standings.running import RunningRow, faults_cell, rating_cells, rating_headings, wins_cell

_BAR_WIDTH: Final = 40


def text_line(text: str) -> Text:
    """Return one line, cut off where the terminal ends."""
    return Text(printable(text), no_wrap=True, overflow="ellipsis")


def bar(total: float | None, done: float) -> Table:
    """Return a bar of which a part is done."""
    table = Table.grid()
    table.add_row(ProgressBar(total=total, completed=min(done, total or done), width=_BAR_WIDTH))
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
        cells += [wins_cell(row), faults_cell(row)]
        table.add_row(*map(Text, cells))
    return table

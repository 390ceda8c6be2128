"""Lay out the paragraphs and lists of a report on lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from wcwidth import wrap as wrapped

from arena.common.printable import percent, printable
from arena.common.text_table import text_table

WIDTH: Final = 100
"""Columns of a line where there is no terminal."""
_LEAST: Final = 40


class Paragraphs:
    """Collects the parts of a report. What others wrote is made printable, and no line of it can pass for ours."""

    def __init__(self, width: int | None) -> None:
        """Begin a report. `width`: the columns of the terminal; None: there is none."""
        self._terminal = width
        self._width = max(_LEAST, min(WIDTH, width or WIDTH))
        self._parts: list[str] = []

    def heading(self, text: str) -> None:
        """Add a heading, after an empty line."""
        self._parts += [*([""] if self._parts else []), printable(text), "-" * len(printable(text))]

    def paragraph(self, text: str) -> None:
        """Add a paragraph."""
        self._parts += self._wrapped(printable(text), "", "")

    def item(self, text: str, indent: int = 0) -> None:
        """Add an item of a list; `indent`: how far it is within another one."""
        pad = "  " * indent
        self._parts += self._wrapped(printable(text), f"{pad}- ", f"{pad}  ")

    def output(self, text: str) -> None:
        """Add what a bot wrote, each line behind a bar."""
        self._parts += [f"  | {printable(line, keep=chr(9))}" for line in text.splitlines()]

    def table(
        self,
        headers: Sequence[str],
        rows: Iterable[Sequence[object]],
        align: Sequence[str] = (),
        line_before: int | None = None,
    ) -> None:
        """Add a table, as `text_table` makes it."""
        cells = [[printable(str(cell)) for cell in row] for row in rows]
        self._parts.append(text_table(list(headers), cells, self._terminal, align or None, line_before))

    def gap(self) -> None:
        """Add an empty line."""
        self._parts.append("")

    def text(self) -> str:
        """Return all of it."""
        return "\n".join(self._parts) + "\n"

    def _wrapped(self, text: str, first: str, rest: str) -> list[str]:
        return wrapped(text, self._width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def points(difference: float) -> str:
    """Return by how much two shares differ, without a sign."""
    size = f"{100 * abs(difference):.1f}"
    return f"{size} percentage point{'' if size == '1.0' else 's'}"


def probability(value: float | None) -> str:
    """Return a probability in percent, with <1 and >99 for what is almost certain; a dash if it is not known."""
    if value is None:
        return "-"
    if value > 0.995:
        return ">99 %"
    return "<1 %" if value < 0.005 else percent(value)

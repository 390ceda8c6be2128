"""Format tables as plain text, for a terminal or wrapped to its width, and rows of CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Final

from tabulate import SEPARATING_LINE, tabulate
from wcwidth import width as text_width
from wcwidth import wrap as wrapped

_GAP: Final = 2
"""Columns between two cells."""
_HEADER_PAD: Final = 2
"""Columns that tabulate adds to the width of a heading."""
_LEAST: Final = 8
"""Columns narrower than this are never wrapped."""
_HARD_SPACE: Final = "\N{NO-BREAK SPACE}"


def text_table(
    headers: Sequence[str],
    rows: Sequence[Sequence[object]],
    width: int | None = None,
    align: Sequence[str] | None = None,
    line_before: int | None = None,
) -> str:
    """Format a table of texts and numbers, which are not changed.

    Args:
        headers: The headings.
        rows: The cells.
        width: The columns of the terminal: the longest cells are wrapped to fit, and nothing is cut off. Where not even
            that fits, each row becomes a few lines of its own. None: one line for each row, however long.
        align: `left` or `right` for each column.
        line_before: A line separates the rows from this one on, counted from 0, from those before; None: none does.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    if width is not None and cells:
        if least_width(headers, cells) > width:
            return "\n".join(_lines(headers, row, width) for row in cells)
        widths = _fitted(natural_widths(headers, cells), headers, width)
        cells = [[_wrapped(cell, room) for cell, room in zip(row, widths, strict=True)] for row in cells]
    lines: list[list[str] | str] = [*cells]
    if line_before is not None and line_before < len(cells):
        lines.insert(line_before, SEPARATING_LINE)
    # It measures cells by wcwidth as soon as that is there.
    return tabulate(lines, headers, "simple", disable_numparse=True, colalign=align if cells else None)


def _lines(headers: Sequence[str], row: Sequence[str], width: int) -> str:
    """Return a row as its first cell, and below that the others behind their headings."""
    rest = "; ".join(f"{header} {cell}".strip() for header, cell in zip(headers[1:], row[1:], strict=True) if cell)
    indent = " " * _GAP
    below = wrapped(rest, max(width, _LEAST), initial_indent=indent, subsequent_indent=indent)
    return "\n".join([*wrapped(row[0], width), *below])


def natural_widths(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    """Return the width of each column without wrapping."""
    return [
        max(text_width(header) + _HEADER_PAD, *(text_width(row[place]) for row in cells), 0)
        for place, header in enumerate(headers)
    ]


def total_width(widths: Sequence[int]) -> int:
    """Return the width of a table with such columns."""
    return sum(widths) + _GAP * (len(widths) - 1)


def least_width(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> int:
    """Return the width of a table whose cells are wrapped as narrowly as they can be."""
    return total_width(_least(natural_widths(headers, cells), headers))


def _least(natural: Sequence[int], headers: Sequence[str]) -> list[int]:
    return [
        max(text_width(header) + _HEADER_PAD, min(_LEAST, own)) for header, own in zip(headers, natural, strict=True)
    ]


def _fitted(natural: Sequence[int], headers: Sequence[str], width: int) -> list[int]:
    """Narrow the widest column repeatedly until all fit, or none can be narrower."""
    widths = list(natural)
    least = _least(natural, headers)
    while total_width(widths) > width:
        given = [(own, -place) for place, own in enumerate(widths) if own > least[place]]
        if not given:
            break
        widths[-max(given)[1]] -= 1
    return widths


def _wrapped(text: str, width: int) -> str:
    """Wrap a text into lines of at most `width` columns; a number stays with the word before it."""
    joined = re.sub(r" (?=\d+\b)", _HARD_SPACE, text)
    return "\n".join(wrapped(joined, width) or [""]).replace(_HARD_SPACE, " ")


def csv_row(cells: Sequence[object]) -> str:
    """Return a line of CSV with its newline. A cell with any kind of line break is quoted."""
    out = io.StringIO()
    # The writer quotes only those line breaks that its own lines end with.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def no_formula(text: str) -> str:
    """Return `text` with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text

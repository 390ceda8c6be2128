"""Lines of CSV that spreadsheets read as they are meant."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence


def csv_row(cells: Sequence[object]) -> str:
    """A line of CSV, with the newline that ends it. A line break within a cell, of whatever kind, is quoted."""
    out = io.StringIO()
    # The writer quotes only those line breaks that its own lines end with.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def no_formula(text: str) -> str:
    """Spreadsheets compute a cell that begins like this; an apostrophe says that it is text."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text

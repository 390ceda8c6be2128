"""Write CSV that spreadsheets read as it is meant."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence


def csv_row(cells: Sequence[object]) -> str:
    """Return a line of CSV with its newline. A cell with any kind of line break is quoted."""
    out = io.StringIO()
    # The writer quotes only those line breaks that its own lines end with.
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def no_formula(text: str) -> str:
    """Return `text` with an apostrophe before it if a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text

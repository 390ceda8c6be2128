"""What the page of a statement shows, on a site or as a page of its own."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from arena.reports import statement_words
from arena.reports.paragraphs import percent, probability
from arena.reports.statement import Statement
from arena.reports.statement_text import DIFFERENCES
from arena.site.leaderboard_tables import MOST_LINES


def statement_values(statement: Statement, chart: str) -> dict[str, Any]:
    """Return what the template of a statement needs beside its layout.

    Args:
        statement: The statement.
        chart: How calibrated the ratings are, as SVG; empty: that is not known.
    """
    found = statement.calibration
    return {
        "statement": statement,
        "facts": statement_words.facts(statement),
        "left_out": statement_words.omissions(statement.omissions),
        "calibration": [] if found is None else statement_words.calibration_in_words(found),
        "commitments": statement_words.commitments(statement),
        "versions": statement_words.versions(statement),
        "about_differences": DIFFERENCES,
        "interval": statement_words.interval,
        "rating": statement_words.rating,
        "finish": statement_words.finish,
        "percent": percent,
        "probability": probability,
        "seen": statement_words.seen,
        "most_rows": MOST_LINES // len(statement.tables),
        "chart": b64encode(chart.encode()).decode(),
    }

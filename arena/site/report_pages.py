"""Render reports as pages of one file each: the style is in the page, and nothing is loaded."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

import arena
from arena.analysis.analysis import accuracy_text
from arena.common.printable import percent
from arena.rating import RatingColumns
from arena.reports import bot_report_text as words
from arena.reports import statement_text
from arena.reports.bot_rating import BotRating, in_words, tables
from arena.reports.bot_report import BotReport
from arena.reports.paragraphs import probability
from arena.reports.statement import Statement
from arena.reports.statement_text import DIFFERENCES
from arena.site.charts import learning_curve
from arena.site.leaderboard_tables import MOST_LINES
from arena.site.pages import environment


def bot_report_page(report: BotReport, address: str = "") -> bytes:
    """Render the report for a bot's author.

    Args:
        report: The report.
        address: Of a published site of the tournament, with a slash at its end: games lead there. Empty: to nowhere.
    """
    return _standalone(
        "bot-report.html.j2",
        report=report,
        address=address,
        summary=words.summary(report),
        losses=words.losses_in_words(report),
        decisions=words.decisions_in_words(report),
        kinds=words.KINDS,
        place=words.place,
        percent=percent,
        probability=probability,
        loss_in_words=words.loss_in_words,
        asked_in_words=words.asked_in_words,
        accuracy_text=accuracy_text,
        how_to_look=words.how_to_look(report),
        about_chances=words.ABOUT_CHANCES,
        most_players=max((each.players for each in report.counts), default=0),
    )


def statement_page(statement: Statement) -> bytes:
    """Render a statement as a page of its own."""
    return _standalone("statement.html.j2", layout="standalone.html.j2", **statement_values(statement))


def statement_values(statement: Statement) -> dict[str, Any]:
    """Return what the template of a statement needs beside its layout."""
    found = statement.calibration
    return {
        "statement": statement,
        "facts": statement_text.facts(statement),
        "left_out": statement_text.omissions(statement.omissions),
        "calibration": [] if found is None else statement_text.calibration_in_words(found),
        "commitments": statement_text.commitments(statement),
        "versions": statement_text.versions(statement),
        "about_differences": DIFFERENCES,
        "interval": statement_text.interval,
        "rating": statement_text.rating,
        "finish": statement_text.finish,
        "percent": percent,
        "probability": probability,
        "seen": statement_text.seen,
        "most_rows": MOST_LINES // len(statement.tables),
    }


def ratings_page(ratings: Sequence[BotRating], columns: RatingColumns, game: str, source: str) -> bytes:
    """Render the ratings of some bots by games with anchors; of several, the learning curve first."""
    rated = [(each.bot, {columns.ranking: each.overall.rating, "error": each.overall.error}) for each in ratings]
    return _standalone(
        "ratings.html.j2",
        ratings=ratings,
        game=game,
        source=source,
        curve=learning_curve(rated, columns) if len(rated) > 1 else [],
        in_words=partial(in_words, columns=columns),
        tables=partial(tables, columns=columns),
    )


def _standalone(template: str, **values: Any) -> bytes:
    """Render a page with the site's style in it."""
    assets = files("arena.site") / "assets"
    style = "".join((assets / name).read_text("utf-8") for name in ("site.css", "tables.css"))
    page = environment().get_template(template)
    text = page.render(
        style=style, style_hash=b64encode(sha256(style.encode()).digest()).decode(), version=arena.__version__, **values
    )
    return text.encode("utf-8", "replace")

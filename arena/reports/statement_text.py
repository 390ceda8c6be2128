"""Write a statement as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.common.printable import shorten
from arena.reports import statement_words as words
from arena.reports.paragraphs import Paragraphs, listed, percent, probability
from arena.reports.statement import StatedTable, Statement

_NAME: Final = 40
_HASH: Final = 16


def statement_text(statement: Statement, width: int | None = None) -> str:
    """Write the statement. `width`: the columns of the terminal; None: there is none."""
    page = Paragraphs(width)
    page.heading(f"What the tournament “{statement.folder}” shows")
    for sentence in statement.claims:
        page.paragraph(sentence)
    _facts(page, "Settings", words.facts(statement))
    for table in statement.tables:
        _table(page, table)
    if statement.note:
        page.paragraph(statement.note)
    _differences(page, statement)
    _calibration(page, statement)
    page.heading("Left out")
    left_out = words.omissions(statement.omissions)
    for each in left_out:
        page.item(f"{each}.")
    if not left_out:
        page.paragraph("Nothing.")
    _field(page, statement)
    _facts(page, "Commitment", words.commitments(statement))
    _facts(page, "Versions", words.versions(statement))
    return page.text()


def _facts(page: Paragraphs, heading: str, facts: Iterable[tuple[str, str]]) -> None:
    page.heading(heading)
    for name, value in facts:
        page.item(f"{name}: {value}")


def _table(page: Paragraphs, table: StatedTable) -> None:
    if not table.rows:
        return
    page.heading("Ratings" if table.players is None else f"{table.players} players")
    page.table(
        ("place", "bot", "rating (95 %)", "games", "won", "mean finish"),
        [
            (
                row.place,
                shorten(row.bot, _NAME) + (" (suspended)" if row.suspended else ""),
                words.rating(row),
                row.games,
                percent(row.wins),
                "-" if row.mean_finish is None else f"{row.mean_finish:.3f}",
            )
            for row in table.rows
        ],
        ("right", "left", *("right",) * 4),
        sum(not row.suspended for row in table.rows) or None,
    )


def _differences(page: Paragraphs, statement: Statement) -> None:
    if not statement.differences:
        return
    page.heading("Differences")
    page.table(
        ("bot", "against", "difference (95 %)", "better", "apart"),
        [
            (
                shorten(each.one, _NAME),
                shorten(each.other, _NAME),
                words.interval(each),
                probability(each.better),
                "yes" if each.apart else "no",
            )
            for each in statement.differences
        ],
        ("left", "left", "right", "right", "right"),
    )
    page.paragraph(DIFFERENCES)


DIFFERENCES: Final = (
    "Each interval holds by itself with 95 % confidence; two bots are called apart only if their rank bands are, which "
    "hold for all bots at once."
)
"""What the intervals mean."""


def _calibration(page: Paragraphs, statement: Statement) -> None:
    page.heading("Calibration on held-out blocks")
    if statement.calibration is None:
        page.paragraph(statement.uncalibrated)
        return
    for sentence in words.calibration_in_words(statement.calibration):
        page.paragraph(sentence)
    page.table(
        ("forecast", "mean", "observed (95 %)", "pairs"),
        [
            (
                f"{100 * each['low']:.0f} to {100 * each['high']:.0f} %",
                percent(each["forecast"]),
                words.seen(each["observed"]),
                each["pairs"],
            )
            for each in statement.calibration["bins"]
        ],
        ("right",) * 4,
    )


def _field(page: Paragraphs, statement: Statement) -> None:
    page.heading("Field")
    for bot in statement.field:
        parts = [f"by {shorten(bot.author, 2 * _NAME)}"] if bot.author else []
        parts += [f"version {bot.declared_version}"] if bot.declared_version else []
        parts += [bot.language] if bot.language else []
        parts += [f"fingerprint {shorten(bot.fingerprint, _HASH)}"] if bot.fingerprint else []
        parts += [f"built as {listed([shorten(each, _HASH) for each in bot.builds])}"] if bot.builds else []
        parts += ["has left the field"] if bot.former else []
        page.item(f"{shorten(bot.bot, _NAME)}: {', '.join(parts) or 'nothing is known of it'}")

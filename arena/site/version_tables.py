"""Lay out what a bot's page says of its versions: a chart, a line for each, and what changed."""

from __future__ import annotations

from typing import NamedTuple

from arena.common.labels import spelled_out
from arena.rating import REACH, RatingColumns
from arena.site.chart_layout import Chart
from arena.site.leaderboard_tables import HALF, NOTHING, Cell, half_intervals, number, percent, rating_numbers
from arena.site.version_courses import version_course
from arena.standings.versions import BotHistory, FieldHistory, Version, VersionChange

_DAY = len("2026-03-01")


class VersionLine(NamedTuple):
    """A version in the table."""

    label: str
    name: str
    """The label with its number, also of the first version."""
    joined: str
    left: str
    games: int
    cells: list[Cell]
    """The numbers of the rating system."""
    difference: Cell
    error: str
    better: Cell


class VersionTable(NamedTuple):
    """The versions of a bot."""

    course: list[Chart]
    names: list[str]
    """The headings of the rating system's numbers."""
    measure: str
    """What the versions are compared by."""
    lines: list[VersionLine]
    changes: list[str]


def version_table(history: FieldHistory, label: str) -> VersionTable | None:
    """Return the versions of a bot. Return None if it never changed."""
    bot = history.bot(label)
    if bot is None or not bot.is_changed:
        return None
    columns = history.columns
    compared = columns.ranked if columns.interval is None else columns.column(columns.interval.middle)
    halves = half_intervals(columns)
    names = [HALF if each.name in halves else each.title for each in columns.shown]
    lines = [_line(each, columns, compared.places) for each in bot.versions]
    return VersionTable(version_course(history, bot), names, compared.title, lines, _changes(bot))


def _line(version: Version, columns: RatingColumns, places: int) -> VersionLine:
    row, step = version.row, version.against_before
    played = row is not None and row.games > 0
    cells = rating_numbers(row if played else None, columns)
    difference = number("difference", None if step is None else step.difference, f"+.{places}f")
    error = "" if step is None or step.error is None else f"{REACH * step.error:.{places}f}"
    sure = None if step is None else step.better
    better = Cell("better", "" if sure is None else repr(sure), percent(sure))
    if version.joined is None:
        left = "left out"
    elif version.left is None and version.suspended is not None:
        left = f"suspended, game {version.suspended + 1}"
    else:
        left = _when(version.left)
    games = 0 if row is None else row.games
    name = spelled_out(version.label)
    return VersionLine(version.label, name, _when(version.joined), left, games, cells, difference, error, better)


def _when(change: VersionChange | None) -> str:
    """Return the game before which something happened, and its day in UTC."""
    if change is None:
        return NOTHING
    return f"game {change.games + 1}" + (f", {change.moment[:_DAY]}" if change.moment else "")


def _changes(bot: BotHistory) -> list[str]:
    """Say what happened to a bot, in a line each."""
    found = [f"Before {_when(each)}: {each.words()}{f': {each.note}' if each.note else ''}" for each in bot.changes]
    for each in bot.versions:
        if each.suspended is not None:
            found.append(f"Game {each.suspended + 1}: {spelled_out(each.label)} is suspended")
        if each.left_out is not None:
            cause = each.left_out.strip().partition("\n")[0]
            found.append(f"{spelled_out(each.label)} cannot take part: {cause}")
    return found

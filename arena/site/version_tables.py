"""Lay out what a bot's page says of its versions: a chart, a line for each, and what changed.

The chart shows the bot's rating over the games of its tournament, with marks where versions joined and left.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, NamedTuple

from arena.common.labels import spelled_out, version_number
from arena.common.printable import counted
from arena.rating import REACH, RatingColumns, half
from arena.rating.base import Bound
from arena.rating.rated_table import POINTS, Point
from arena.site.chart_layout import (
    SHAPES,
    SIZE,
    Box,
    Chart,
    EventMark,
    Fact,
    Line,
    Moment,
    Scale,
    Shape,
    px,
    spot_beside,
    text_width,
)
from arena.site.charts import (
    axes,
    form_of,
    joined_path,
    marks_within,
    moments_of,
    named_lines,
    over_games,
    settled_points,
    until,
)
from arena.site.leaderboard_tables import NOTHING, Cell, column_title, likelihood, number, rating_numbers
from arena.standings.versions import BotHistory, FieldHistory, Version, VersionChange

_DAY: Final = len("2026-03-01")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_GAP: Final = 6
"""The least room between two labels."""
_LATEST, _EARLIER = 1, 7
"""Colours of lines."""


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
    compared = columns.middle
    names = [column_title(each, columns) for each in columns.shown]
    lines = [_line(each, columns, compared.places) for each in bot.versions]
    return VersionTable(version_course(history, bot), names, compared.title, lines, _changes(bot))


def _line(version: Version, columns: RatingColumns, places: int) -> VersionLine:
    row, step = version.row, version.against_before
    played = row is not None and row.games > 0
    cells = rating_numbers(row if played else None, columns)
    difference = number("difference", None if step is None else step.difference, f"+.{places}f")
    error = "" if step is None else half(step.error, places)
    sure = None if step is None else step.better
    better = Cell("better", "" if sure is None else repr(sure), likelihood(sure))
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


def latest_day(history: FieldHistory) -> str:
    """Say what the last day changed if games took more than one: who stood first before it, who joined and left."""
    if len(history.days) < 2 or not history.games:
        return ""
    day, before = history.days[-1]
    games = counted(history.games - before, "game")
    changes = [
        change.words() for bot in history.bots for change in bot.changes if before <= change.games and change.games
    ]
    merit, last = history.columns.merit, {label: points[-1] for label, points in history.courses.items() if points}
    earlier = {
        label: point
        for label, points in history.courses.items()
        if (point := next((each for each in reversed(points) if each.number <= before), None))
    }
    if earlier and (first := max(earlier, key=lambda label: merit(earlier[label].values))):
        now = max(last, key=lambda label: merit(last[label].values))
        if now != first:
            changes.insert(0, f"{now} stands first, where {first} stood before")
    return f"{_date(day)}: {games}, {'; '.join(changes) or 'the same bot stands first as before'}."


def _date(day: str) -> str:
    read = date.fromisoformat(day)
    return f"{read.day} {_MONTHS[read.month - 1]}"


class _Course(NamedTuple):
    """The course of a version, whose points have the number of the game in the tournament as `games`."""

    label: str
    points: list[Point]
    end: int
    """Up to which game it is known: the version's last one in the field."""
    is_latest: bool
    bound: Bound | None
    """On which side its rating is known, if on one side alone."""


def version_course(history: FieldHistory, bot: BotHistory) -> list[Chart]:
    """Return a chart of all versions of a bot. Return nothing if none played a game, or the system draws no course."""
    found = []
    most = max(2, POINTS // len(bot.versions))
    for each in bot.versions:
        points = [Point(point.number, point.values) for point in history.courses.get(each.label, [])]
        if points:
            end = history.games if each.left is None else each.left.games
            end = end if each.suspended is None else each.suspended
            settled = len(settled_points(history.courses[each.label]))
            found.append(
                _Course(
                    each.label,
                    _thinned(points[-settled:], most),
                    max(end, points[-1].games),
                    each is bot.versions[-1],
                    None if each.row is None else each.row.bound,
                )
            )
    return [_chart(history, bot, found, shape) for shape in SHAPES] if found else []


def _chart(history: FieldHistory, bot: BotHistory, courses: Sequence[_Course], shape: Shape) -> Chart:
    columns = history.columns
    shown = columns.middle
    form = form_of(shown)
    right = px(34 + text_width("@00", SIZE))
    reach = [value for each in courses for value in _reach(each.points, columns)]
    across, down, plot = axes(history.games, reach, shape, right, top=44)
    dates = _dates(history, across)
    height = plot.bottom + (64 if dates else 48)
    moments = []
    for games, box in moments_of([_whole(courses)], across, plot):
        there = [(each, point) for each in courses if games <= each.end and (point := until(each.points, games))]
        if not there:
            continue
        facts = [
            Fact(spelled_out(each.label), _value(point, columns, each.bound), _colour(each)) for each, point in there
        ]
        marks = marks_within([(_colour(each), games, point.values[shown.name]) for each, point in there], across, down)
        x = across.at(games)
        spot = spot_beside(box, (x, plot.y + plot.height / 2), (shape.width, height), f"game {games}", facts)
        moments.append(Moment(x, marks, spot, games, []))
    title = f"{shown.title.capitalize()} of all versions over the games"
    chart = over_games("versions", shape, title, _about(courses, columns), plot, across, down)
    return chart._replace(
        height=height, measure=shown.title, forms=(form,), unit="games of the tournament",
        lines=_lines(courses, shown.name, history.games, across, down, plot),
        band=_band(courses, columns, across, down),
        moments=moments, events=_events(history, bot, across, plot), dates=dates,
    )  # fmt: skip


def _thinned(points: Sequence[Point], most: int) -> list[Point]:
    """Return so many of the points at most, evenly chosen, with the last one."""
    step = max(1, -(-len(points) // most))
    return list(points[::-1][::step])[::-1]


def _whole(courses: Sequence[_Course]) -> list[Point]:
    """Return the points of all versions in the order of their games."""
    return sorted((point for each in courses for point in each.points), key=lambda point: point.games)


def _reach(points: Sequence[Point], columns: RatingColumns) -> list[float]:
    """Return the values that the vertical axis has to reach: the ends of intervals of 95 %, if there are errors."""
    interval = columns.interval
    if interval is None:
        return [point.values[columns.ranking] for point in points]
    sides = (-REACH, REACH)
    return [point.values[interval.middle] + side * point.values[interval.error] for point in points for side in sides]


def _value(point: Point, columns: RatingColumns, bound: Bound | None) -> str:
    return columns.stated(point.values, bound).removeprefix(f"{columns.middle.title} ").replace("-", "−")


def _colour(course: _Course) -> int:
    return _LATEST if course.is_latest else _EARLIER


def _lines(courses: Sequence[_Course], name: str, games: int, across: Scale, down: Scale, plot: Box) -> list[Line]:
    """Return a line for each version; those that are still there at the end have a name at the right."""
    tracks = []
    for each in courses:
        end = across.at(each.end), down.at(each.points[-1].values[name])
        label = f"@{version_number(each.label)}" if each.end >= games else None
        tracks.append((_colour(each), label, [*_places(each, name, across, down), end]))
    lines = zip(named_lines(tracks, plot), tracks, strict=True)
    return [line._replace(is_single=len({x for x, _ in places}) == 1) for line, (_, _, places) in lines]


def _places(course: _Course, name: str, across: Scale, down: Scale) -> list[tuple[float, float]]:
    return [(across.at(point.games), down.at(point.values[name])) for point in course.points]


def _band(courses: Sequence[_Course], columns: RatingColumns, across: Scale, down: Scale) -> str:
    """Return the area of the interval of 95 % around each line."""
    interval = columns.interval
    if interval is None:
        return ""
    parts = []
    for each in courses:
        sides = [
            [
                (across.at(point.games), down.at(point.values[interval.middle] + side * point.values[interval.error]))
                for point in each.points
            ]
            for side in (0.0 if each.bound == "at least" else REACH, 0.0 if each.bound == "at most" else -REACH)
        ]
        if len(each.points) > 1:
            parts.append(joined_path(sides[0] + sides[1][::-1]) + "z")
    return "".join(parts)


def _events(history: FieldHistory, bot: BotHistory, across: Scale, plot: Box) -> list[EventMark]:
    """Return a mark for each change, with a label if there is room."""
    marks = [
        (change.games, " ".join(f"@{version_number(label)}" for label in change.joined) or "left")
        for change in bot.changes
    ]
    marks += [(each.suspended, "suspended") for each in bot.versions if each.suspended is not None]
    found: list[EventMark] = []
    free = 0.0
    for games, label in sorted(marks):
        x, half = across.at(min(games, history.games)), text_width(label, SIZE) / 2
        fits = x - half >= free and x + half <= plot.right + 28
        found.append(EventMark(x, label if fits else ""))
        free = x + half + _GAP if fits else free
    return found


def _dates(history: FieldHistory, across: Scale) -> list[tuple[float, str]]:
    """Return where days begin, as far as there is room, if the games took more than one."""
    if len(history.days) < 2:
        return []
    found: list[tuple[float, str]] = []
    free = 0.0
    for day, games in history.days:
        try:
            read = date.fromisoformat(day)
        except ValueError:
            continue
        label = f"{read.day} {_MONTHS[read.month - 1]}"
        x, half = across.at(games), text_width(label, SIZE) / 2
        if x - half >= free:
            found.append((x, label))
            free = x + half + _GAP
    return found


def _about(courses: Sequence[_Course], columns: RatingColumns) -> str:
    """Say what the chart shows."""
    shown = columns.middle
    return "; ".join(
        f"{spelled_out(each.label)}: {shown.title} {_value(point, columns, each.bound)} by game {point.games}"
        for each, point in ((each, each.points[-1]) for each in courses)
    )

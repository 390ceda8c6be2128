"""Draw the charts: where a bot finished, and the courses of ratings over games.

See `chart_layout`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from arena.common.printable import counted
from arena.rating import REACH, RatingColumn, RatingColumns
from arena.rating.base import Bound, Values
from arena.rating.rated_table import Point
from arena.site.chart_layout import (
    MOST_LINES,
    SHAPES,
    SIZE,
    TARGET,
    Bar,
    Box,
    Chart,
    Fact,
    Line,
    Mark,
    Moment,
    Panel,
    Scale,
    Shape,
    cut,
    drawn_ticks,
    in_words,
    nice_ticks,
    padded,
    px,
    spot_beside,
    spread,
    text,
    text_width,
)  # fmt: skip  # fmt: skip
from arena.site.leaderboard_tables import column_title
from arena.site.names import shown
from arena.site.seatings import Seating


def finishes(seatings: Sequence[Seating]) -> list[Chart]:
    """Return a chart of where a bot finished, by number of players. Return nothing if it played no game."""
    return [_finishes(seatings, shape) for shape in SHAPES] if seatings else []


def _finishes(seatings: Sequence[Seating], shape: Shape) -> Chart:
    left, between, head, tall, foot = 36, 18, 26, 120, 40
    room = shape.width - left - 8
    lines: list[list[Seating]] = [[]]
    for seating in seatings:
        if lines[-1] and _width([*lines[-1], seating], TARGET, between) > room:
            lines.append([])
        lines[-1].append(seating)
    fits = (size for size in range(56, 4, -1) if max(_width(line, size, between) for line in lines) <= room)
    slot = next(fits, 4)
    height = len(lines) * (head + tall + foot)
    panels = []
    for number, line in enumerate(lines):
        x: float = left
        for seating in line:
            plot = Box(px(x), number * (head + tall + foot) + head, px(_width([seating], slot, 0)), tall)
            panels.append(_panel(seating, plot, slot, first=x == left, frame=(shape.width, height)))
            x = plot.right + between
    return Chart(
        "finishes", shape.name, shape.width, height, "Places by number of players",
        f"{in_words([bar.spot for panel in panels for bar in panel.bars])}.", panels[0].plot, panels=panels,
    )  # fmt: skip


def _width(line: Sequence[Seating], slot: float, between: float) -> float:
    """Return the width of panels side by side, each with room for its heading."""
    return sum(max(slot * each.players, 72) for each in line) + between * (len(line) - 1)


def _panel(seating: Seating, plot: Box, slot: float, first: bool, frame: tuple[float, float]) -> Panel:
    scale = Scale(0, 112, plot.bottom, plot.y)
    bars = []
    for place, count in enumerate(seating.all.places, start=1):
        share = 100 * count / seating.all.games
        x = px(plot.x + slot * (place - 0.5))
        top = scale.at(share)
        bar = Box(px(x - 0.36 * slot), top, px(0.72 * slot), px(plot.bottom - top))
        facts = [Fact(f"of {seating.all.games} games", str(count)), Fact("share", f"{text(share, '.1f')} %")]
        target = Box(px(x - slot / 2), plot.y, slot, plot.height)
        at = f"place {place} of {seating.players}"
        words = f"{at}: {count} of {seating.all.games} games, {text(share, '.1f')} %"
        bars.append(Bar(place, x, bar, text(share, ".0f"), spot_beside(target, (x, top), frame, at, facts, words)))
    ticks = [(scale.at(value), f"{value}" if first else "") for value in (0, 50, 100)]
    return Panel(seating.players, plot, scale.at(100 / seating.players), ticks, bars)


_START: Final = 0.05
"""The first part of a bot's games, in which its rating still jumps and means little."""


def courses(history: Mapping[str, Sequence[Point]], bots: Sequence[str], rating: RatingColumns) -> list[Chart]:
    """Return a chart of the best bots' ratings over their games. `bots` is sorted, best first.

    Return nothing if no game was played.
    """
    best = {bot: history[bot] for bot in bots if history.get(bot)}
    best = dict(list(best.items())[:MOST_LINES])
    return [_courses(best, rating, shape) for shape in SHAPES] if best else []


def _courses(best: Mapping[str, Sequence[Point]], rating: RatingColumns, shape: Shape) -> Chart:
    ranking, form = rating.ranking, form_of(rating.ranked)
    names = [cut(shown(bot), SIZE, shape.names) for bot in best]
    right = px(34 + max(text_width(name, SIZE) for name in names))
    settled = [point.values[ranking] for points in best.values() for point in settled_points(points)]
    across, down, plot = axes(max(points[-1].games for points in best.values()), settled, shape, right)
    paths = [[(across.at(each.games), down.at(each.values[ranking])) for each in points] for points in best.values()]
    lines = named_lines(list(zip(range(1, len(best) + 1), names, paths, strict=True)), plot)
    moments = []
    for games, box in moments_of(list(best.values()), across, plot):
        known = [until(points, games) for points in best.values()]
        there = [
            (number, bot, point) for number, (bot, point) in enumerate(zip(best, known, strict=True), start=1) if point
        ]
        there.sort(key=lambda each: -each[2].values[ranking])
        facts = [Fact(shown(bot, 24), text(point.values[ranking], form), number) for number, bot, point in there]
        marks = marks_within([(number, point.games, point.values[ranking]) for number, _, point in there], across, down)
        at, frame = (across.at(games), plot.y + plot.height / 2), (shape.width, plot.bottom + 48)
        spot = spot_beside(box, at, frame, f"by game {games}", facts)
        values: list[tuple[float, ...]] = [(point.values[ranking],) if point else () for point in known]
        moments.append(Moment(across.at(games), marks, spot, games, values))
    about = "; ".join(f"{shown(bot, 24)}: {_course_in_words(points, rating)}" for bot, points in best.items())
    title = _title(rating) + (f" of the best {len(best)}" if len(best) > 1 else "")
    chart = over_games("courses", shape, title, about, plot, across, down)
    return chart._replace(measure=rating.ranked.title, forms=(form,), lines=lines, moments=moments)


def course(points: Sequence[Point], rating: RatingColumns, bound: Bound | None = None) -> list[Chart]:
    """Return a chart of a bot's rating over its games, with a band of its interval if the rating system has one.

    `bound`: on which side its rating is known, if on one side alone; so it was all the time.
    """
    return [_course(points, rating, bound, shape) for shape in SHAPES] if points else []


def learning_curve(rated: Sequence[tuple[str, Values]], rating: RatingColumns) -> list[Chart]:
    """Return a chart of the ratings of checkpoints with their intervals, in this order. There are two or more."""
    points = [Point(number, values) for number, (_, values) in enumerate(rated, start=1)]
    heads = [shown(bot, 24) for bot, _ in rated]
    about = "; ".join(f"{head}: {rating.stated(values)}" for head, (_, values) in zip(heads, rated, strict=True))
    title = f"{rating.middle.title.capitalize()} by checkpoint"
    return [
        _course(points, rating, None, shape, lambda number: heads[number - 1])._replace(
            title=title, about=f"{about}.", unit="checkpoint"
        )
        for shape in SHAPES
    ]


class _Level(NamedTuple):
    """A line of a bot's chart."""

    name: str
    values: list[float]
    colour: int
    """1 is the rating's; 7 is the middle's if that is another one, 8 an end's."""


def _levels(points: Sequence[Point], rating: RatingColumns, bound: Bound | None, shape: Shape) -> list[_Level]:
    """List the lines from the upper to the lower one."""
    interval = rating.interval
    if interval is None:
        return [_Level(rating.ranked.title, [point.values[rating.ranking] for point in points], 1)]
    middle = rating.column(interval.middle)
    middles = [point.values[middle.name] for point in points]
    reaches = [interval.reach * point.values[interval.error] for point in points]
    lower, upper = ([mid + side * reach for mid, reach in zip(middles, reaches, strict=True)] for side in (-1, 1))
    is_wide = shape.name == "wide"
    if rating.is_centred:
        ends = (rating.upper_end, rating.lower_end) if is_wide else ("+ 95 %", "− 95 %")
        levels = [_Level(ends[0], upper, 8), _Level(middle.title, middles, 1), _Level(ends[1], lower, 8)]
        return levels[bound == "at least" : 2 if bound == "at most" else 3]
    over = _Level(rating.upper_end if is_wide else rating.upper_end.removeprefix(f"{middle.title} "), upper, 8)
    return [over, _Level(middle.title, middles, 7), _Level(rating.lower_end, lower, 1)]


def _course(
    points: Sequence[Point],
    rating: RatingColumns,
    bound: Bound | None,
    shape: Shape,
    head: Callable[[int], str] | None = None,
) -> Chart:
    settled = settled_points(points)
    levels = _levels(points, rating, bound, shape)
    right = px(34 + max(text_width(level.name, SIZE) for level in (levels[0], levels[-1])))
    reach = [value for level in (levels[0], levels[-1]) for value in level.values[-len(settled) :]]
    across, down, plot = axes(points[-1].games, reach, shape, right)
    xs = [across.at(point.games) for point in points]
    paths = [[(x, down.at(value)) for x, value in zip(xs, level.values, strict=True)] for level in levels]
    lines = named_lines([(level.colour, level.name, path) for level, path in zip(levels, paths, strict=True)], plot)
    forms = tuple(form_of(column) for column in rating.shown)
    marked = [(1, rating.ranking)]
    if rating.interval is not None and not rating.is_centred:
        marked.append((7, rating.interval.middle))
    moments = []
    for games, box in moments_of([points], across, plot):
        point = until(points, games)
        assert point is not None  # a moment is one of the points
        numbers = tuple(
            point.values[column.name] * (REACH if column.name == rating.error else 1) for column in rating.shown
        )
        facts = [
            Fact(column_title(column, rating), text(value, form))
            for column, value, form in zip(rating.shown, numbers, forms, strict=True)
        ]
        x = across.at(games)
        marks = marks_within([(colour, games, point.values[name]) for colour, name in marked], across, down)
        spot = spot_beside(
            box, (x, plot.y + plot.height / 2), (shape.width, plot.bottom + 48), (head or _after)(games), facts
        )
        moments.append(Moment(x, marks, spot, games, [numbers]))
    band = joined_path(paths[0] + paths[-1][::-1]) + "z" if len(points) > 1 and len(paths) > 1 else ""
    last = points[-1]
    about = _course_in_words(points, rating)
    if rating.interval is not None:
        about += f"; {'known on one side alone' if bound else 'in the end'}: {rating.stated(last.values, bound)}"
    chart = over_games("course", shape, _title(rating), about, plot, across, down)
    return chart._replace(measure=rating.ranked.title, forms=forms, lines=lines, band=band, moments=moments)


def axes(games: int, values: Sequence[float], shape: Shape, right: float, top: float = 26) -> tuple[Scale, Scale, Box]:
    """Return the two scales of a chart of ratings over so many games, and the box in which it is drawn."""
    plot = Box(36, top, px(shape.width - 36 - right), 226)
    return Scale(0, games, plot.x, plot.right), Scale(*padded(values, 0.08, 0.5), plot.bottom, plot.y), plot


def over_games(kind: str, shape: Shape, title: str, about: str, plot: Box, across: Scale, down: Scale) -> Chart:
    """Return the frame of a chart of ratings over games."""
    return Chart(
        kind, shape.name, shape.width, plot.bottom + 48, title, f"{about}.", plot,
        across=drawn_ticks(across, nice_ticks(0, across.high, shape.ticks, whole=True)),
        down=drawn_ticks(down, nice_ticks(down.low, down.high, 7)),
    )  # fmt: skip


def named_lines(tracks: Sequence[tuple[int, str | None, Sequence[tuple[float, float]]]], plot: Box) -> list[Line]:
    """Return lines for triples of colour, name and places; the name stands at the right, and None at none of them."""
    named = [at for at, (_, name, _) in enumerate(tracks) if name is not None]
    heights = spread([tracks[at][2][-1][1] for at in named], SIZE + 4, plot.y + 4, plot.bottom - 4)
    at_right = dict(zip(named, heights, strict=True))
    return [
        Line(colour, joined_path(places), name or "", end, at_right.get(at, end), last, len(places) == 1)
        for at, (colour, name, places) in enumerate(tracks)
        for last, end in places[-1:]
    ]


def moments_of(courses: Sequence[Sequence[Point]], across: Scale, plot: Box) -> list[tuple[int, Box]]:
    """Return numbers of games, among them the last one, each with the part of the plot that is nearest to it."""
    longest = max(courses, key=lambda points: points[-1].games)
    room = max(1, int(plot.width // TARGET) - 1)
    step = max(1.0, longest[-1].games / room)
    games: list[int] = []
    for point in reversed(longest):
        if not games or games[-1] - point.games >= step:
            games.append(point.games)
    games.reverse()
    centres = [across.at(each) for each in games]
    start, end = min(plot.x, centres[0] - TARGET / 2), max(plot.right, centres[-1] + TARGET / 2)
    edges = [start, *((one + other) / 2 for one, other in pairwise(centres)), end]
    return [
        (each, Box(px(start), plot.y, px(end - start), plot.height))
        for each, start, end in zip(games, edges[:-1], edges[1:], strict=True)
    ]


def marks_within(values: Sequence[tuple[int, int, float]], across: Scale, down: Scale) -> list[Mark]:
    """Return the marks for triples of colour, games and value, without those beyond the axis."""
    return [
        Mark(across.at(games), down.at(value), colour)
        for colour, games, value in values
        if down.low <= value <= down.high
    ]


def until(points: Sequence[Point], games: int) -> Point | None:
    """Return the last point after at most this many games. Return None if there is none."""
    return next((point for point in reversed(points) if point.games <= games), None)


def joined_path(places: Sequence[tuple[float, float]]) -> str:
    """Return an SVG path through these places. A single one becomes a dot, by the line's round ends."""
    steps = [(_tenths(x1 - x0), _tenths(y1 - y0)) for (x0, y0), (x1, y1) in pairwise(places)]
    moved = " ".join(f"{across} {down}" for across, down in steps or [("0", "0")])
    return f"M{places[0][0]} {places[0][1]}l{moved}"


def _tenths(value: float) -> str:
    """Return a difference of two lengths as a short text."""
    short = f"{px(value)}"
    return short.replace("0.", ".", 1) if short.startswith(("0.", "-0.")) else short


def form_of(column: RatingColumn) -> str:
    """Return how a number of this column is written."""
    return f".{column.places}f"


def _title(rating: RatingColumns) -> str:
    return f"{rating.ranked.title.capitalize()} over the games"


def settled_points(points: Sequence[Point]) -> Sequence[Point]:
    """Return the points without the first games, whose jumps would leave no room for the others."""
    return [point for point in points if point.games > _START * points[-1].games] or points


def _after(games: int) -> str:
    return f"after {counted(games, 'game')}"


def _course_in_words(points: Sequence[Point], rating: RatingColumns) -> str:
    form, last = form_of(rating.ranked), points[-1]
    settled = [point.values[rating.ranking] for point in settled_points(points)]
    low, high = text(min(settled), form), text(max(settled), form)
    value = f"{rating.ranked.title} {text(last.values[rating.ranking], form)}"
    return f"{value} {_after(last.games)}, between {low} and {high} on the way"

"""Draw the charts of ratings over games: of the best bots, and of one bot with its interval. See `chart_layout`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from arena.rating.history import Point
from arena.site.chart_layout import (
    MOST_LINES,
    SHAPES,
    SIZE,
    TARGET,
    Chart,
    Fact,
    Line,
    Mark,
    Moment,
    Shape,
    drawn_ticks,
    spot_beside,
)  # fmt: skip
from arena.site.names import shown
from arena.site.scale import Box, Scale, cut, nice_ticks, padded, px, spread, text, text_width

_START: Final = 0.05
"""The first part of a bot's games, in which its rating still jumps and means little."""


def courses(history: Mapping[str, Sequence[Point]], bots: Sequence[str]) -> list[Chart]:
    """Return a chart of the best bots' ratings over their games. `bots` is sorted, best first.

    Return nothing if no game was played.
    """
    best = {bot: history[bot] for bot in bots if history.get(bot)}
    best = dict(list(best.items())[:MOST_LINES])
    return [_courses(best, shape) for shape in SHAPES] if best else []


def _courses(best: Mapping[str, Sequence[Point]], shape: Shape) -> Chart:
    names = [cut(shown(bot), SIZE, shape.names) for bot in best]
    right = px(34 + max(text_width(name, SIZE) for name in names))
    settled = [_rating(point) for points in best.values() for point in _settled(points)]
    across, down, plot = _axes(list(best.values()), settled, shape, right)
    ends = [down.at(_rating(points[-1])) for points in best.values()]
    places = spread(ends, SIZE + 4, plot.y + 4, plot.bottom - 4)
    lines = [
        Line(number, _path(points, across, down), name, end, y)
        for number, (points, name, end, y) in enumerate(zip(best.values(), names, ends, places, strict=True), start=1)
    ]
    moments = []
    for games, box in _moments(list(best.values()), across, plot):
        known = [_until(points, games) for points in best.values()]
        there = [
            (number, bot, point) for number, (bot, point) in enumerate(zip(best, known, strict=True), start=1) if point
        ]
        there.sort(key=lambda each: -_rating(each[2]))
        facts = [Fact(shown(bot, 24), text(_rating(point), ".2f"), number) for number, bot, point in there]
        marks = _marks([(number, point.games, _rating(point)) for number, _, point in there], across, down)
        spot = spot_beside(
            box, (across.at(games), plot.y + plot.height / 2), (shape.width, plot.bottom + 48), _by(games), facts
        )
        values: list[tuple[float, ...]] = [(_rating(point),) if point else () for point in known]
        moments.append(Moment(across.at(games), marks, spot, games, values))
    about = "; ".join(f"{shown(bot, 24)}: {_course_in_words(points)}" for bot, points in best.items())
    title = f"Rating over the games of the best {len(best)}" if len(best) > 1 else "Rating over the games"
    return _over_games("courses", shape, title, about, plot, across, down)._replace(lines=lines, moments=moments)


def course(points: Sequence[Point]) -> list[Chart]:
    """Return a chart of a bot's mu over its games, with a band of three sigma to either side.

    The lower edge of the band is the rating.
    """
    return [_course(points, shape) for shape in SHAPES] if points else []


def _course(points: Sequence[Point], shape: Shape) -> Chart:
    settled = _settled(points)
    right = px(34 + text_width("mu + 3 sigma" if shape.name == "wide" else "+ 3 sigma", SIZE))
    reach = [point.mu + side * 3 * point.sigma for point in settled for side in (-1, 1)]
    across, down, plot = _axes([points], reach, shape, right)
    last = points[-1]
    names = ["mu + 3 sigma" if shape.name == "wide" else "+ 3 sigma", "mu", "rating"]
    levels = [[point.mu + side * 3 * point.sigma for point in points] for side in (1, 0, -1)]
    ends = [down.at(level[-1]) for level in levels]
    places = spread(ends, SIZE + 4, plot.y + 4, plot.bottom - 4)
    xs = [across.at(point.games) for point in points]
    paths = [[(x, down.at(value)) for x, value in zip(xs, level, strict=True)] for level in levels]
    # The first colour is the rating's; 7 is mu's, 8 the upper edge's.
    lines = [
        Line(colour, _joined(path), name, end, y)
        for colour, path, name, end, y in zip((8, 7, 1), paths, names, ends, places, strict=True)
    ]
    moments = []
    for games, box in _moments([points], across, plot):
        point = _until(points, games)
        assert point is not None  # a moment is one of the points
        numbers = (_rating(point), point.mu, point.sigma)
        facts = [Fact(name, text(value, ".2f")) for name, value in zip(("rating", "mu", "sigma"), numbers, strict=True)]
        x = across.at(games)
        marks = _marks([(1, games, numbers[0]), (7, games, point.mu)], across, down)
        spot = spot_beside(box, (x, plot.y + plot.height / 2), (shape.width, plot.bottom + 48), _after(games), facts)
        moments.append(Moment(x, marks, spot, games, [numbers]))
    band = _joined(paths[0] + paths[2][::-1]) + "z" if len(points) > 1 else ""
    about = f"{_course_in_words(points)}; mu {text(last.mu, '.2f')}, sigma {text(last.sigma, '.2f')}"
    chart = _over_games("course", shape, "Rating over the games", about, plot, across, down)
    return chart._replace(lines=lines, band=band, moments=moments)


def _axes(
    courses: Sequence[Sequence[Point]], values: Sequence[float], shape: Shape, right: float
) -> tuple[Scale, Scale, Box]:
    """Return the two scales of a chart of ratings over games, and the box in which it is drawn."""
    plot = Box(36, 26, px(shape.width - 36 - right), 226)
    most = max(points[-1].games for points in courses)
    return Scale(0, most, plot.x, plot.right), Scale(*padded(values, 0.08, 0.5), plot.bottom, plot.y), plot


def _over_games(kind: str, shape: Shape, title: str, about: str, plot: Box, across: Scale, down: Scale) -> Chart:
    return Chart(
        kind, shape.name, shape.width, plot.bottom + 48, title, f"{about}.", plot,
        across=drawn_ticks(across, nice_ticks(0, across.high, shape.ticks, whole=True)),
        down=drawn_ticks(down, nice_ticks(down.low, down.high, 7)),
    )  # fmt: skip


def _moments(courses: Sequence[Sequence[Point]], across: Scale, plot: Box) -> list[tuple[int, Box]]:
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


def _marks(values: Sequence[tuple[int, int, float]], across: Scale, down: Scale) -> list[Mark]:
    """Return the marks for triples of colour, games and value, without those beyond the axis."""
    return [
        Mark(across.at(games), down.at(value), colour)
        for colour, games, value in values
        if down.low <= value <= down.high
    ]


def _until(points: Sequence[Point], games: int) -> Point | None:
    """Return the last point after at most so many games. Return None if there is none."""
    return next((point for point in reversed(points) if point.games <= games), None)


def _path(points: Sequence[Point], across: Scale, down: Scale) -> str:
    return _joined([(across.at(point.games), down.at(_rating(point))) for point in points])


def _joined(places: Sequence[tuple[float, float]]) -> str:
    """Return an SVG path through these places. A single one becomes a dot, by the line's round ends."""
    steps = [(_tenths(x1 - x0), _tenths(y1 - y0)) for (x0, y0), (x1, y1) in pairwise(places)]
    moved = " ".join(f"{across} {down}" for across, down in steps or [("0", "0")])
    return f"M{places[0][0]} {places[0][1]}l{moved}"


def _tenths(value: float) -> str:
    """Return a difference of two lengths as a short text."""
    short = f"{px(value)}"
    return short.replace("0.", ".", 1) if short.startswith(("0.", "-0.")) else short


def _rating(point: Point) -> float:
    return point.mu - 3 * point.sigma


def _settled(points: Sequence[Point]) -> Sequence[Point]:
    """Return the points without the first games, whose jumps would leave no room for the others."""
    return [point for point in points if point.games > _START * points[-1].games] or points


def _after(games: int) -> str:
    return f"after {games} game{'' if games == 1 else 's'}"


def _by(games: int) -> str:
    """Return the heading of a tip on several bots, some of which may have played fewer games."""
    return f"by game {games}"


def _course_in_words(points: Sequence[Point]) -> str:
    settled = [_rating(point) for point in _settled(points)]
    low, high = text(min(settled), ".2f"), text(max(settled), ".2f")
    return f"rating {text(_rating(points[-1]), '.2f')} {_after(points[-1].games)}, between {low} and {high} on the way"

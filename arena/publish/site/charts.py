"""The pictures: ratings with their intervals, how ratings went, and where a bot finished. Each is told in words too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from arena.publish.site.facts import Seating
from arena.publish.site.names import shown
from arena.publish.site.svg import DASHES, FAINT, INK, SERIES, figure, inline, settings
from arena.rating.history import Point

WIDTH: Final = 640
MOST_BARS: Final = 40
"""Bots in the chart of ratings."""
MOST_LINES: Final = len(SERIES)
_NAME: Final = 18
_LETTER: Final = 7.6
"""CSS pixels, more than most letters need."""
_START: Final = 0.05
"""The part of a bot's games in which its rating still comes from nowhere, and says nothing."""


class Shape(NamedTuple):
    """How a chart is drawn for one width of the page; site.css shows the one that fits."""

    name: str
    width: float
    letters: int
    """Of a bot's name, at most."""
    ticks: int
    margin: float
    """Beside the names of lines."""
    between: str
    """What parts both halves of a long label."""


SHAPES: Final = (Shape("wide", WIDTH, _NAME, 6, 40, " "), Shape("narrow", 300, 12, 4, 26, "\n"))


def ratings(rows: Sequence[Mapping[str, Any]]) -> str:
    """Every bot's rating: the skill that is most likely, and three sigma to either side. Drawn wide and narrow."""
    played = [row for row in rows if row["games"]][:MOST_BARS]
    return "".join(_ratings(played, shape) for shape in SHAPES) if played else ""


def _ratings(played: Sequence[Mapping[str, Any]], shape: Shape) -> str:
    names = [shown(row["bot"], shape.letters) for row in played]
    label = shape.between.join(["rating (left end), mu (dot),", "mu + 3 sigma (right end)"])
    bottom = 40 + 16 * label.count("\n")
    with settings():
        left = 16 + _LETTER * max(map(len, names))
        drawn, axes = _axes(shape.width, 6 + bottom + 22 * len(played), left=left, bottom=bottom)
        places = range(len(played))
        axes.barh(
            places, [6 * row["sigma"] for row in played], 0.42, [row["rating"] for row in played], color=SERIES[0]
        )
        axes.plot([row["mu"] for row in played], places, "o", color=INK, markersize=5, markeredgewidth=0)
        axes.set_yticks(places, names)
        axes.set_ylim(len(played) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_locator(MaxNLocator(shape.ticks, integer=True))
        axes.set_xlabel(label)
        axes.grid(axis="x")
        axes.set_axisbelow(True)
        told = "; ".join(
            f"{place}. {shown(row['bot'], _NAME)}: "
            f"rating {row['rating']:.2f}, mu {row['mu']:.2f}, sigma {row['sigma']:.2f}"
            for place, row in enumerate(played, start=1)
        )
        about = f"Bars from mu - 3 sigma to mu + 3 sigma. {told}."
        return inline(drawn, f"ratings-{shape.name}", "Ratings with intervals", about, f"chart {shape.name}")


def courses(history: Mapping[str, Sequence[Point]], bots: Sequence[str]) -> str:
    """How the ratings of the best bots went. Drawn wide and narrow."""
    best = [bot for bot in bots if history.get(bot)][:MOST_LINES]
    return "".join(_courses(history, best, shape) for shape in SHAPES) if best else ""


def _courses(history: Mapping[str, Sequence[Point]], best: Sequence[str], shape: Shape) -> str:
    names = [shown(bot, shape.letters) for bot in best]
    with settings():
        drawn, axes = _axes(shape.width, 300, left=52, bottom=44, right=_LETTER * max(map(len, names)) + shape.margin)
        for bot, colour, dash in zip(best, SERIES, DASHES, strict=False):
            points = history[bot]
            axes.plot(
                [point.games for point in points], [_rating(point) for point in points], color=colour, linestyle=dash
            )
        _bound(axes, [[_rating(point) for point in _settled(history[bot])] for bot in best])
        low, high = axes.get_ylim()
        ends = _apart([_rating(history[bot][-1]) for bot in best], (high - low) / 17)
        for name, colour, end in zip(names, SERIES, ends, strict=False):
            axes.plot([1.01, 1.03], [end, end], color=colour, transform=axes.get_yaxis_transform(), clip_on=False)
            axes.text(1.04, end, name, color=INK, va="center", transform=axes.get_yaxis_transform())
        axes.xaxis.set_major_locator(MaxNLocator(shape.ticks, integer=True))
        axes.set_xlabel("games played by the bot")
        axes.set_ylabel("rating")
        told = "; ".join(f"{shown(bot, _NAME)}: {_told(history[bot])}" for bot in best)
        title = f"Rating over the games of the best {len(best)}" if len(best) > 1 else "Rating over the games"
        return inline(drawn, f"courses-{shape.name}", title, f"{told}.", f"chart {shape.name}")


def course(points: Sequence[Point]) -> str:
    """How a bot's rating went: mu, and the band of three sigma to either side, whose lower edge is the rating."""
    if not points:
        return ""
    with settings():
        drawn, axes = _axes(WIDTH, 260, left=52, bottom=44)
        games = [point.games for point in points]
        low, high = [_rating(point) for point in points], [point.mu + 3 * point.sigma for point in points]
        axes.fill_between(games, low, high, color=SERIES[0], alpha=0.25, linewidth=0)
        marker = "o" if len(points) == 1 else None  # which is no line
        axes.plot(games, low, color=SERIES[0], marker=marker)
        axes.plot(games, [point.mu for point in points], color=INK, linestyle="--", linewidth=1.2, marker=marker)
        settled = _settled(points)
        _bound(axes, [[_rating(point) for point in settled], [point.mu + 3 * point.sigma for point in settled]])
        axes.set_xlabel("games played")
        axes.set_ylabel("rating (line), mu (dashes)")
        return inline(drawn, "course", "Rating over the games", f"{_told(points)}.")


class Charts(NamedTuple):
    """All pictures of a site, as SVG; empty where there is nothing to draw."""

    ratings: str
    courses: str
    bots: Mapping[str, tuple[str, str]]
    """By bot: how its rating went, and where it finished."""


def of_bots(bots: Sequence[tuple[Sequence[Point], Sequence[Seating]]]) -> list[tuple[str, str]]:
    """Both charts of each of these bots."""
    return [(course(points), finishes(seatings)) for points, seatings in bots]


def finishes(seatings: Sequence[Seating]) -> str:
    """Where a bot finished, by number of players."""
    if not seatings:
        return ""
    with settings():
        drawn = figure(WIDTH, 200)
        plots = drawn.subplots(1, len(seatings), sharey=True, squeeze=False)[0]
        drawn.subplots_adjust(left=52 / WIDTH, right=1 - 8 / WIDTH, top=1 - 28 / 200, bottom=44 / 200, wspace=0.12)
        for axes, seating in zip(plots, seatings, strict=True):
            shares = [100 * count / seating.all.games for count in seating.all.places]
            places = range(1, seating.players + 1)
            axes.bar(places, shares, 0.7, color=SERIES[0])
            for place, share in zip(places, shares, strict=True):
                axes.text(place, share + 1.5, f"{share:.0f}", ha="center", color=INK, fontsize=10)
            axes.set_xticks(places)
            axes.set_ylim(0, 112)
            axes.set_yticks([0, 50, 100])
            axes.set_title(f"{seating.players} players", fontsize=12)
            axes.tick_params(length=0)
        plots[0].set_ylabel("% of games")
        plots[len(plots) // 2].set_xlabel("place")
        told = "; ".join(
            f"with {seating.players} players, {seating.all.games} games: "
            + ", ".join(
                f"place {place} {100 * count / seating.all.games:.0f} %"
                for place, count in enumerate(seating.all.places, start=1)
            )
            for seating in seatings
        )
        return inline(drawn, "finishes", "Places by number of players", f"{told}.")


def _axes(width: float, height: float, left: float, bottom: float, right: float = 12) -> tuple[Figure, Axes]:
    drawn = figure(width, height)
    axes = drawn.add_axes((left / width, bottom / height, 1 - (left + right) / width, 1 - (bottom + 10) / height))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.grid(axis="y", color=FAINT)
    return drawn, axes


def _rating(point: Point) -> float:
    return point.mu - 3 * point.sigma


def _settled(points: Sequence[Point]) -> Sequence[Point]:
    """Without the first games, whose jumps would leave no room for the others."""
    return [point for point in points if point.games > _START * points[-1].games] or points


def _bound(axes: Axes, lines: Sequence[Sequence[float]]) -> None:
    low, high = min(map(min, lines)), max(map(max, lines))
    room = max(0.08 * (high - low), 0.2)
    axes.set_ylim(low - room, high + room)
    axes.set_xlim(left=0)


def _apart(values: Sequence[float], least: float) -> list[float]:
    """The values of a falling row, moved apart downwards so that their labels do not touch."""
    found: list[float] = []
    for value in values:
        found.append(min(value, found[-1] - least) if found else value)
    return found


def _told(points: Sequence[Point]) -> str:
    low, high = min(map(_rating, _settled(points))), max(map(_rating, _settled(points)))
    last = points[-1]
    return f"rating {_rating(last):.2f} after {last.games} games, between {low:.2f} and {high:.2f} on the way"

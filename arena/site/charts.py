"""Draw the charts of ratings with their intervals, and of where a bot finished. See `chart_layout`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

from arena.rating import RatingColumns
from arena.site.chart_layout import (
    MOST_LINES,
    SHAPES,
    SIZE,
    TARGET,
    Bar,
    Chart,
    Fact,
    Panel,
    Row,
    Shape,
    drawn_ticks,
    in_words,
    spot_beside,
)  # fmt: skip
from arena.site.leaderboard_tables import rating_in_words
from arena.site.names import shown
from arena.site.scale import Box, Scale, cut, nice_ticks, padded, px, text, text_width
from arena.site.seatings import Seating
from arena.standings.rows import LeaderboardRow

MOST_BARS: Final = 40
"""The most bots in the chart of ratings."""


def ratings(rows: Sequence[LeaderboardRow], rating: RatingColumns) -> list[Chart]:
    """Return a chart of the rating of every bot of the field, and of its interval if the rating system has one.

    Return nothing if no game was played.
    """
    played = [row for row in rows if row.games and row.in_field]
    return [_ratings(played[:MOST_BARS], len(played), rating, shape) for shape in SHAPES] if played else []


def _ratings(rows: Sequence[LeaderboardRow], number: int, rating: RatingColumns, shape: Shape) -> Chart:
    names = [cut(shown(row.bot), SIZE, shape.names) for row in rows]
    pitch = px(max(TARGET, min(36, 220 / len(rows))))
    left, right = px(12 + max(text_width(name, SIZE) for name in names)), 58
    plot = Box(left, 44, px(shape.width - left - right), px(max(72, pitch * len(rows))))
    levels = [rating.ends(row.values, row.bound) for row in rows]
    ends = [end for interval in levels for end in interval if isfinite(end)]
    scale = Scale(*padded(ends, 0.04, 0.5), plot.x, plot.right)
    height = plot.bottom + 28
    found = []
    for place, (row, name, interval) in enumerate(zip(rows, names, levels, strict=True), start=1):
        y = px(plot.y + pitch * (place - 0.5))
        low, middle, high = (scale.at(min(max(each, scale.low), scale.high)) for each in interval)
        colour = place if place <= MOST_LINES else 0
        value = rating_in_words(row, rating)
        facts = [
            Fact(each.title, value if each.name == rating.ranking else text(row.values[each.name], f".{each.places}f"))
            for each in rating.shown
            if row.bound is None or each.name not in rating.errors
        ]
        facts.append(Fact("games", str(row.games)))
        spot = spot_beside(
            Box(plot.x, px(y - pitch / 2), plot.width, pitch), (middle, y), (shape.width, height),
            f"{row.place(place)}. {shown(row.bot, 24)}", facts,
        )  # fmt: skip
        found.append(Row(colour, name, y, low, middle, high, value, spot))
    best = f" of the best {len(rows)} of {number} bots" if number > len(rows) else ""
    return Chart(
        "ratings", shape.name, shape.width, height, f"Ratings{' with intervals' if rating.interval else ''}{best}",
        f"{_interval_in_words(rating)}{in_words([row.spot for row in found])}.",
        plot, measure=rating.ranked.title, key=_key(rating),
        across=drawn_ticks(scale, nice_ticks(scale.low, scale.high, shape.ticks)), rows=found,
        is_centred=rating.is_centred,
    )  # fmt: skip


def _key(rating: RatingColumns) -> tuple[str, ...]:
    """Name the ends and the middle of an interval."""
    interval = rating.interval
    if interval is None:
        return ()
    return rating.lower_end, rating.column(interval.middle).title, rating.upper_end


def _interval_in_words(rating: RatingColumns) -> str:
    interval = rating.interval
    if interval is None:
        return ""
    if rating.is_centred:
        return "With intervals of 95 %. "
    lower, _, upper = _key(rating)
    return f"From {upper.replace('+', '−')}, which is the {lower}, to {upper}. "


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

"""Lay out leaderboards and head to head as tables of a page: what is shown, and the full value that sorts it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from arena.common.printable import counted, percent
from arena.rating import HALF, REACH, RatingColumn, RatingColumns
from arena.reports.paragraphs import probability
from arena.site.chart_layout import Scale, padded, text
from arena.site.names import shown
from arena.standings.bars import place_bars
from arena.standings.head_to_head import HeadToHead, Pairing
from arena.standings.lead import lead_in_words
from arena.standings.rows import ONE_SIDED, LeaderboardRow

NOTHING: Final = "–"
MOST_SQUARED: Final = 40
"""The most bots in the table of who beats whom, which has the best."""
MOST_LINES: Final = 100
"""The most bots in a leaderboard, so that a page stays light."""


class Column(NamedTuple):
    """A column: `name` is what the JSON calls it, `label` its heading, `about` the heading in full."""

    name: str
    label: str
    about: str
    kind: str = "rest"
    """Its classes on the page: one of the `rest` is shown only to a reader who asks for all columns."""
    unit: str = ""
    """What its numbers are of, where a row is a card."""


class Cell(NamedTuple):
    """A cell: what is shown, and the full value, which is empty if nothing is known."""

    name: str
    value: str
    text: str


class RowBar(NamedTuple):
    """The interval of a rating, drawn from 0 to 100 on the scale of its table."""

    low: float
    middle: float
    high: float
    words: str


class BotRow(NamedTuple):
    """A bot's row."""

    rank: int
    """Its place in the order of the ratings."""
    place: str
    """Where it stands, such as 1–3."""
    bot: str
    suspended: bool
    cells: list[Cell]
    bar: RowBar | None
    """None without a game, or without errors."""


class Table(NamedTuple):
    """A leaderboard."""

    columns: list[Column]
    lines: list[BotRow]
    rest: list[tuple[str, str]]
    """What stands before the name, such as `1–3. `, and the name of the bots beyond `MOST_LINES`.

    Their figures are on their own pages.
    """
    lead: str
    """Who leads, as markup. Empty without games, or if these rows are not a whole leaderboard."""
    bars_after: int
    """Behind so many columns stand the bars; 0: there are none."""
    scale: tuple[str, str]
    """The ends of the bars' scale."""
    unplayed: Sequence[str] = ()
    """Bots that are not in it, as they have not played a game of its kind."""
    note: str = ""
    """What some of its ratings mean."""


_NUMBERS: Final = (
    (Column("games", "games", "games that are rated", "games", "games"), "d"),
    (Column("wins", "wins", "share of games won; tied firsts share a win", "wins", "wins"), "%"),
    (Column("mean_finish", "mean finish", "0 is always first, 1 always last"), ".3f"),
    (Column("mean_finish_error", HALF, "half of the mean finish's interval of 95 %", unit="± mean finish"), ".3f"),
)
_BEHIND: Final = (
    Column("faults", "faults", "faults by kind", "rest text"),
    Column("retired", "retired", "games in which the bot was retired"),
    Column("median_ms", "median ms", "median time of a decision in milliseconds"),
    Column("p99_ms", "p99 ms", "99 % of the decisions took no longer, in milliseconds"),
)


def leaderboard_table(
    rows: Sequence[LeaderboardRow], rating: RatingColumns, ranks: Sequence[int] | None = None
) -> Table:
    """Return the table of these rows. `ranks` are their ranks in the leaderboard if they are only a part of it."""
    scores = sorted({name for row in rows for name in row.scores})
    kinds = {rating.ranking: "rating", rating.ranked.error: "error"}
    columns = [
        Column(
            each.name,
            column_title(each, rating),
            f"half of the interval of 95 %: {REACH} times the {each.about}"
            if each.name == rating.error
            else each.about,
            kinds.get(each.name, "rest"),
        )
        for each in rating.shown
    ]
    several = ranks is not None  # then rows are of several tables, and their places are not to be compared
    drawn = [rating.ends(row.values, row.bound) for row in rows] if several else place_bars(rows[:MOST_LINES], rating)
    ends = [end for row, bar in zip(rows, drawn, strict=False) if row.games for end in bar if isfinite(end)]
    low, high = padded(ends, 0.02, 0.1) if ends else (0.0, 1.0)
    scale = Scale(low, high, 0, 100)
    bars = [_bar(row, bar, rating, scale) if row.games else None for row, bar in zip(rows, drawn, strict=False)]
    columns += [column for column, _ in _NUMBERS]
    columns += _BEHIND
    columns += [Column(f"score-{name}", shown(name, 20), "mean of this score of the game") for name in scores]
    placed = list(zip(range(1, len(rows) + 1) if ranks is None else ranks, rows, strict=True))
    lines = [
        BotRow(rank, row.place(rank), row.bot, row.suspended, _cells(row, rating, scores), bar)
        for (rank, row), bar in zip(placed[:MOST_LINES], bars, strict=False)
    ]
    rest = [(f"{row.place(rank)}. " if row.in_field else "suspended: ", row.bot) for rank, row in placed[MOST_LINES:]]
    leaders = lead_in_words(rows, rating, lambda bot: f"<bdi>{escape(shown(bot))}</bdi>") if ranks is None else ""
    after = max(at for at, column in enumerate(columns, start=1) if column.kind in ("rating", "error"))
    form = f".{0 if high - low > 10 else 1}f"
    return Table(
        columns, lines, rest, Markup(leaders), after if any(bars) else 0, (text(low, form), text(high, form)),
        note=ONE_SIDED if any(row.bound for row in rows[:MOST_LINES]) else "",
    )  # fmt: skip


def filled_columns(table: Table) -> Table:
    """Return the table without the columns in which nothing is known of any row."""
    kept = [at for at in range(len(table.columns)) if any(line.cells[at].value for line in table.lines)]
    lines = [line._replace(cells=[line.cells[at] for at in kept]) for line in table.lines]
    after = sum(at < table.bars_after for at in kept)
    return table._replace(columns=[table.columns[at] for at in kept], lines=lines, bars_after=after)


def _bar(row: LeaderboardRow, bar: tuple[float, float, float], rating: RatingColumns, scale: Scale) -> RowBar | None:
    if rating.interval is None:
        return None
    low, middle, high = (scale.at(min(max(end, scale.low), scale.high)) for end in bar)
    return RowBar(low, middle, high, rating.stated(row.values, row.bound).replace("-", "−"))


def rating_in_words(row: LeaderboardRow, rating: RatingColumns) -> str:
    """Return a rating without its error, or the end of its interval that is known, if it is one alone."""
    places = rating.ranked.places
    known = rating.one_sided(row.values, row.bound, places)
    return known.replace("-", "−") or text(row.values[rating.ranking], f".{places}f")


def standing_in_words(row: LeaderboardRow, rank: int, bots: int, rating: RatingColumns) -> str:
    """Say where a bot stands, such as "Place 1–3 of 8: rating 27.9 ± 0.9 (95 %) after 37 games, 54 % of them won"."""
    if not row.games:
        return "No game of it is rated so far"
    stands = f"Place {row.place(rank)} of {bots}" if row.in_field else "Suspended, and so without a place"
    value = rating.stated(row.values, row.bound).replace("-", "−")
    return f"{stands}: {value} after {counted(row.games, 'game')}, {percent(row.wins)} of them won"


def _cells(row: LeaderboardRow, rating: RatingColumns, scores: Sequence[str]) -> list[Cell]:
    cells = rating_numbers(row, rating)
    for column, form in _NUMBERS:
        of_numbers = half_interval if column.label == HALF else number
        cells.append(of_numbers(column.name, getattr(row, column.name), form))
    kinds = ", ".join(f"{code} {count}" for code, count in row.faults.items() if count)
    cells.append(Cell("faults", str(sum(row.faults.values())), kinds or NOTHING))
    cells.append(number("retired", row.retired, "d"))
    cells += [number(name, getattr(row.times, name), ".1f") for name in ("median_ms", "p99_ms")]
    return cells + [number(f"score-{name}", row.scores.get(name), ".2f") for name in scores]


def number(name: str, value: float | None, form: str) -> Cell:
    """Return a number as a cell, whose full value is written as JSON writes it."""
    if value is None:
        return Cell(name, "", NOTHING)
    text = percent(value) if form == "%" else format(value, form)
    return Cell(name, repr(value), text.replace("-", "−"))


def column_title(column: RatingColumn, rating: RatingColumns) -> str:
    """Return the heading of a column of the rating system; that of an error is `± 95 %`, as its cells are."""
    return HALF if column.name == rating.error else column.title


def rating_numbers(row: LeaderboardRow | None, rating: RatingColumns) -> list[Cell]:
    """Return a row's cells of the rating system's columns, empty ones without a row."""
    cells = [
        (half_interval if each.name == rating.error else number)(
            each.name, None if row is None else row.values[each.name], f".{each.places}f"
        )
        for each in rating.shown
    ]
    if row is None or row.bound is None:
        return cells
    known = {rating.ranking: rating_in_words(row, rating), rating.error: NOTHING}
    return [cell._replace(text=known.get(cell.name, cell.text)) for cell in cells]


def half_interval(name: str, error: float | None, form: str) -> Cell:
    """Return a cell that shows half of the interval of 95 %, and has the standard error itself as its value."""
    if error is None:
        return number(name, None, form)
    return number(name, REACH * error, form)._replace(value=repr(error))


def difference_cells(pairing: Pairing, places: int) -> tuple[Cell, Cell]:
    """Return the difference of two bots and half of its interval, or the one end of it that is known."""
    difference = number("difference", pairing.difference, f"+.{places}f")
    error = half_interval("error", pairing.error, f".{places}f")
    if (known := pairing.one_sided) is None:
        return difference, error
    return difference._replace(text=known.one_sided(places).replace("-", "−")), error._replace(text=NOTHING)


class Square(NamedTuple):
    """A cell of who beats whom.

    `step` is its colour, from 0 (the column is better) to 10, or None if nothing is known.
    """

    step: int | None
    value: str
    text: str


def squares(bots: Sequence[str], against: HeadToHead) -> list[list[Square | None]]:
    """Return the cells by row and column, in the order of `bots`. A bot against itself is None."""
    return [[None if one == other else square(against.pairing(one, other).better) for other in bots] for one in bots]


def square(better: float | None) -> Square:
    """Return the cell of a probability."""
    if better is None:
        return Square(None, "", NOTHING)
    return Square(round(10 * better), f"{better:.6f}", likelihood(better))


def likelihood(better: float | None) -> str:
    """Return a probability as `probability` does, without its sign: the heading has it."""
    return NOTHING if better is None else probability(better).removesuffix(" %")

"""Lay out leaderboards and head to head as tables of a page: what is shown, and the full value that sorts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from markupsafe import Markup, escape

from arena.rating import RatingColumns
from arena.site.names import shown
from arena.standings.head_to_head import NEVER, Pairing
from arena.standings.lead import lead_in_words
from arena.standings.rows import LeaderboardRow

NOTHING: Final = "–"
MOST_SQUARED: Final = 40
"""The most bots in the table of who beats whom, which has the best."""
MOST_LINES: Final = 200
"""The most bots in a leaderboard, so that a page stays light."""


class Column(NamedTuple):
    """A column: `name` is what the JSON calls it, `label` its heading, `about` the heading in full."""

    name: str
    label: str
    about: str


class Cell(NamedTuple):
    """A cell: what is shown, and the full value, which is empty if nothing is known."""

    name: str
    value: str
    text: str


class BotRow(NamedTuple):
    """A bot's row."""

    rank: int
    bot: str
    suspended: bool
    cells: list[Cell]


class Table(NamedTuple):
    """A leaderboard."""

    columns: list[Column]
    lines: list[BotRow]
    rest: list[tuple[int, str]]
    """Rank and name of the bots beyond `MOST_LINES`, whose figures are on their own pages."""
    lead: str
    """Who leads, as markup. Empty without games, or if these rows are not a whole leaderboard."""


_NUMBERS: Final = (
    (Column("games", "games", "games that are rated"), "d"),
    (Column("mean_finish", "mean finish", "0 is always first, 1 always last"), ".3f"),
    (Column("mean_finish_error", "± error", "standard error of the mean finish"), ".3f"),
    (Column("wins", "wins", "share of games won; tied firsts share a win"), ".1%"),
)
_BEHIND: Final = (
    Column("faults", "faults", "faults by kind"),
    Column("retired", "retired", "games in which the bot was retired"),
    Column("median_ms", "median ms", "median time of a decision in milliseconds"),
    Column("p99_ms", "p99 ms", "99 % of the decisions took no longer, in milliseconds"),
)


def leaderboard_table(
    rows: Sequence[LeaderboardRow], rating: RatingColumns, ranks: Sequence[int] | None = None
) -> Table:
    """Return the table of these rows. `ranks` are their ranks in the leaderboard if they are only a part of it."""
    scores = sorted({name for row in rows for name in row.scores})
    columns = [
        Column(each.name, f"± {each.title}" if each.name in rating.errors else each.title, each.about)
        for each in rating.shown
    ]
    columns += [column for column, _ in _NUMBERS]
    columns += _BEHIND
    columns += [Column(f"score-{name}", shown(name, 20), "mean of this score of the game") for name in scores]
    placed = list(zip(range(1, len(rows) + 1) if ranks is None else ranks, rows, strict=True))
    lines = [BotRow(place, row.bot, row.suspended, _cells(row, rating, scores)) for place, row in placed[:MOST_LINES]]
    rest = [(place, row.bot) for place, row in placed[MOST_LINES:]]
    leaders = lead_in_words(rows, rating, lambda bot: f"<bdi>{escape(shown(bot))}</bdi>") if ranks is None else ""
    return Table(columns, lines, rest, Markup(leaders))


def _cells(row: LeaderboardRow, rating: RatingColumns, scores: Sequence[str]) -> list[Cell]:
    cells = [number(each.name, row.values[each.name], f".{each.places}f") for each in rating.shown]
    cells += [number(column.name, getattr(row, column.name), form) for column, form in _NUMBERS]
    kinds = ", ".join(f"{code} {count}" for code, count in row.faults.items() if count)
    cells.append(Cell("faults", str(sum(row.faults.values())), kinds or NOTHING))
    cells.append(number("retired", row.retired, "d"))
    cells += [number(name, getattr(row.times, name), ".1f") for name in ("median_ms", "p99_ms")]
    return cells + [number(f"score-{name}", row.scores.get(name), ".2f") for name in scores]


def number(name: str, value: float | None, form: str) -> Cell:
    """Return a number as a cell, whose full value is written as JSON writes it."""
    if value is None:
        return Cell(name, "", NOTHING)
    text = format(value, form).replace("%", " %")
    return Cell(name, repr(value), text.replace("-", "−"))


class Square(NamedTuple):
    """A cell of who beats whom.

    `step` is its colour, from 0 (the column is better) to 10, or None if nothing is known.
    """

    step: int | None
    value: str
    text: str


def squares(bots: Sequence[str], pairings: Mapping[tuple[str, str], Pairing]) -> list[list[Square | None]]:
    """Return the cells by row and column, in the order of `bots`. A bot against itself is None."""
    return [
        [None if one == other else square(pairings.get((one, other), NEVER).better) for other in bots] for one in bots
    ]


def square(better: float | None) -> Square:
    """Return the cell of a probability."""
    if better is None:
        return Square(None, "", NOTHING)
    return Square(round(10 * better), f"{better:.6f}", percent(better))


def percent(better: float | None) -> str:
    """Return a probability in percent, with <1 and >99 for what is almost certain."""
    if better is None:
        return NOTHING
    if better > 0.995:
        return ">99"
    return "<1" if better < 0.005 else f"{100 * better:.0f}"

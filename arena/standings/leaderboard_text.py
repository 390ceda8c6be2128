"""Write a leaderboard as text: for people, for Markdown and HTML pages, for spreadsheets and scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from tabulate import tabulate
from wcwidth import wrap as wrapped

from arena.common.authors import Author
from arena.common.printable import percent, printable, shorten
from arena.common.text_table import csv_row, least_width, natural_widths, no_formula, text_table, total_width
from arena.game.faults import FAULTS
from arena.ledger import Placing
from arena.rating import RatingColumn, RatingColumns, half
from arena.standings.lead import lead, lead_in_words, resolution_in_words
from arena.standings.rows import DecisionTimes, Leaderboard, LeaderboardRow

_SIDES: Final = {"bot": "left", "author": "left", "mean finish": "left", "scores": "left", "faults": "left"}
"""The alignment of columns that hold text; all others hold numbers."""
_NAME_WIDTH: Final = 13
_FAULT_WIDTH: Final = 14
"""Longer names and faults are wrapped before a column is dropped."""
_LINE: Final = 80
"""Columns of a line of text."""
_AUTHOR: Final = 40
"""The most characters of an author and a team in a table."""
_LEADER: Final = 40
"""The most characters of a name in such a line."""


def plain(board: Leaderboard, width: int | None = None) -> str:
    """Write a leaderboard for people, without scores and with fewer digits.

    Args:
        board: The leaderboard.
        width: The columns of the terminal, at least 60. Long names and many faults take several lines, and columns that
            do
            not fit even then are left out. None: one line for each bot, however long.
    """
    parts = []
    for title, rows in _tables(board):
        columns = _columns(rows, board, few=True)
        if width is not None:
            _drop_columns(columns, _dispensable(board.columns), width)
        align = [_SIDES.get(header, "right") for header in columns]
        cells = list(zip(*columns.values(), strict=True))
        table = text_table(list(columns), cells, width, align, sum(row.in_field for row in rows) or None)
        parts.append("\n".join([title, table, *wrapped(_lead(rows, board.columns), min(width or _LINE, _LINE))]))
    parts = [*_placing(board, width), *parts, *_scores(board, width)]
    notes = "\n".join([*wrapped(_meaning(board), min(width or _LINE, _LINE)), *_notes(board)])
    return "\n\n".join([*parts, notes] if notes else parts) + "\n"


def won_in_words(board: Leaderboard) -> str:
    """Say who won a knockout."""
    best = [printable(each.bot) for each in board.placings if each.place == 1]
    return f"{best[0]} won" if len(best) == 1 else f"{', '.join(best)} share the first place"


def went_out_in_words(placing: Placing, board: Leaderboard) -> str:
    """Say where a bot went out of a knockout."""
    if placing.withdrew:
        suspended = [row.bot for row in board.overall or () if row.suspended]
        return "suspended" if placing.bot in suspended else "withdrew"
    return "-" if placing.place == 1 else f"in stage {placing.stage + 1}"


def _placing(board: Leaderboard, width: int | None) -> list[str]:
    """Say how far each bot came in a knockout, which decides, before the ratings of all of its games."""
    if not board.placings:
        return []
    rows = [(str(each.place), printable(each.bot), went_out_in_words(each, board)) for each in board.placings]
    table = text_table(("place", "bot", "went out"), rows, width, ("right", "left", "left"))
    return [
        f"placing of the knockout\n{table}\n{won_in_words(board)}",
        "Ratings of all games, which decide nothing here:",
    ]


def _scores(board: Leaderboard, width: int | None) -> list[str]:
    """Say how each challenger of a gauntlet did against each of its opponents."""
    parts = []
    for one, scores in board.against.items():
        rows = [(printable(each.bot), *map(str, (each.games, each.ahead, each.ties, each.behind))) for each in scores]
        table = text_table(("against", "games", "ahead", "level", "behind"), rows, width, ("left", *("right",) * 4))
        parts += [f"{printable(one)} against each\n{table}"] if rows else []
    return parts


def _columns(rows: Sequence[LeaderboardRow], board: Leaderboard, few: bool = False) -> dict[str, list[str]]:
    """Make the columns by heading. `few`: those for people, with few digits; else those for a page."""
    scores = [", ".join(f"{key} {value:.3g}" for key, value in row.scores.items()) for row in rows]
    return {
        "#": [row.place(rank) for rank, row in enumerate(rows, start=1)],
        "bot": [_name(row) for row in rows],
        **_author_column(rows, board),
        **_rating_columns(rows, board.columns, few),
        "games": [str(row.games) for row in rows],
        "mean finish": [_finish(row) for row in rows],
        "wins": [percent(row.wins) for row in rows],
        **({} if few else {"scores": scores}),
        "faults": [_faults(row) for row in rows],
        **(
            {"ms/p99": [_short_times(row.times) for row in rows]}
            if few
            else {"ms (p99)": [_times(row.times) for row in rows]}
        ),
    }


def _author_column(rows: Sequence[LeaderboardRow], board: Leaderboard) -> dict[str, list[str]]:
    """Make the column of who made the bots; none if no bot says so."""
    names = [board.authors[row.bot].words if row.bot in board.authors else "" for row in rows]
    return {"author": [printable(shorten(name, _AUTHOR)) or "-" for name in names]} if any(names) else {}


def _rating_columns(rows: Sequence[LeaderboardRow], rating: RatingColumns, few: bool) -> dict[str, list[str]]:
    """Make the columns of the rating system, by heading. `few`: with short headings and few digits."""
    found = {}
    for column in rating.shown:
        if column.name == rating.error:
            continue  # it is shown after the column whose error it is
        found[rating.heading(column, few)] = [_number(row, column, rating, few) for row in rows]
    return found


def _number(row: LeaderboardRow, column: RatingColumn, rating: RatingColumns, few: bool) -> str:
    """Return what a column of the rating system says of a bot."""
    if column == rating.middle:
        return rating.in_words(row.values, row.bound, few)
    return f"{row.values[column.name]:.{column.few_places if few else column.places}f}"


def _dispensable(rating: RatingColumns) -> list[str]:
    """List the columns that are left out on a terminal which is too narrow, in the order in which they go."""
    rest = [column for column in rating.shown if column.name not in (rating.ranking, rating.error)]
    return ["author", *(rating.heading(column, few=True) for column in reversed(rest)), "ms/p99"]


def _drop_columns(columns: dict[str, list[str]], dispensable: Sequence[str], width: int) -> None:
    """Drop columns until there is room for names and faults, the last one only if no heading would fit otherwise."""
    for header in dispensable:
        widths = dict(
            zip(columns, natural_widths(list(columns), list(zip(*columns.values(), strict=True))), strict=True)
        )
        widths["bot"] = min(widths["bot"], _NAME_WIDTH)
        widths["faults"] = min(widths["faults"], _FAULT_WIDTH)
        if total_width(list(widths.values())) <= width:
            return
        columns.pop(header, None)
    if least_width(list(columns), list(zip(*columns.values(), strict=True))) > width:
        del columns["wins"]


def _github(board: Leaderboard) -> str:
    parts = [f"### placing of the knockout\n\n{_listed(board, _markdown)}"] if board.placings else []
    for title, rows in _tables(board):
        columns = _columns(rows, board)
        cells = [[_markdown(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
        align = [_SIDES.get(header, "right") for header in columns]
        table = tabulate(cells, list(columns), "github", disable_numparse=True, colalign=align)
        parts.append("\n\n".join([f"### {title}", table, *filter(None, [_paragraph(_lead(rows, board.columns))])]))
    return "\n\n".join(parts + [_markdown(line) for line in filter(None, [_meaning(board), *_notes(board)])]) + "\n"


def _html(board: Leaderboard) -> str:
    parts = []
    if board.placings:
        parts = ["<h2>placing of the knockout</h2>", f"<p>{_listed(board, escape)}</p>"]
    for title, rows in _tables(board):
        columns = _columns(rows, board)
        lines = zip(*columns.values(), strict=True)
        head = "".join(f"<th>{escape(header)}</th>" for header in columns)
        body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in lines)
        parts.append(
            f"<h2>{escape(title)}</h2>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        )
        parts += [f"<p>{escape(line)}</p>" for line in filter(None, [_lead(rows, board.columns)])]
    parts += [f"<p>{escape(line)}</p>" for line in filter(None, [_meaning(board), *_notes(board)])]
    return "\n".join(parts) + "\n"


def _listed(board: Leaderboard, escaped: Callable[[str], str]) -> str:
    """List the places of a knockout in one line."""
    return escaped("; ".join(f"{each.place}. {printable(each.bot)}" for each in board.placings))


def _csv(board: Leaderboard) -> str:
    """Write one row for each bot and table; `table` is `overall` or a number of players.

    `rank` is the place in the order of the ratings, and `best_place` to `worst_place` the rank band; a bot that is not
    in the field has none. `low` and `high` are the ends of the rating's interval; one that is not known is empty.
    `lead` is `leads` for a single leader, `within error` for one of several, or empty.
    """
    tables, rating = board.tables(), board.columns.names
    ends, plain = ("low", "high"), ("games", "mean_finish", "mean_finish_error", "wins", "retired", "suspended")
    scores = sorted({key for _, rows in tables for row in rows for key in row.scores})
    before = ("table", "rank", "best_place", "worst_place", "bot", "author", "team", "lead", *rating, *ends, *plain)
    behind = (*FAULTS, "median_ms", "p99_ms")
    # The name of a game's score may be that of a column.
    named = [f"score_{name}" if name in before + behind else name for name in scores]
    lines = [csv_row([*before, *named, *behind])]
    for table, rows in tables:
        found = lead(rows, board.columns)
        how = "leads" if found is not None and len(found.bots) == 1 else "within error"
        stands = {} if found is None or found.is_open else dict.fromkeys(found.bots, how)
        for rank, row in enumerate(rows, start=1):
            cells = [*(row.values[name] for name in rating), *(row.interval or (None, None))]
            cells += [getattr(row, key) for key in plain]
            cells += [*(row.scores.get(key) for key in scores), *(row.faults[key] for key in FAULTS)]
            cells += [row.times.median_ms, row.times.p99_ms]
            best, worst = (None, None) if row.band is None else row.band
            place = rank if row.in_field else None
            who = board.authors.get(row.bot) or Author()
            names = [no_formula(each) for each in (row.bot, printable(who.name), printable(who.team))]
            lines.append(csv_row([table, place, best, worst, *names, stands.get(row.bot), *cells]))
    return "".join(lines)


def json_text(data: Any, escaped: bool = False) -> str:
    """Write data as JSON for scripts, with all unprintable characters escaped; or all that are not ASCII."""
    return "".join(map(_escaped, json.dumps(data, indent=2, ensure_ascii=escaped))) + "\n"


def _escaped(char: str) -> str:
    return char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1]


TEXT_FORMATS: Final[dict[str, Callable[[Leaderboard], str]]] = {
    "plain": plain,
    "github": _github,
    "html": _html,
    "csv": _csv,
    "json": lambda board: json_text(board.data()),
}
"""The formats by name. Each function takes a leaderboard."""


def _tables(board: Leaderboard) -> list[tuple[str, list[LeaderboardRow]]]:
    return [(name if name == "overall" else f"{name} players", rows) for name, rows in board.tables()]


def _lead(rows: Sequence[LeaderboardRow], rating: RatingColumns) -> str:
    """Say who leads a table, in one line; empty if no game was played."""
    return lead_in_words(rows, rating, lambda bot: printable(shorten(bot, _LEADER)))


def _name(row: LeaderboardRow) -> str:
    return printable(row.bot) + (" (suspended)" if row.suspended else "")


def _finish(row: LeaderboardRow) -> str:
    if row.mean_finish is None:
        return "-"
    return f"{row.mean_finish:.3f}{half(row.mean_finish_error, 3)}"


def _times(times: DecisionTimes) -> str:
    return "-" if times.median_ms is None else f"{times.median_ms:.1f} ({times.p99_ms:.1f})"


def _short_times(times: DecisionTimes) -> str:
    both = (times.median_ms, times.p99_ms)
    return "/".join("-" if value is None else f"{value:.{1 if value < 10 else 0}f}" for value in both)


def _faults(row: LeaderboardRow) -> str:
    found = [f"{code} {count}" for code, count in row.faults.items() if count]
    if row.retired:
        found.append(f"retired {row.retired}")
    return ", ".join(found) or "-"


def _meaning(board: Leaderboard) -> str:
    """Say what places and ratings mean; empty if no game was played."""
    return board.note if any(row.games for _, rows in board.tables() for row in rows) else ""


def _notes(board: Leaderboard) -> list[str]:
    """Say why games and bots are not in the tables, in one line each; the JSON has the details."""
    notes = [f"uncontested: {board.uncontested.words}"] if board.uncontested.games else []
    notes += [f"suspended: {board.suspended_words}"] if board.suspended_games else []
    notes += [f"void: {board.void_words}"] if board.void_by_crash else []
    notes += [f"machines: {board.machine_words}"] if board.without_machines else []
    if board.failures:
        counts = ", ".join(f"{printable(bot)} {times}" for bot, times in board.failures.items())
        notes.append(f"failed games, which were dealt anew, by the bots that were in them: {counts}")
    if board.isolation:
        notes.append(f"isolation: {board.isolation_words}")
    if board.resolution is not None:
        notes += resolution_in_words(board.resolution)
    return notes + [f"left out: {printable(each.bot)}: {printable(each.gist)}" for each in board.left_out]


def _markdown(text: str) -> str:
    """Escape a text so that nothing in it is read as Markdown, HTML, a link or a user's name."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]#|~" else char for char in escape(text, quote=False))
    return escaped.replace("@", "&#64;").replace("://", "&#58;//").replace("www.", "www&#46;")


def _paragraph(text: str) -> str:
    """Escape a text that begins a line, so that it is not read as a list or a rule either."""
    return re.sub(r"^(\d*)([-+=.)])", r"\1\\\2", _markdown(text))

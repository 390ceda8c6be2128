"""A leaderboard as text: for people, for Markdown and HTML pages, for spreadsheets and scripts."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from tabulate import tabulate

from arena.common.csv_text import csv_row, no_formula
from arena.common.printable import printable, shorten
from arena.match.faults import FAULTS
from arena.standings.lead import lead, lead_in_words
from arena.standings.text_table import natural_widths, text_table, total_width

_HEADERS: Final = ("#", "bot", "rating", "mu ± sigma", "games", "mean finish", "wins", "scores", "faults", "ms (p99)")
_ALIGN: Final = ("right", "left", "right", "right", "right", "left", "right", "left", "left", "right")
_PLAIN_ALIGN: Final = {"bot": "left", "mean finish": "left", "faults": "left"}
"""All other columns hold numbers."""
_DISPENSABLE: Final = ("mu ± σ", "ms/p99")
"""Columns that a terminal which is too narrow goes without, in this order."""
_NAME_WIDTH: Final = 13
_FAULT_WIDTH: Final = 14
"""Names and faults longer than that are rather wrapped than to cost a column."""
_LINE: Final = 80
"""Columns of a line of words."""
_LEADER: Final = 40
"""Letters of a name in such a line."""


def plain(board: dict[str, Any], width: int | None = None) -> str:
    """Write a leaderboard for people: without scores, with fewer digits.

    `width`: columns of the terminal, at least 60: long names and many faults take several lines, and what does not fit
    even so is left out. None: a line a bot, however long.
    """
    parts = []
    for title, rows in _tables(board):
        columns = _plain_columns(rows)
        if width is not None:
            _drop_columns(columns, width)
        align = [_PLAIN_ALIGN.get(header, "right") for header in columns]
        table = text_table(list(columns), list(zip(*columns.values(), strict=True)), width, align)
        parts.append("\n".join([title, table, *textwrap.wrap(_lead(rows), _LINE)]))
    notes = "\n".join(_notes(board))
    return "\n\n".join([*parts, notes] if notes else parts) + "\n"


def _plain_columns(rows: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    return {
        "#": [str(rank) for rank, _ in enumerate(rows, start=1)],
        "bot": [_name(row) for row in rows],
        "rating": [f"{row['rating']:.2f}" for row in rows],
        "mu ± σ": [f"{row['mu']:.1f} ± {row['sigma']:.1f}" for row in rows],
        "games": [str(row["games"]) for row in rows],
        "mean finish": [_finish(row) for row in rows],
        "wins": [_wins(row) for row in rows],
        "faults": [_faults(row) for row in rows],
        "ms/p99": [_short_times(row["times"]) for row in rows],
    }


def _drop_columns(columns: dict[str, list[str]], width: int) -> None:
    """Leave out columns until names and faults have room."""
    for header in _DISPENSABLE:
        widths = dict(
            zip(columns, natural_widths(list(columns), list(zip(*columns.values(), strict=True))), strict=True)
        )
        widths["bot"] = min(widths["bot"], _NAME_WIDTH)
        widths["faults"] = min(widths["faults"], _FAULT_WIDTH)
        if total_width(list(widths.values())) <= width:
            return
        del columns[header]


def _github(board: dict[str, Any]) -> str:
    parts = []
    for title, rows in _tables(board):
        cells = [[_markdown(cell) for cell in row] for row in _rows(rows)]
        table = tabulate(cells, _HEADERS, "github", disable_numparse=True, colalign=_ALIGN)
        parts.append("\n\n".join([f"### {title}", table, *filter(None, [_paragraph(_lead(rows))])]))
    return "\n\n".join(parts + [_markdown(line) for line in _notes(board)]) + "\n"


def _html(board: dict[str, Any]) -> str:
    parts = []
    for title, rows in _tables(board):
        head = "".join(f"<th>{escape(header)}</th>" for header in _HEADERS)
        body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _rows(rows))
        parts.append(
            f"<h2>{escape(title)}</h2>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        )
        parts += [f"<p>{escape(line)}</p>" for line in filter(None, [_lead(rows)])]
    parts += [f"<p>{escape(line)}</p>" for line in _notes(board)]
    return "\n".join(parts) + "\n"


def _csv(board: dict[str, Any]) -> str:
    """One row a bot and table; `table` is `overall` or a number of players, `lead` whether it leads or nearly so."""
    tables = [*([("overall", board["overall"])] if "overall" in board else []), *board["players"].items()]
    plain = ("mu", "sigma", "rating", "games", "mean_finish", "mean_finish_error", "wins", "retired", "suspended")
    scores = sorted({key for _, rows in tables for row in rows for key in row["scores"]})
    before, behind = ("table", "rank", "bot", "lead", *plain), (*FAULTS, "median_ms", "p99_ms")
    # A game may call a score what we call a column.
    named = [f"score_{name}" if name in before + behind else name for name in scores]
    lines = [csv_row([*before, *named, *behind])]
    for table, rows in tables:
        found = lead(rows) or {"bots": [], "within_error_of": []}
        stands = dict.fromkeys(found["within_error_of"], "within error") | dict.fromkeys(found["bots"], "leads")
        for rank, row in enumerate(rows, start=1):
            cells = [row[key] for key in plain] + [row["scores"].get(key) for key in scores]
            cells += [row["faults"][key] for key in FAULTS] + [row["times"]["median_ms"], row["times"]["p99_ms"]]
            lines.append(csv_row([table, rank, no_formula(row["bot"]), stands.get(row["bot"]), *cells]))
    return "".join(lines)


def json_text(data: Any) -> str:
    """Data for scripts, with everything that is not printable escaped."""
    return "".join(map(_escaped, json.dumps(data, indent=2, ensure_ascii=False))) + "\n"


def _escaped(char: str) -> str:
    return char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1]


FORMATS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "plain": plain,
    "github": _github,
    "html": _html,
    "csv": _csv,
    "json": json_text,
}
"""Each takes what `leaderboard` gives."""


def _tables(board: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    overall = [("overall", board["overall"])] if "overall" in board else []
    return overall + [(f"{count} players", rows) for count, rows in board["players"].items()]


def _rows(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    return [[str(rank), *_cells(row)] for rank, row in enumerate(rows, start=1)]


def _cells(row: dict[str, Any]) -> list[str]:
    times = row["times"]
    return [
        _name(row),
        f"{row['rating']:.2f}",
        f"{row['mu']:.2f} ± {row['sigma']:.2f}",
        str(row["games"]),
        _finish(row),
        _wins(row),
        ", ".join(f"{key} {value:.3g}" for key, value in row["scores"].items()),
        _faults(row),
        "-" if times["median_ms"] is None else f"{times['median_ms']:.1f} ({times['p99_ms']:.1f})",
    ]


def _lead(rows: Sequence[dict[str, Any]]) -> str:
    """Who leads a table, in a line; nothing when no game was played."""
    return lead_in_words(rows, lambda bot: printable(shorten(bot, _LEADER)))


def _name(row: dict[str, Any]) -> str:
    return printable(row["bot"]) + (" (suspended)" if row["suspended"] else "")


def _finish(row: dict[str, Any]) -> str:
    if row["mean_finish"] is None:
        return "-"
    error = "" if row["mean_finish_error"] is None else f" ± {row['mean_finish_error']:.3f}"
    return f"{row['mean_finish']:.3f}{error}"


def _wins(row: dict[str, Any]) -> str:
    return "-" if row["wins"] is None else f"{100 * row['wins']:.0f} %"


def _short_times(times: dict[str, float | None]) -> str:
    return "/".join("-" if value is None else f"{value:.{1 if value < 10 else 0}f}" for value in times.values())


def _faults(row: dict[str, Any]) -> str:
    found = [f"{code} {count}" for code, count in row["faults"].items() if count]
    if row["retired"]:
        found.append(f"retired {row['retired']}")
    return ", ".join(found) or "-"


def _notes(board: dict[str, Any]) -> list[str]:
    """Why games and bots are not in the tables: in a line each, the rest stands in the JSON."""
    games = board["suspended_games"]
    notes = [f"suspended: {games} games of suspended bots do not count"] if games else []
    return notes + [f"left out: {printable(each['bot'])}: {_gist(each['reason'])}" for each in board["left_out"]]


def _gist(text: str) -> str:
    """The first line, in which the cause stands; a page or `arena show --faults` tells the rest."""
    return printable(text.strip().partition("\n")[0].strip()) or "no reason is known"


def _markdown(text: str) -> str:
    """Nothing in it may be read as Markdown or HTML, as a link or as somebody's name."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]#|~" else char for char in escape(text, quote=False))
    return escaped.replace("@", "&#64;").replace("://", "&#58;//").replace("www.", "www&#46;")


def _paragraph(text: str) -> str:
    """The same for a line that begins with such a text: it may not be a list or a rule either."""
    return re.sub(r"^(\d*)([-+=.)])", r"\1\\\2", _markdown(text))

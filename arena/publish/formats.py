"""A leaderboard as text: for people, for Markdown and HTML pages, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

from tabulate import tabulate

_HEADERS: Final = ("#", "bot", "rating", "mu ± sigma", "games", "mean finish", "wins", "scores", "faults", "ms (p99)")

_WIDE: Final = "scores"
"""Left out where lines should fit a terminal."""


def _plain(board: dict[str, Any]) -> str:
    parts = []
    for title, rows in _tables(board):
        narrow = [[cell for cell, header in zip(row, _HEADERS, strict=True) if header != _WIDE] for row in _rows(rows)]
        headers = [header for header in _HEADERS if header != _WIDE]
        parts.append(f"{title}\n{tabulate(narrow, headers, 'simple', disable_numparse=True)}")
    return "\n\n".join(parts + _left_out(board)) + "\n"


def _github(board: dict[str, Any]) -> str:
    parts = []
    for title, rows in _tables(board):
        cells = [[_markdown(cell) for cell in row] for row in _rows(rows)]
        parts.append(f"### {title}\n\n{tabulate(cells, _HEADERS, 'github', disable_numparse=True)}")
    return "\n\n".join(parts + [_markdown(line) for line in _left_out(board)]) + "\n"


def _html(board: dict[str, Any]) -> str:
    parts = []
    for title, rows in _tables(board):
        head = "".join(f"<th>{escape(header)}</th>" for header in _HEADERS)
        body = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _rows(rows))
        parts.append(
            f"<h2>{escape(title)}</h2>\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"
        )
    parts += [f"<p>{escape(line)}</p>" for line in _left_out(board)]
    return "\n".join(parts) + "\n"


def _csv(board: dict[str, Any]) -> str:
    """One row a bot and table; `table` is `overall` or a number of players."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    tables = [*([("overall", board["overall"])] if "overall" in board else []), *board["players"].items()]
    plain = ("bot", "mu", "sigma", "rating", "games", "mean_finish", "mean_finish_error", "wins", "retired", "benched")
    scores = sorted({key for _, rows in tables for row in rows for key in row["scores"]})
    faults = list(tables[0][1][0]["faults"]) if tables and tables[0][1] else []
    writer.writerow(["table", "rank", *plain, *scores, *faults, "median_ms", "p99_ms"])
    for table, rows in tables:
        for rank, row in enumerate(rows, start=1):
            cells = [row[key] for key in plain] + [row["scores"].get(key) for key in scores]
            cells += [row["faults"][key] for key in faults] + [row["times"]["median_ms"], row["times"]["p99_ms"]]
            writer.writerow([table, rank, *cells])
    return out.getvalue()


def _json(board: dict[str, Any]) -> str:
    return json.dumps(board, indent=2, ensure_ascii=False) + "\n"


FORMATS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "plain": _plain,
    "github": _github,
    "html": _html,
    "csv": _csv,
    "json": _json,
}
"""Each takes what `leaderboard` gives."""


def _tables(board: dict[str, Any]) -> list[tuple[str, list[dict[str, Any]]]]:
    overall = [("overall", board["overall"])] if "overall" in board else []
    return overall + [(f"{count} players", rows) for count, rows in board["players"].items()]


def _rows(rows: Sequence[dict[str, Any]]) -> list[list[str]]:
    return [[str(rank), *_cells(row)] for rank, row in enumerate(rows, start=1)]


def _cells(row: dict[str, Any]) -> list[str]:
    finish = "-" if row["mean_finish"] is None else f"{row['mean_finish']:.3f}"
    if row["mean_finish_error"] is not None:
        finish += f" ± {row['mean_finish_error']:.3f}"
    times = row["times"]
    return [
        row["bot"] + (" (benched)" if row["benched"] else ""),
        f"{row['rating']:.2f}",
        f"{row['mu']:.2f} ± {row['sigma']:.2f}",
        str(row["games"]),
        finish,
        "-" if row["wins"] is None else f"{100 * row['wins']:.0f} %",
        ", ".join(f"{key} {value:.3g}" for key, value in row["scores"].items()),
        _faults(row),
        "-" if times["median_ms"] is None else f"{times['median_ms']:.1f} ({times['p99_ms']:.1f})",
    ]


def _faults(row: dict[str, Any]) -> str:
    found = [f"{code} {count}" for code, count in row["faults"].items() if count]
    if row["retired"]:
        found.append(f"retired {row['retired']}")
    return ", ".join(found) or "-"


def _left_out(board: dict[str, Any]) -> list[str]:
    """Why bots take no part: first lines only, the rest stands in the JSON."""
    return [f"left out: {each['bot']}: {each['reason'].splitlines()[0]}" for each in board["left_out"]]


def _markdown(text: str) -> str:
    """Bot names are untrusted: nothing in them may be read as Markdown or HTML."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]()#+!|~" else char for char in escape(text, quote=False))

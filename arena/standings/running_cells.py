"""The rows of a running table as text: for a terminal and for a live page alike."""

from __future__ import annotations

from arena.rating import REACH, RatingColumns
from arena.standings.running import RunningRow


def rating_headings(columns: RatingColumns, in_page: bool = False) -> list[str]:
    """Return the ranking column with its error, if it has one: on a page with half of its interval of 95 % instead."""
    ranked, interval = columns.ranked, columns.interval
    if interval is None:
        return [ranked.symbol]
    if columns.is_centred:
        return [f"{ranked.symbol} ± {'95 %' if in_page else columns.column(interval.error).symbol}"]
    middle, error = columns.column(interval.middle), columns.column(interval.error)
    return [ranked.symbol, f"{middle.symbol} ± {error.symbol}"]


def rating_cells(row: RunningRow, columns: RatingColumns, in_page: bool = False) -> list[str]:
    """Return what stands below these headings."""
    ranked, interval = columns.ranked, columns.interval
    if not row.games:
        return ["-"] * len(rating_headings(columns))
    cells = [] if columns.is_centred else [f"{row.values[ranked.name]:.{ranked.few_places}f}"]
    if interval is not None:
        middle, error = columns.column(interval.middle), columns.column(interval.error)
        half = row.values[error.name] * (REACH if in_page and columns.is_centred else 1)
        both = f"{row.values[middle.name]:.{middle.few_places}f} ± {half:.{error.few_places}f}"
        cells.append(columns.one_sided(row.values, row.bound, middle.few_places) or both)
    return cells


def wins_cell(row: RunningRow) -> str:
    """Return the share of wins in percent."""
    return "-" if row.wins is None else f"{100 * row.wins:.0f} %"


def faults_cell(row: RunningRow) -> str:
    """Return the faults by code, or that the bot is suspended."""
    if row.suspended:
        return "suspended"
    return ", ".join(f"{code} {count}" for code, count in sorted(row.faults.items())) or "-"

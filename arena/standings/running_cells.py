"""The rows of a running table as text: for a terminal and for a live page alike."""

from __future__ import annotations

from arena.rating import RatingColumns
from arena.standings.running import RunningRow


def rating_headings(columns: RatingColumns) -> list[str]:
    """Return the ranking column with its interval, if it has one."""
    ranked, interval = columns.ranked, columns.interval
    if interval is None:
        return [ranked.symbol]
    if columns.is_centred:
        return [f"{ranked.symbol} ± {columns.column(interval.error).symbol}"]
    middle, error = columns.column(interval.middle), columns.column(interval.error)
    return [ranked.symbol, f"{middle.symbol} ± {error.symbol}"]


def rating_cells(row: RunningRow, columns: RatingColumns) -> list[str]:
    """Return what stands below these headings."""
    ranked, interval = columns.ranked, columns.interval
    if not row.games:
        return ["-"] * len(rating_headings(columns))
    cells = [] if columns.is_centred else [f"{row.values[ranked.name]:.{ranked.few_places}f}"]
    if interval is not None:
        parts = (columns.column(interval.middle), columns.column(interval.error))
        cells.append(" ± ".join(f"{row.values[part.name]:.{part.few_places}f}" for part in parts))
    return cells


def wins_cell(row: RunningRow) -> str:
    """Return the share of wins in percent."""
    return "-" if row.wins is None else f"{100 * row.wins:.0f} %"


def faults_cell(row: RunningRow, suspended: bool) -> str:
    """Return the faults by code, or that the bot is suspended."""
    if suspended:
        return "suspended"
    return ", ".join(f"{code} {count}" for code, count in sorted(row.faults.items())) or "-"

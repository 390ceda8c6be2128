"""Draw curves over games as lines of text: with plain characters for files and pipes, or with finer ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from wcwidth import ljust
from wcwidth import width as text_width

_ROWS: Final = 9
_LEAST: Final = 10
"""Columns of a curve, at least."""


class Curve(NamedTuple):
    """Values over games."""

    points: list[tuple[int, float]]
    """Pairs of the number of a game and the value after it, in order."""
    end: int
    """Up to which game the last value holds."""


class _Pen(NamedTuple):
    dot: str
    side: str
    corner: str
    base: str


_PLAIN: Final = _Pen("*", "|", "+", "-")
_FINE: Final = _Pen("•", "│", "└", "─")


def text_chart(
    curves: Sequence[Curve], games: int, marks: Sequence[tuple[int, str]], width: int, plain: bool = True
) -> str:
    """Draw curves.

    Args:
        curves: At least one; a later one covers an earlier one.
        games: The number of games across.
        marks: Texts below the axis, each where so many games had been played.
        width: Columns of a line, at most.
        plain: Use ASCII only.
    """
    pen = _PLAIN if plain else _FINE
    values = [value for curve in curves for _, value in curve.points]
    low, high = min(values), max(values)
    if high - low < 1:
        low, high = (low + high - 1) / 2, (low + high + 1) / 2
    labels = [f"{high - (high - low) * row / (_ROWS - 1):.1f}" for row in range(_ROWS)]
    margin = max(map(len, labels))
    columns = max(_LEAST, width - margin - 2)
    grid = [[" "] * columns for _ in range(_ROWS)]
    for curve in curves:
        for column, value in _sampled(curve, games, columns):
            grid[round((high - value) / (high - low) * (_ROWS - 1))][column] = pen.dot
    lines = [
        f"{label if row % 4 == 0 else '':>{margin}} {pen.side}{''.join(cells)}".rstrip()
        for row, (label, cells) in enumerate(zip(labels, grid, strict=True))
    ]
    lines.append(f"{'':>{margin}} {pen.corner}{pen.base * columns}")
    lines.append(f"{'':>{margin}}  {_below(games, marks, columns)}")
    return "\n".join(lines)


def _sampled(curve: Curve, games: int, columns: int) -> list[tuple[int, float]]:
    """Return the columns that a curve reaches, each with its last value there."""
    found: dict[int, float] = {}
    for number, value in curve.points:
        found[_column(number - 1, games, columns)] = value
    first, last = min(found), _column(curve.end - 1, games, columns)
    value = found[first]
    for column in range(first, max(last, max(found)) + 1):
        value = found.setdefault(column, value)
    return sorted(found.items())


def _below(games: int, marks: Sequence[tuple[int, str]], columns: int) -> str:
    """Return the line with the marks; one that finds no room is left out."""
    line = ""
    for place, text in sorted(marks):
        column = _column(place, games, columns)
        if column >= text_width(line) and column + text_width(text) <= columns:
            line = f"{ljust(line, column)}{text} "
    return line.rstrip()


def _column(game: int, games: int, columns: int) -> int:
    """Return the column of a game, counted from 0."""
    return max(0, min(columns - 1, game * columns // max(1, games)))

"""Everyone's rank (R-52, R-53)."""

from __future__ import annotations

from engine.ravensburger.state import RavensburgerPosition


def ranks(position: RavensburgerPosition) -> list[int]:
    """One rank a seat by square, furthest first, equal squares tie: only one pawn is ever in the goal."""
    squares = position.table.square
    return [1 + sum(other > own for other in squares) for own in squares]


def scores(position: RavensburgerPosition) -> list[dict[str, int]]:
    """The square, whether it is the goal (1) or not (0), and the cards in hand of every seat."""
    table = position.table
    return [
        {"square": square, "arrived": int(square == position.edition.goal), "cards": cards}
        for square, cards in zip(table.square, table.cards, strict=True)
    ]

"""Every seat's rank (R-52, R-53)."""

from __future__ import annotations

from engine.ravensburger.state import RavensburgerPosition


def ranks(position: RavensburgerPosition) -> list[int]:
    """Rank the seats by square, furthest first. Equal squares tie; only one pawn can ever be in the goal."""
    squares = position.table.square
    return [1 + sum(other > own for other in squares) for own in squares]


def scores(position: RavensburgerPosition) -> list[dict[str, int]]:
    """Return the square, whether it is the goal (1) or not (0), and the number of cards in hand of each seat."""
    table = position.table
    return [
        {"square": square, "arrived": int(square == position.edition.goal), "cards": cards}
        for square, cards in zip(table.square, table.cards, strict=True)
    ]

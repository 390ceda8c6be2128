"""The track: the kind of each square, and what a user's own board must satisfy (R-02, R-05)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.editions import Check
from engine.ravensburger.types.edition import RavensburgerBoard

PLAIN: Final = 0
ROSE_SQUARE: Final = 1
STAGE: Final = 2
SPYGLASS: Final = 3
HANDCUFFS_SQUARE: Final = 4
KINDS: Final = {"rose": ROSE_SQUARE, "stage": STAGE, "spyglass": SPYGLASS, "handcuffs": HANDCUFFS_SQUARE}
"""The special kinds, by the key under which a board lists their squares."""
GOALS: Final = range(2, 1001)


class Track:
    """A resolved board in the engine's own form."""

    __slots__ = ("goal", "kinds", "last_handcuffs")

    def __init__(self, data: RavensburgerBoard) -> None:
        """Convert the table `board` of a resolved edition."""
        self.goal: int = data["goal"]
        self.kinds = [PLAIN] * (self.goal + 1)  # by square
        squares: Mapping[str, Any] = data
        for name, kind in KINDS.items():
            for square in squares[name]:
                self.kinds[square] = kind
        # R-50 never applies on a board without handcuffs squares.
        self.last_handcuffs: int = max(data["handcuffs"], default=self.goal)


def check_board(check: Check, data: dict[str, Any]) -> None:
    """Check that start and goal are plain, each square has one kind, and all special squares lie between (R-05)."""
    goal = data["goal"]
    check.parameter(goal, "board.goal", GOALS)
    taken: dict[int, str] = {}
    for name in KINDS:
        for square in data[name]:
            key = f"board.{name}"
            fine = isinstance(square, int) and not isinstance(square, bool) and 0 < square < goal
            check.that(fine, key, f"squares from 1 to {goal - 1}, between start and goal, not {square!r}")
            check.that(square not in taken, key, f"one kind a square, and {square} is in board.{taken.get(square)}")
            taken[square] = name
    check.that(
        len(data["stage_names"]) == len(data["stage"]),
        "board.stage_names",
        f"one name for each of the {len(data['stage'])} stages, not {len(data['stage_names'])}",
    )

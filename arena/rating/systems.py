"""Name the rating systems, and choose one by its name."""

from __future__ import annotations

from typing import Final

from arena.common.allowed_words import refused
from arena.common.errors import ArenaError
from arena.rating.base import RatingSystem
from arena.rating.joint.systems import BRADLEY_TERRY, PLACKETT_LUCE, JointTrueSkill
from arena.rating.sequential_trueskill import SequentialTrueSkill

DEFAULT_SYSTEM: Final = "trueskill"
"""The name of the one that every command takes."""
SYSTEMS: Final[dict[str, RatingSystem]] = {
    DEFAULT_SYSTEM: JointTrueSkill(),
    "sequential": SequentialTrueSkill(),
    "plackett-luce": PLACKETT_LUCE,
    "bradley-terry": BRADLEY_TERRY,
}
"""By name."""


class RatingError(ArenaError):
    """There is no rating system of that name."""


def rating_system(name: str = DEFAULT_SYSTEM) -> RatingSystem:
    """Return the rating system of that name. Raises `RatingError` if there is none."""
    if name not in SYSTEMS:
        raise RatingError(f"rating: {refused(name, sorted(SYSTEMS))}")
    return SYSTEMS[name]

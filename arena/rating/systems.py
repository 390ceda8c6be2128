"""Name the rating systems, and choose one by its name."""

from __future__ import annotations

from typing import Final

from arena.common.allowed_words import refused
from arena.common.errors import ArenaError
from arena.rating.base import RatingSystem
from arena.rating.joint.systems import JointTrueSkill
from arena.rating.score_rating import ScoreRating
from arena.rating.sequential_trueskill import SequentialTrueSkill
from engine import catalog
from engine.rules import Score

DEFAULT_SYSTEM: Final = "trueskill"
"""The name of the one that every command takes where ranks alone count."""
SYSTEMS: Final[dict[str, RatingSystem]] = {
    DEFAULT_SYSTEM: JointTrueSkill(),
    "sequential": SequentialTrueSkill(),
}
"""Those that rate by ranks, by name."""
SCORE: Final = "score"
"""The name of the one that every command takes where the rules say what is played for."""
NAMES: Final = (DEFAULT_SYSTEM, SCORE, *list(SYSTEMS)[1:])
"""All that may be asked for."""


class RatingError(ArenaError):
    """There is no rating system of that name."""


def rating_system(name: str | None = None, game: str | None = None) -> RatingSystem:
    """Return a rating system.

    Args:
        name: Its name. None: the one that follows from the rules, `score` if they say what is played for.
        game: The name of the rules. None, or rules that are not installed: ranks alone count.

    Raises:
        RatingError: There is no such system, or the rules do not say what is played for.
    """
    if name in SYSTEMS:
        return SYSTEMS[name]
    if name not in (None, SCORE):
        raise RatingError(f"rating: {refused(name, sorted((*SYSTEMS, SCORE)))}")
    score = None if game is None else _score(game)
    if score is not None:
        return ScoreRating(score)
    if name is None:
        return SYSTEMS[DEFAULT_SYSTEM]
    raise RatingError(f"rating: score: {game} is not played for a score, or not installed; its bots are rated by rank")


def _score(game: str) -> Score | None:
    try:
        return catalog.rules(game).capabilities.score
    except catalog.UnknownRules:
        return None

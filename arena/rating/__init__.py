"""Rating games: a rated table, error bars and comparisons, as pure functions."""

from arena.rating.base import Interval, RatingColumn, RatingColumns, RatingInput, RatingSystem
from arena.rating.rated_table import RatedBot, compare, rate
from arena.rating.trueskill import TrueSkill

__all__ = [
    "Interval",
    "RatedBot",
    "RatingColumn",
    "RatingColumns",
    "RatingInput",
    "RatingSystem",
    "TrueSkill",
    "compare",
    "rate",
]

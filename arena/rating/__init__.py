"""Rating games: a rated table, error bars and comparisons, as pure functions."""

from arena.rating.base import Interval, RatingColumn, RatingColumns, RatingInput, RatingSystem
from arena.rating.order import OrderEstimate, SkillDifference
from arena.rating.rated_table import RatedBot, compare, finish, rate
from arena.rating.systems import DEFAULT_SYSTEM, SYSTEMS, RatingError, rating_system
from arena.rating.trueskill import TrueSkill

__all__ = [
    "DEFAULT_SYSTEM",
    "SYSTEMS",
    "Interval",
    "OrderEstimate",
    "RatedBot",
    "RatingColumn",
    "RatingColumns",
    "RatingError",
    "RatingInput",
    "RatingSystem",
    "SkillDifference",
    "TrueSkill",
    "compare",
    "finish",
    "rate",
    "rating_system",
]

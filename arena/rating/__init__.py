"""Games to a rated table, error bars and comparisons; pure."""

from arena.rating.rating import RatedBot, RatingInput, compare, rate

__all__ = ["RatedBot", "RatingInput", "compare", "rate"]

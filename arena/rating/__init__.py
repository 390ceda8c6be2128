"""Games to a rated table, error bars and comparisons; pure."""

from arena.rating.rating import Result, Standing, compare, rate

__all__ = ["Result", "Standing", "compare", "rate"]

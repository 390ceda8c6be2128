"""Games to a rated table, error bars and comparisons; pure."""

"""Views and actions as numbers, for programs that learn."""

from arena.features.form import Form

__all__ = ["Form"]

"""Create a folder with a working bot from one of the starter bots, for `arena new`."""

from arena.starters.make import make
from arena.starters.templates import ANY_LANGUAGE, Starter, StarterError, starter, starters

__all__ = ["ANY_LANGUAGE", "Starter", "StarterError", "make", "starter", "starters"]

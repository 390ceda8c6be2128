"""`arena new`: a folder with a bot that runs, made from one of the starter bots."""

from arena.starters.make import make
from arena.starters.templates import Starter, StarterError, starter, starters

__all__ = ["Starter", "StarterError", "make", "starter", "starters"]

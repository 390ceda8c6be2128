"""A bot on disk to a running process: manifest, build, start, watch, stop."""

from arena.entrants.build import BuildFailed, Built, build
from arena.entrants.expand import Entrant, Expansion, expand
from arena.entrants.launch import BotProcess, Exit, launch
from arena.entrants.manifest import EntrantError, Limits

__all__ = [
    "BotProcess",
    "BuildFailed",
    "Built",
    "Entrant",
    "EntrantError",
    "Exit",
    "Expansion",
    "Limits",
    "build",
    "expand",
    "launch",
]

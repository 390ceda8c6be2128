"""How a run of a tournament ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.ledger import Placing

ENOUGH: Final = 0.5
"""The share of the games asked for that must count if a run is to be called complete."""


@dataclass
class RunOutcome:
    """How a run ended."""

    folder: Path
    played: int = 0
    """Games played by this run."""
    rated: int = 0
    """How many places from the start of the schedule the tables cover."""
    counting: int = 0
    """Games that count of those that were asked for, which are between bots of the field."""
    asked: int | None = None
    """Games that were asked for; None: not a number of games."""
    set_aside: list[str] = field(default_factory=list)
    """Games that failed twice through our own fault."""
    suspended: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Bots that take no part, and why: the cause in the first line."""
    interrupted: bool = False
    commitment: str = ""
    """What has to be published before play can begin; nothing was played."""
    head: str = ""
    """Of the ledger's chain, at the end."""
    conclusions: list[str] = field(default_factory=list)
    """What the format has found out, in a line each."""
    placings: list[Placing] = field(default_factory=list)
    """How far each bot came in a knockout, best first."""

    @property
    def is_short(self) -> bool:
        """Return whether most of the games that were asked for could not be played."""
        return not self.interrupted and self.asked is not None and self.counting < ENOUGH * self.asked

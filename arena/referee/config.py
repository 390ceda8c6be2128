"""What a referee is made with, and what it reports of a bot's start. Both can be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.entrants import Built
from arena.match.clock import TimeControl
from arena.protocol.messages import Hello


@dataclass(frozen=True)
class RefereeConfig:
    """What all games of a referee have in common."""

    game: str
    edition: dict[str, Any]
    time: TimeControl
    bots: dict[str, Built]
    """The bots that the referee starts, by name."""
    manual: frozenset[str] = frozenset()
    """Names of bots that somebody starts by hand."""
    unlimited: frozenset[str] = frozenset()
    """Names of bots without a clock: their decisions may take any time."""
    trace: Path | None = None
    """The folder to which every message of every game is written."""
    kept: int = 32
    """So many bots of one referee run at once, those that rest included; more only if the open games need them."""


@dataclass(frozen=True)
class StartReport:
    """What the start-up check of a bot found."""

    name: str
    ok: bool
    reason: str = ""
    hello: Hello | None = None
    """What it said, also if that is why it cannot take part."""
    stderr: str = ""
    shortage: int = 0
    """The system's error number when the referee lacked what starting the bot takes, as `reason` says; 0: none."""

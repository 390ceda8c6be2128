"""The settings of a referee, and its report on a bot's start. Both can be sent to another process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.entrants import Built
from arena.game.clock import TimeControl
from arena.protocol.messages import Hello
from arena.referee.source import BY_HAND_SECONDS
from arena.referee.time.pause_queue import UNLIMITED_SECONDS
from engine.rules import Data


@dataclass(frozen=True)
class RefereeConfig:
    """What all games of a referee share."""

    game: str
    edition: Data
    time: TimeControl
    bots: dict[str, Built]
    """The bots that the referee starts, by name."""
    manual: frozenset[str] = frozenset()
    """Names of bots that somebody starts by hand."""
    unlimited: frozenset[str] = frozenset()
    """Names of bots without a clock: their decisions may take any time."""
    unlimited_pause: float = UNLIMITED_SECONDS
    """The longest pause for a bot without a clock, in seconds."""
    own_time: Mapping[str, TimeControl] = field(default_factory=dict)
    """By name of a bot that has a clock of its own: for its moves and bank, in place of `time`."""
    trace: Path | None = None
    """The folder to which every message of every game is written."""
    kept: int = 32
    """The most bots of one referee that run at once, resting ones included; exceeded only if open games need it."""
    manual_seconds: float = BY_HAND_SECONDS
    """Within which bots of `manual` are to be started, and started again if they have gone."""


@dataclass(frozen=True)
class StartReport:
    """The result of checking a bot's start."""

    name: str
    ok: bool
    reason: str = ""
    hello: Hello | None = None
    """Its `hello`, even if that is the reason why it cannot take part."""
    stderr: str = ""
    shortage: int = 0
    """The system's error number if the referee lacked the resources to start the bot; 0: it did not."""
    why: str = ""
    """What is behind the reason, in words; empty: only its last words say that."""

"""The description of a match to be played, which can be sent to another process."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class MatchSpec:
    """One game to be played."""

    id: str
    index: int
    """Its place in the schedule, from 0."""
    players: int
    block: int
    rotation: int
    seed: str
    """128 bits in hex."""
    bots: list[str] = field(default_factory=list)
    """By seat."""

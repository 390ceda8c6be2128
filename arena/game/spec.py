"""The description of a game to be played, which can be sent to another process."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class GameSpec:
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
    forfeits: tuple[int, ...] = ()
    """Seats that are retired from the start, without asking their bots: earlier attempts failed because of these."""

    def recorded(self) -> dict[str, Any]:
        """Return the fields that the game's record has too."""
        fields = asdict(self)
        del fields["forfeits"]
        return fields

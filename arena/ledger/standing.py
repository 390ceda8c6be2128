"""Read the state of a tournament from its ledger."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arena.ledger.ledger import Ledger
from arena.ledger.lock import is_locked


class Standing(NamedTuple):
    """How far a tournament is, and whether a process is playing it."""

    state: str
    """`playing`, `finished` or `stopped`."""
    played: int
    asked: int | None
    """The number of games asked for, or None if as many as the time allows."""
    settings: str
    """Everything else in the settings that can change the pages."""

    def data(self) -> dict[str, str | int | None]:
        """Return how far it is as data for pages."""
        return {"state": self.state, "played": self.played, "asked": self.asked}


def standing(folder: Path) -> Standing:
    """Return the state of the tournament in that folder. Raises `LedgerError` if there is none."""
    playing = is_locked(folder)
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
        played = ledger.played()
    state = "playing" if playing else "finished" if settings.finished else "stopped"
    return Standing(state, played, settings.rated.asked, repr(settings))

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
    expected: int | None
    """About how many games will have been played at the end; None: that is not known, or there are no more to come."""
    settings: str
    """Everything else in the settings that can change the pages."""

    def data(self) -> dict[str, str | int | None]:
        """Return how far it is as data for pages."""
        return {"state": self.state, "played": self.played, "expected": self.expected}


def standing(folder: Path) -> Standing:
    """Return the state of the tournament in that folder. Raises `LedgerError` if there is none."""
    playing = is_locked(folder)
    with Ledger.open(folder) as ledger:
        settings = ledger.settings
        played = ledger.played()
    state = "playing" if playing else "finished" if settings.finished else "stopped"
    return Standing(state, played, settings.rated.expected, repr(settings))

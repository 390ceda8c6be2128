"""How a tournament stands, read from its ledger."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from arena.ledger.ledger import Ledger
from arena.ledger.lock import is_locked


class Standing(NamedTuple):
    """How far a tournament is, and whether somebody plays it."""

    state: str
    """`playing`, `finished` or `stopped`."""
    played: int
    asked: int | None
    """None: as many as the time allows."""
    settings: str
    """Everything else that can change what the pages say."""


def standing(folder: Path) -> Standing:
    """Read how the tournament in that folder stands. Raises `LedgerError`."""
    playing = is_locked(folder)
    with Ledger.open(folder) as ledger:
        meta = ledger.meta
        played = len(ledger.ids())
    state = "playing" if playing else "finished" if meta.get("finished") else "stopped"
    return Standing(state, played, meta["rated"]["games"], repr(meta))

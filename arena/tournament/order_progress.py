"""Say while games are played how much of the order is known, in a tournament that ends when all of it is."""

from __future__ import annotations

from arena.common.progress import Progress
from arena.formats import Decisive, Field, Format, UntilResolved


class OrderProgress:
    """Says it whenever more neighbours are told apart or tied than ever before."""

    def __init__(self, format: Format, progress: Progress) -> None:
        """`progress`: gets what is said."""
        self._format = format
        self._progress = progress
        self._most = 0

    def note(self, field: Field, games: int) -> None:
        """Look at what is known. `games`: how many the schedule has so far."""
        if not isinstance(self._format, Decisive | UntilResolved):
            return
        verdicts = self._format.resolution(field).verdicts
        known = sum(verdict.kind != "undecided" for verdict in verdicts)
        if known > self._most:
            self._most = known
            self._progress.say(f"order: {known} of {len(verdicts)} neighbours are told apart or tied, by game {games}")

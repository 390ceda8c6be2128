"""Who is suspended: a bot that retired in three games in a row plays no more.

Decided on the schedule's gapless beginning, so that it does not depend on which worker was quicker: games beyond a gap
wait, and what a bot has played after its third is left out as if it had not been played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

IN_A_ROW: Final = 3


class Suspensions:
    """Follow the games in the order of the schedule, and suspend bots that keep failing."""

    def __init__(self) -> None:
        """Begin with nobody suspended."""
        self.suspended: dict[str, int] = {}
        """By bot: the place in the schedule from which on its games are left out."""
        self._in_a_row: dict[str, int] = {}
        self.reached = 0
        """Of all places before this one it is known whether a game was played there."""
        self._waiting: dict[int, tuple[Sequence[str], Sequence[int]] | None] = {}

    def played(self, index: int, bots: Sequence[str], retired: Sequence[int]) -> list[str]:
        """Note that the game at that place was played, and return the bots that it suspends. `retired`: seats."""
        self._waiting[index] = (bots, retired)
        return self._go_on()

    def missing(self, index: int) -> list[str]:
        """Note that there will be no game at that place, and return the bots that are suspended by that."""
        self._waiting[index] = None
        return self._go_on()

    def excludes(self, bots: Sequence[str], index: int) -> bool:
        """Return whether a game of these bots at that place is left out."""
        return any(bot in self.suspended and index >= self.suspended[bot] for bot in bots)

    def _go_on(self) -> list[str]:
        newly = []
        while self.reached in self._waiting:
            game = self._waiting.pop(self.reached)
            if game is not None and not self.excludes(game[0], self.reached):
                bots, retired = game
                for seat, bot in enumerate(bots):
                    self._in_a_row[bot] = self._in_a_row.get(bot, 0) + 1 if seat in retired else 0
                    if self._in_a_row[bot] == IN_A_ROW:
                        self.suspended[bot] = self.reached + 1
                        newly.append(bot)
            self.reached += 1
        return newly

"""Put results in the order of the schedule: formats read them in that order, and bots are suspended in it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from arena.tournament.formats import GameResult
from arena.tournament.suspension import Suspensions


class TournamentHistory:
    """Collects results in any order, and gives them in the order of the schedule."""

    def __init__(self) -> None:
        """Start with no game played."""
        self.suspensions = Suspensions()
        self._played: dict[int, GameResult] = {}

    def played(self, index: int, result: GameResult) -> list[str]:
        """Add the game at that place of the schedule, and return the bots that it suspends."""
        self._played[index] = result
        return self.suspensions.played(index, result.bots, result.retired)

    def missing(self, index: int) -> list[str]:
        """Note that there will be no game at that place. Returns as `played` does."""
        return self.suspensions.missing(index)

    def history(self, ends: Sequence[int]) -> list[list[GameResult]] | None:
        """Give the games that count, by round. None: some are still to be played.

        `ends`: by round, the place in the schedule behind its last game.
        """
        if ends and self.suspensions.reached < ends[-1]:
            return None
        return [
            [
                self._played[index]
                for index in range(begin, end)
                if index in self._played and not self.suspensions.excludes(self._played[index].bots, index)
            ]
            for begin, end in pairwise([0, *ends])
        ]

"""Play tournaments and read them from Python: docs/use-from-python.md.

What `__all__` names stays as it is until the next major version, like the command line and the protocol. All other
modules of `arena` may change at any time, but for `arena.client`, which bots import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from arena.common.errors import ArenaError
from arena.common.progress import Silent
from arena.ledger import Ledger
from arena.rating import rating_system
from arena.replays.replayed import replayed
from arena.standings import leaderboard, rated_results
from arena.standings.leaderboard_text import plain
from arena.tournament.plan import Plan, PlanError
from arena.tournament.run import run
from engine import catalog

__all__ = ["ArenaError", "Plan", "Tournament", "play"]


class Tournament:
    """A tournament on disk, to be read: finished, stopped or while another process plays it."""

    def __init__(self, folder: Path | str) -> None:
        """Name the folder. Raises `ArenaError` if there is no tournament in it."""
        self.folder = Path(folder)
        with Ledger.open(self.folder):
            pass

    def leaderboard(self, players: int | None = None, rating: str | None = None) -> dict[str, Any]:
        """Rate the games and return what `arena leaderboard --json` prints.

        Args:
            players: Only the table of games of this number of players; None: the overall table and one for each number.
            rating: The name of a rating system. None: the one that follows from the rules.
        """
        with Ledger.open(self.folder) as ledger:
            system = rating_system(rating, ledger.settings.game)
            results = rated_results(ledger)
            played = sorted({result.players for result in results})
            if players is not None and players not in played:
                raise ArenaError(f"players {players}: {self.folder} has games of {', '.join(map(str, played))}")
            return leaderboard(ledger, players, results=results, system=system).data()

    def text(self) -> str:
        """Rate the games and return the tables as `arena leaderboard` prints them, with a line for each bot."""
        with Ledger.open(self.folder) as ledger:
            return plain(leaderboard(ledger))

    def games(self) -> Iterator[dict[str, Any]]:
        """Yield the games that the tables count: `id` and, by seat, `bots` and `ranks`."""
        with Ledger.open(self.folder) as ledger:
            results = rated_results(ledger)
        for result in results:
            yield {"id": result.id, "bots": list(result.bots), "ranks": list(result.ranks)}

    def replay(self, game: str, seat: int | None = None) -> dict[str, Any]:
        """Play a recorded game again from its seed and return what `arena replay --json` prints.

        Args:
            game: The id of the game.
            seat: Only what this seat saw; None: everything.
        """
        with Ledger.open(self.folder) as ledger:
            record, settings = ledger.game(game), ledger.settings
        if seat is not None and not 0 <= seat < record.players:
            raise ArenaError(f"seat {seat}: {game} has the seats 0 to {record.players - 1}")
        return replayed(record, catalog.rules(settings.game), settings.edition, seat)


def play(plan: Plan, say: Callable[[str], object] | None = None) -> Tournament:
    """Play a tournament, or go on with it, until what the plan asks for is played.

    Workers are processes that import the main module again: call this below `if __name__ == "__main__":`.

    Args:
        plan: What is asked for. Its fields are the keys of a plan file.
        say: Called with each message, such as that a bot is left out, perhaps from another thread.

    Raises:
        ArenaError: Something of the plan, its bots or its folder is wrong; the text says what, where and what to do.
        KeyboardInterrupt: Ctrl-C. What was played is kept, and the same plan goes on.
    """
    if plan.cluster is not None:
        raise PlanError("cluster: only the command `arena tournament` plays on a cluster", "cluster")
    outcome = run(plan, _Messages(say))
    if outcome.interrupted:
        raise KeyboardInterrupt
    return Tournament(outcome.folder)


class _Messages(Silent):
    """Progress that only passes messages on."""

    def __init__(self, say: Callable[[str], object] | None) -> None:
        self._say = say

    def say(self, text: str) -> None:
        if self._say is not None:
            self._say(text)

"""Put results in the order of the schedule: formats read them in that order, and bots are suspended in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.formats import GameOutcome, PlayedBlock
from arena.ledger import BlockRecord, FieldEvent
from arena.tournament.schedule.suspension import ConductInGame, Suspensions


class TournamentHistory:
    """Collects results in any order, and gives them in the order of the schedule."""

    def __init__(self, events: Iterable[FieldEvent] = ()) -> None:
        """Start with no game played. `events`: those of the field, in their order."""
        self.suspensions = Suspensions(events)
        self._played: dict[int, GameOutcome] = {}
        self.missing_places: set[int] = set()
        """Where there is no game, and there will be none."""

    def played(self, index: int, result: GameOutcome, crashed: Sequence[int], idle: Sequence[int]) -> list[str]:
        """Add the game at that place of the schedule, and return the bots that it suspends.

        `crashed`, `idle`: see `ConductInGame`.
        """
        self._played[index] = result
        return self.suspensions.played(index, result.bots, ConductInGame(result.retired, crashed, idle))

    def missing(self, index: int) -> list[str]:
        """Note that there will be no game at that place. Returns as `played` does."""
        self.missing_places.add(index)
        return self.suspensions.missing(index)

    def is_known(self, end: int) -> bool:
        """Return whether all is known of the games before that place."""
        return self.suspensions.reached >= end

    def take(self, blocks: Sequence[BlockRecord]) -> list[PlayedBlock]:
        """Return the games of these blocks that count, and forget them. All must be known."""
        taken = []
        for block in blocks:
            places = range(block.place, block.place + len(block.bots))
            results = [(place, self._played.pop(place, None)) for place in places]
            games = [
                game for place, game in results if game is not None and not self.suspensions.excludes(game.bots, place)
            ]
            taken.append(PlayedBlock(block.bots, games))
        return taken

"""Write games that have ended to the ledger of a run, void ones too, with who is charged for those."""

from __future__ import annotations

from collections.abc import Sequence

from arena.ledger import GameSummary, Ledger, LedgerError, VoidRecord
from arena.tournament.schedule.void_games import VoidGames
from arena.tournament.workers import PlayedGame


class GameRecorder:
    """Writes the games of one run."""

    def __init__(self, ledger: Ledger, void_games: VoidGames) -> None:
        """Take the ledger, open to write, and the attempts that failed so far, to which later ones are added."""
        self._ledger = ledger
        self._void_games = void_games
        self._place: tuple[dict[str, str], str | None] | None = None
        """On what machine of others the last game was played, and how its bots were kept apart."""

    def record(self, ended: Sequence[PlayedGame]) -> int:
        """Write these games in one transaction, with their page data, and return how many of them are not void.

        Raises `LedgerError`: one cannot be written; those before it are.
        """
        with self._ledger.together():
            for played in ended:
                game = played.summary
                if game.ending == "void":
                    self._record_void(game, played.lost)
                elif played.packed is None:
                    raise LedgerError(f"game {game.id} is {game.error}")
                else:
                    self._note_place(played)
                    self._ledger.record_packed(game, played.packed, played.page_data)
        return sum(played.summary.ending != "void" for played in ended)

    def _record_void(self, game: GameSummary, lost: int) -> None:
        charged = self._void_games.whom_to_charge(game.id, game.bots, lost)
        attempt = len(self._void_games.of(game.id)) + 1
        void = VoidRecord(game.id, attempt, game.bots, game.error, lost, charged)
        self._ledger.record_void(void)
        self._void_games.add(void)

    def _note_place(self, played: PlayedGame) -> None:
        """Add to the ledger where a game was played, if that is elsewhere than the game recorded before it."""
        if played.machine is None or self._place == (place := (dict(played.machine), played.isolation)):
            return
        self._place = place
        if played.isolation is not None:
            self._ledger.note_isolation(played.isolation)
        self._ledger.note_machine(played.machine)

"""The description of a game to be played, which can be sent to another process."""

from __future__ import annotations

from arena.ledger.records import PlannedGame


class GameSpec(PlannedGame, frozen=True):
    """One game to be played."""

    forfeits: tuple[int, ...] = ()
    """Seats that are retired from the start, without asking their bots: earlier attempts failed because of these."""
    openings: int = 0
    """How many random actions begin it: see `arena.game.opening`."""
    answers: tuple[tuple[int, int], ...] = ()
    """What was answered before the arena was killed, as indices of actions, each with its microseconds."""
    is_fresh: bool = False
    """Whether every bot begins it in a new process, because others of its block have the same deal."""

"""The attempts at games that were void, through no fault that a bot was seen to make.

An attempt is void when its worker ends, when the referee or the rules fail, when the system lacks what a bot's start
needs (`arena.referee.games.OpenGames.void`), or when a person leaves the table or ends the arena.
`arena.tournament.schedule.void_games` decides what becomes of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

ATTEMPTS: Final = 2
"""A game that failed so often by itself (`VoidRecord.lost` at most 1), with nobody to be charged, is set aside.

Others are played in its stead."""


class VoidRecord(msgspec.Struct, frozen=True):
    """An attempt at a game that was void."""

    game: str
    attempt: int
    """From 1."""
    bots: list[str]
    """By seat."""
    error: str
    lost: int = 0
    """How many games were lost together because their worker ended, this one included; 0: it did not end."""
    charged: str | None = None
    """The bot to which the failure is charged, so that the game is played without it."""


def is_set_aside(voids: Sequence[VoidRecord]) -> bool:
    """Return whether a game of which these attempts were void will not be played any more."""
    return sum(void.lost <= 1 for void in voids) >= ATTEMPTS and voids[-1].charged is None


def set_aside(voids: Iterable[VoidRecord]) -> set[str]:
    """Return the ids of the games that will not be played any more. `voids`: those of a ledger, in their order."""
    games: dict[str, list[VoidRecord]] = {}
    for void in voids:
        games.setdefault(void.game, []).append(void)
    return {game for game, attempts in games.items() if is_set_aside(attempts)}

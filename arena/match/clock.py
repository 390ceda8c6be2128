"""How much time a bot has."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from arena.protocol.messages import Clock

_LONGEST: Final = 1e9
"""Seconds. Within it every wait and every number that a bot is told can be written down."""
Seconds = Annotated[float, msgspec.Meta(ge=0, le=_LONGEST)]


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time limits and strikes of a tournament; times in seconds."""

    start: Annotated[float, msgspec.Meta(gt=0, le=_LONGEST)] = 10.0
    """From its start to a bot's `hello`."""
    move: Seconds = 0.05
    """Free for every decision."""
    bank: Seconds = 5.0
    """For a whole game: what exceeds `move` comes out of it."""
    strikes: Annotated[int, msgspec.Meta(ge=1)] = 3
    """Strikes that a seat has in a game. With the last one it retires."""
    ponder: bool = False
    """Bots run on while nobody waits for them, each on a core of its own where there are enough."""


class SeatClock:
    """What one seat has left in one game."""

    def __init__(self, time: TimeControl) -> None:
        """Begin with a full bank."""
        self._move = time.move
        self._set(time.bank)

    def charge(self, seconds: float) -> None:
        """Charge a decision that took so long: what exceeds the free time comes out of the bank."""
        if seconds > self._move:
            self._set(max(0.0, self._bank - (seconds - self._move)))

    def _set(self, bank: float) -> None:
        self._bank = bank
        self.allowed = self._move + bank
        """Seconds that the next decision may take."""
        self.shown = Clock(round(self._move * 1000), int(bank * 1000))
        """The same in the messages to the bot."""

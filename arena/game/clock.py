"""The time limits of a game, and the time that a seat has left.

A seat is charged here (`SeatClock.charge`) by `arena.game.game.Game` for each answer to the open question, and when
none came in time. How many seconds, and when time is up, says `arena.referee.time.stopwatch.Stopwatch`. To be late is
a fault besides (`arena.game.faults`).
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from arena.protocol.messages import Clock

_LONGEST: Final = 1e9
"""The largest time limit in seconds, so that every wait and every number in a message can be represented."""
Seconds = Annotated[float, msgspec.Meta(ge=0, le=_LONGEST)]


OnCrash = Literal["substitute", "loss", "void"]
"""What follows when a bot crashes, stays mute or answers late. Its seat is ranked behind those that stayed.

- `substitute`: a late answer costs a strike, and the substitute moves; after the last strike, and after a crash, the
  seat retires.
- `loss`: the first late answer retires the seat, too.
- `void`: so it does, and of the first games that a bot loses in this way none counts: see
  `arena.tournament.schedule.history.MOST_VOID`.
"""


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time limits of a tournament, in seconds, its strikes, and what a crash and a late answer cost."""

    start: Annotated[float, msgspec.Meta(gt=0, le=_LONGEST)] = 10.0
    """From a bot's start to its `hello`."""
    move: Seconds = 0.05
    """Free time for every decision."""
    bank: Seconds = 5.0
    """Additional time for a whole game: what a decision takes beyond `move` is subtracted from it."""
    strikes: Annotated[int, msgspec.Meta(ge=1)] = 3
    """Strikes that a seat has in a game. It retires with the last one."""
    on_crash: OnCrash = "substitute"
    """What a crash costs, and a late answer: see `OnCrash`."""
    ponder: bool = False
    """Bots keep running while no game waits for them, each on a core of its own if there are enough."""


class SeatClock:
    """The time that one seat has left in one game."""

    def __init__(self, time: TimeControl) -> None:
        """Begin with a full bank."""
        self._move = time.move
        self._set(time.bank)

    def charge(self, seconds: float) -> None:
        """Charge a decision that took this many seconds: what exceeds the free time comes out of the bank."""
        if seconds > self._move:
            self._set(max(0.0, self._bank - (seconds - self._move)))

    def _set(self, bank: float) -> None:
        self._bank = bank
        self.allowed = self._move + bank
        """Seconds that the next decision may take."""
        self.shown = Clock(round(self._move * 1000), int(bank * 1000))
        """The free time and the bank as bots see them, in milliseconds."""

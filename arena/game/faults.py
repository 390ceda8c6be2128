"""The faults of bots and the cost of each, as in `protocol.md`.

`arena.referee` notices them, as `arena.referee.time.stopwatch.Stopwatch.check_late` does a late answer; the methods of
`arena.game.game.Game` (`late`, `malformed`, `fault`) charge them.
"""

from __future__ import annotations

from enum import Enum
from typing import Final


class FaultCost(Enum):
    """What a fault costs the seat."""

    STRIKE = "a strike and the substitute's move"
    RETIRE = "the seat retires"
    FREE = "nothing; what was sent is dropped"


FAULTS: Final = {
    "illegal": FaultCost.STRIKE,
    "malformed": FaultCost.STRIKE,
    "late": FaultCost.STRIKE,
    "stale": FaultCost.FREE,
    "oversize": FaultCost.RETIRE,
    "flood": FaultCost.RETIRE,
    "crash": FaultCost.RETIRE,
    "mute": FaultCost.RETIRE,
    "impostor": FaultCost.RETIRE,
}
"""The faults by their codes, which are counted, sent to the bot and published."""

CRASHES: Final = frozenset({"crash", "mute", "late"})
"""Faults by which a bot falls silent, for which `arena.game.clock.OnCrash` says who pays."""
MOST_FREE_FAULTS: Final = 8
"""Faults of a seat in a game that cost nothing and are recorded; of further ones only the number is."""
FLOOD_FRAMES: Final = 64
"""Frames that a bot may send between two decisions; one more is a `flood`."""
FLOOD_CONNECTIONS: Final = 8
"""Connections that a bot may make between two decisions; one more is a `flood`. Most bots make only one."""

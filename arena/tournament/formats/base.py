"""What a format is: it reads the results of earlier rounds and draws the blocks of the next one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol


class Field(NamedTuple):
    """Who plays, and in games of how many players."""

    bots: tuple[str, ...]
    """Names, sorted."""
    counts: tuple[int, ...]
    """Player counts, ascending; none exceeds the number of bots."""


class Block(NamedTuple):
    """A group of bots that plays as many games as it has bots, one from each rotation of this order."""

    bots: list[str]


class GameResult(NamedTuple):
    """What a format may know of a game. Lists are by seat."""

    bots: Sequence[str]
    ranks: Sequence[int]
    """1 is best, equal numbers tie."""
    scores: Sequence[Mapping[str, int]]
    retired: Sequence[int]
    """Seats whose bots retired."""


History = Sequence[Sequence[GameResult]]
"""By round, from round 0: its games in the order of the schedule.

Games that a suspended bot was to play, or that failed twice through our own fault, are left out.
"""


class Format(Protocol):
    """Draws a tournament round by round. It is made from the tournament's seed."""

    @property
    def reads_results(self) -> bool:
        """Whether `round` reads its history. If not, it is given none, and no worker waits for a result."""

    def round(self, number: int, field: Field, history: History) -> list[Block]:
        """Draw round `number`, counted from 0. An empty list ends the tournament.

        `history` ends with the round before the last one drawn: round 5 is drawn while round 4 is played, from the
        results of rounds 0 to 3. The same arguments give the same blocks, whatever was drawn in between.
        """

"""What a tournament has found out about the order of its bots."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class NeighbourVerdict(msgspec.Struct, frozen=True):
    """What is known of two neighbours in the order."""

    upper: str
    lower: str
    kind: Literal["apart", "tied", "undecided"]
    """`apart`: the upper one is better. `tied`: they differ by less than the margin."""
    games: int
    """Those in which both played, and which were looked at."""
    difference: float | None
    """By how much the upper one finished before the lower one in these, on average. None without a game."""


class Contradiction(msgspec.Struct, frozen=True):
    """Two bots of which the lower one is known to be better: some are better than each other in a circle."""

    upper: str
    lower: str
    games: int
    """Those in which both played, and which were looked at."""
    difference: float | None
    """By how much the upper one finished before the lower one in these, on average: less than 0."""


class Resolution(msgspec.Struct, frozen=True):
    """What is known of an order, all of it at once."""

    error: float
    """The probability that anything of it is wrong, however often one has looked."""
    margin: float
    """The difference of mean finishes below which two bots are tied."""
    verdicts: list[NeighbourVerdict]
    """Of every two neighbours, from the best two down."""
    contradictions: list[Contradiction] = []
    """Of other bots, all that no order can agree with as well. Without a circle there are none."""
    joined: int = 0
    """How many bots and versions joined after the first round, if that is counted."""

    @property
    def are_neighbours_known(self) -> bool:
        """Return whether every two neighbours are apart or tied, so that more games would change nothing."""
        return all(verdict.kind != "undecided" for verdict in self.verdicts)

    @property
    def is_resolved(self) -> bool:
        """Return whether every two neighbours are apart or tied, and the order agrees with all that is known."""
        return self.are_neighbours_known and not self.contradictions

    def data(self) -> dict[str, Any]:
        """Return the resolution as plain data, with whether all is resolved."""
        return {"resolved": self.is_resolved, **msgspec.to_builtins(self)}

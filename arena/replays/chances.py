"""The chances to win as a game goes on, by what lies open.

A game that is `engine.picture.Explained` says how strong each position is. Its formula was fitted to finished games, so
the chances are those of the bots in `bots/` in such a position, not of the bots that play here.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

WHOLE: Final = 1000
"""Chances are counted in parts of this."""
Chances = list[int]
Turn = tuple[int, Chances]
"""The number of public steps at the end of a turn, and each seat's chance there."""


def shares(strengths: Sequence[float]) -> Chances:
    """Return the chances of seats of these strengths, in parts of `WHOLE`."""
    top = max(strengths)
    powers = [exp(max(each - top, -50.0)) for each in strengths]
    return [round(WHOLE * each / sum(powers)) for each in powers]


def final(ranks: Sequence[int]) -> Chances:
    """Return the chances when the game is over: all for the winner, or divided among those who share the first rank."""
    best = min(ranks)
    winners = sum(rank == best for rank in ranks)
    return [round(WHOLE / winners) if rank == best else 0 for rank in ranks]

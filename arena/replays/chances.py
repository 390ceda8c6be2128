"""The chances to win as a game goes on, by what lies open, and the turns at which they changed most.

A game that is `engine.picture.Explained` says how strong each position is. Its formula was fitted to finished games, so
the chances are those of the bots in `bots/` in such a position, not of the bots that play here.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import exp
from typing import Any, Final

from engine.game import Data

WHOLE: Final = 1000
"""Chances are counted in parts of this."""
TURNING: Final = 120
"""The least change of a chance that makes a turn a turning point, in parts of `WHOLE`."""
MOST: Final = 4
"""The most turning points of a game."""

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


def turning_points(turns: Sequence[Turn], steps: Sequence[Sequence[Any]], over: bool = False) -> list[Data]:
    """Return the turns that changed the chances most, in their order.

    Args:
        turns: The chances at the ends of all turns.
        steps: The public steps, as in the page data.
        over: The last turn ends the game.

    Returns:
        For each its `step`, the number of steps after which to look at it; `seat`, whose chance changed most, and its
        chances `before` and `after`; `why`, the index of the step that best says what happened. At the end of the game
        that is the last step: the rules decide then, not what was moved last.
    """
    found = []
    for (begin, before), (end, after) in itertools.pairwise(turns):
        changes = [now - then for then, now in zip(before, after, strict=True)]
        seat = max(range(len(changes)), key=lambda each: (abs(changes[each]), changes[each]))
        if abs(changes[seat]) >= TURNING and end > begin:
            point = {
                "step": end, "seat": seat, "before": before[seat], "after": after[seat],
                "why": end - 1 if over and end == turns[-1][0] else main_step(steps, begin, end),
            }  # fmt: skip
            found.append((abs(changes[seat]), point))
    best = sorted(found, key=lambda each: -each[0])[:MOST]
    return sorted((point for _, point in best), key=lambda point: int(point["step"]))


def main_step(steps: Sequence[Sequence[Any]], begin: int, end: int) -> int:
    """Return the last step of a turn that moves somebody, else its last one that changes anything, else its last."""
    for key in ("at", "seats"):
        for number in range(end - 1, begin - 1, -1):
            if key in steps[number][3]:
                return number
    return end - 1

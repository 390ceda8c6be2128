"""The orders in which bots that tie are taken: TrueSkill compares neighbours, and those that tie have no order.

Whichever of them came to stand beside the next better or worse bot would be compared with it alone. So an outcome with
ties is taken in several orders, in which each bot that ties is in each place of its group equally often.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


def tied_orders(ties: Sequence[bool]) -> list[tuple[int, ...]]:
    """Return the orders of the places of an outcome: those that tie go round in a circle, either way.

    Args:
        ties: By place but the last, whether it ties with the next.
    """
    return _orders(tuple(ties))


@lru_cache(maxsize=256)
def _orders(ties: tuple[bool, ...]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    start = 0
    for place in range(len(ties) + 1):
        if place < len(ties) and ties[place]:
            continue
        group = tuple(range(start, place + 1))
        turned = {side[turn:] + side[:turn] for side in (group, group[::-1]) for turn in range(len(group))}
        found = [(*earlier, *later) for earlier in found for later in sorted(turned)]
        start = place + 1
    return found

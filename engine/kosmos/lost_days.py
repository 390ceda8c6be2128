"""Which days a seat of `kosmos` lost by what others did, if it would rank higher without them, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from engine.rules import Data

_MOST: Final = 2
"""Acts that are named."""


def decisive_losses(seat: int, too_many: int, events: Sequence[Data]) -> str:
    """Return what to add to the reason of a seat's rank; nothing if others did not decide it.

    Args:
        seat: The seat.
        too_many: How many days it took more than it should have; 0 or less: its days were not why.
        events: All open events.
    """
    lost = Counter[str]()
    for act, days in _lost_by_others(seat, events):
        lost[act] += days
    if too_many <= 0 or lost.total() < too_many:
        return ""
    acts = [f"{days} {'day' if days == 1 else 'days'} by {act}" for act, days in lost.most_common(_MOST)]
    return f"; it was held up for {', and '.join(acts)}"


def _lost_by_others(seat: int, events: Sequence[Data]) -> Iterator[tuple[str, int]]:
    """Yield what another seat did, in words, and the days that it cost this seat (K-34, K-61, K-62, K-65)."""
    did: dict[str, int] = {}
    """By why days are lost: the seat that did last what can cost them."""
    for event in events:
        name = event["event"]
        if name == "lose" and event["seat"] == seat:
            by = did.get(event["why"])
            if by is not None and by != seat:
                yield _ACTS[event["why"]].format(by), event["days"]
        elif name in ("chit", "detective"):
            did[name] = event["seat"]
        elif name == "grey":
            did[event["card"]] = event["seat"]


_ACTS: Final = {
    "chit": "a chit of seat {}",
    "detective": "the detective whom seat {} had sent there",
    "storm": "the storm that seat {} drew",
    "delay": "the delay that seat {} drew",
}

"""How bots behaved in games: their faults, how often they retired, and how long their decisions took."""

from __future__ import annotations

import statistics
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ledger import GameResult
from arena.standings.rows import DecisionTimes

_PERCENT: Final = 99
"""Of decisions take no longer than `DecisionTimes.p99_ms`."""


class Conduct(NamedTuple):
    """How a bot behaved in some games."""

    faults: Counter[str]
    """By code."""
    retired: int
    times: DecisionTimes


@dataclass
class _Kept:
    """What is kept of a bot's games with one number of players."""

    faults: Counter[str] = field(default_factory=Counter)
    retired: int = 0
    times: array[int] = field(default_factory=lambda: array("q"))
    """In microseconds."""


class Conducts:
    """The conduct of all bots in some games, which are read once for all tables."""

    def __init__(self, results: Iterable[GameResult]) -> None:
        """Read these games."""
        self._kept: dict[int, defaultdict[str, _Kept]] = {}
        """By number of players and bot."""
        for result in results:
            kept = self._kept.setdefault(result.players, defaultdict(_Kept))
            for seat, code in result.faults:
                if 0 <= seat < len(result.bots):  # a ledger may come from anybody
                    kept[result.bots[seat]].faults[code] += 1
            for seat in result.retired:
                kept[result.bots[seat]].retired += 1
            for bot, times in zip(result.bots, result.times, strict=True):
                kept[bot].times.extend(times)

    def of(self, bot: str, players: int | None = None) -> Conduct:
        """Return the conduct of a bot in games of so many players; None: in all."""
        kept = [bots[bot] for count, bots in self._kept.items() if players in (None, count) and bot in bots]
        faults = sum((each.faults for each in kept), Counter[str]())
        times = np.concatenate([np.zeros(0, np.int64), *(each.times for each in kept)])
        return Conduct(faults, sum(each.retired for each in kept), _decision_times(times))


def _decision_times(microseconds: NDArray[np.int64]) -> DecisionTimes:
    """Compute the median and the 99th percentile.

    They are exactly those of the module `statistics` (its quantiles by the method `inclusive`), which would need a list
    of all: a bot may have made millions of decisions.
    """
    in_order = np.sort(microseconds)
    last = len(in_order) - 1
    if last < 0:
        return DecisionTimes(None, None)
    median = statistics.median(in_order[last // 2 : last - last // 2 + 1].tolist())
    place, part = divmod(_PERCENT * last, 100)
    below, above = in_order[place], in_order[min(place + 1, last)]
    p99 = (int(below) * (100 - part) + int(above) * part) / 100
    return DecisionTimes(round(median / 1000, 3), round(p99 / 1000, 3))

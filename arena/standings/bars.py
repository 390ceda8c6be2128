"""The bars that are drawn around ratings: two of them meet exactly if the places of the two bots do.

Intervals of single ratings say something else: two that do not meet may belong to bots that are not told apart, as
places hold for all bots at once. So a bar begins as the interval of its rating, and is cut or made longer until it says
what the bands say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from arena.rating import RankBand, RatingColumns
from arena.standings.rows import LeaderboardRow

_SPREAD = 0.4
"""The part of a gap between two groups of bots in which bars end; each place has its own spot there."""


def place_bars(rows: Sequence[LeaderboardRow], columns: RatingColumns) -> list[tuple[float, float, float]]:
    """Return lower end, middle and upper end of each bar. An end is infinite if nothing is known there.

    Args:
        rows: Those of a table, best first.
        columns: The columns of its rating system. Without bands, bars are the intervals of the ratings.
    """
    ends = [columns.ends(row.values, row.bound) for row in rows]
    bands = {at: row.band for at, row in enumerate(rows) if row.band is not None and row.games}
    sign = -1.0 if columns.is_least_best else 1.0
    merits = {at: sign * ends[at][1] for at in bands}
    least = {at: _cut(band.worst, 1, bands, merits) for at, band in bands.items()}
    most = {at: _cut(band.best - 1, -1, bands, merits) for at, band in bands.items()}
    low = {at: max(min(sign * ends[at][0], sign * ends[at][2]), least[at]) for at in bands}
    high = {at: min(max(sign * ends[at][0], sign * ends[at][2]), most[at]) for at in bands}
    for one, other in combinations(sorted(bands, key=lambda at: -merits[at]), 2):
        if bands[one].worst >= bands[other].best and low[one] > high[other]:
            meet = max((low[one] + high[other]) / 2, least[one])
            low[one] = high[other] = min(meet, most[other])
    for at in bands:
        below, middle, above = sorted((sign * low[at], ends[at][1], sign * high[at]))
        ends[at] = below, middle, above
    return ends


def _cut(place: int, side: int, bands: dict[int, RankBand], merits: dict[int, float]) -> float:
    """Return where bars end that do not reach beyond a place: from above with the side 1, and -1 from below.

    It lies between the bots that stand there at the worst and those that stand behind it at the best.
    """
    above = min((merits[at] for at, band in bands.items() if band.worst <= place), default=math.inf)
    below = max((merits[at] for at, band in bands.items() if band.best > place), default=-math.inf)
    if math.isinf(above) or math.isinf(below):
        return above if math.isinf(above) else below
    share = 0.5 + _SPREAD * (0.5 - (place - side / 3) / (len(bands) + 1))
    return below + share * (above - below)

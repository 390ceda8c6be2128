"""When rounds are due: a pure function of what `league.toml` says and of the moment of the round before.

Moments are seconds since 1970, as the league's file of state keeps them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

from cronsim import CronSim

from arena.serve.league import RoundRules, seconds

MOST_MISSED = 10
"""Of the rounds that were due while nothing ran, so many are played: the last ones."""
_EXACT = 1e-6
"""Seconds that rounding may take away."""


def next_due(rules: RoundRules, begins: float, last: float | None) -> float | None:
    """Return when the round after the one of `last` is due, or the first one.

    Args:
        rules: When rounds are played.
        begins: When the season begins: no round is due before it.
        last: When the round before was due; None: there was none.

    Returns:
        The moment; None if a round follows as soon as the one before has ended.
    """
    if rules.every is not None:
        step = seconds(rules.every, "rounds.every")
        return begins if last is None or last < begins else begins + (_steps(begins, last, step) + 1) * step
    if rules.cron is not None:
        since = _before(begins) if last is None else max(last, _before(begins))
        return next(_times(rules, since)).timestamp()
    return None


def missed(rules: RoundRules, begins: float, last: float | None, now: float) -> list[float]:
    """Return the moments at which rounds were due since the last one, up to now: at most the last `MOST_MISSED`."""
    found: list[float] = []
    since = _before(begins) if last is None else max(last, _before(begins))
    if rules.every is not None and now >= begins:
        step = seconds(rules.every, "rounds.every")
        newest = _steps(begins, now, step)
        moments = (begins + number * step for number in range(newest, max(-1, newest - MOST_MISSED), -1))
        found = [each for each in moments if each > since]
    elif rules.cron is not None:
        for each in islice(_times(rules, now + 1, reverse=True), MOST_MISSED + 1):  # whole seconds: none is left out
            if since < (moment := each.timestamp()) <= now:
                found.append(moment)
    return found[:MOST_MISSED][::-1]


def _before(begins: float) -> float:
    """Return a moment after which nothing is due that is due before the season."""
    return math.ceil(begins) - 1.0


def _steps(begins: float, moment: float, step: float) -> int:
    return int((moment - begins + _EXACT) // step)


def _times(rules: RoundRules, since: float, *, reverse: bool = False) -> Iterator[datetime]:
    assert rules.cron is not None
    return CronSim(rules.cron, datetime.fromtimestamp(since, UTC).astimezone(ZoneInfo(rules.zone)), reverse)

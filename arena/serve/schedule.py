"""When rounds are due: a pure function of what `league.toml` says and of the moment of the round before.

Moments are seconds since 1970, as the league's file of state keeps them.
"""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from cronsim import CronSim

from arena.serve.league import RoundRules, seconds

MOST_MISSED = 10
"""Of the rounds that were due while nothing ran, so many are played: the last ones."""


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
        return begins if last is None else begins + ((last - begins) // step + 1) * step
    if rules.cron is not None:
        since = begins - 1 if last is None else max(last, begins - 1)
        zone = ZoneInfo(rules.zone)
        return next(CronSim(rules.cron, datetime.fromtimestamp(since, UTC).astimezone(zone))).timestamp()
    return None


def missed(rules: RoundRules, begins: float, last: float | None, now: float) -> list[float]:
    """Return the moments at which rounds were due since the last one, up to now: at most the last `MOST_MISSED`."""
    found: list[float] = []
    while (due := next_due(rules, begins, last)) is not None and due <= now:
        found, last = [*found[1 - MOST_MISSED :], due], due
    return found

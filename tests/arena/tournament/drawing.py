"""Schedules of the balanced format, drawn without a tournament."""

from __future__ import annotations

from collections.abc import Sequence

from arena.tournament.formats import DEFAULT_FORMAT, Field, make_format
from arena.tournament.schedule import Budget, Schedule


def balanced(bots: Sequence[str], counts: Sequence[int], seed: bytes) -> Schedule:
    return Schedule(make_format(DEFAULT_FORMAT, seed), Field(tuple(sorted(bots)), tuple(sorted(counts))), seed)


def whole_blocks(schedule: Schedule, games: int) -> int:
    """That many games, rounded up to whole blocks."""
    total = schedule.length(Budget(games=games))
    assert total is not None
    return total


def rounds(schedule: Schedule, number: int) -> int:
    """How many games so many rounds have."""
    total = schedule.length(Budget(rounds=number))
    assert total is not None
    return total

"""The differences between the bots of a table with their intervals, and how many pairs are told apart."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from arena.rating.base import REACH, SkillDifferences
from arena.standings.rows import LeaderboardRow

_ALL_PAIRS: Final = 8
"""Of more bots not all pairs are listed, but each bot with the first and with the next one."""
_MOST: Final = 200


class StatedDifference(msgspec.Struct, frozen=True):
    """By how much one bot is better than another that stands below it."""

    one: str
    other: str
    difference: float
    """Of their ratings."""
    low: float | None
    """The interval of 95 % for this difference by itself; null for an end of which nothing is known."""
    high: float | None
    better: float
    """The probability that the first is truly better."""
    apart: bool
    """Whether their rank bands have no place in common: told apart with 95 % confidence for all pairs at once."""


class PairsApart(msgspec.Struct, frozen=True):
    """How many pairs of bots are told apart by their rank bands."""

    pairs: int
    apart: int
    example: tuple[str, str] | None
    """Two neighbours that are not."""


def differences(rows: Sequence[LeaderboardRow], found: SkillDifferences | None) -> list[StatedDifference]:
    """Return the differences between the rated bots of the field: all pairs, or of many bots the most telling.

    Args:
        rows: The rows of the table, best first; those of bots that are not in the field do not matter.
        found: Knows the differences; None: the rating system knows no errors.
    """
    played = [row for row in rows if row.games and row.in_field]
    if found is None:
        return []
    stated = []
    for one, other in _listed(played):
        difference = found.difference(one.bot, other.bot)
        low, high = difference.ends(REACH)
        stated.append(
            StatedDifference(
                one=one.bot,
                other=other.bot,
                difference=round(difference.mean, 6),
                low=None if low is None else round(low, 6),
                high=None if high is None else round(high, 6),
                better=round(difference.above(0.0), 6),
                apart=are_apart(one, other),
            )
        )
    return stated


def are_apart(one: LeaderboardRow, other: LeaderboardRow) -> bool:
    """Return whether the rank bands of two bots have no place in common."""
    if one.band is None or other.band is None:
        return False
    return one.band.worst < other.band.best or other.band.worst < one.band.best


def pairs_apart(rows: Sequence[LeaderboardRow]) -> PairsApart:
    """Count the pairs of the rated bots of the field that a table tells apart."""
    played = [row for row in rows if row.games and row.in_field]
    bands = [row.band for row in played if row.band is not None]
    ends = sorted(band.worst for band in bands)
    # Of two bands that are apart, one ends before the other begins.
    apart = sum(bisect_right(ends, band.best - 1) for band in bands)
    together = next(
        ((one.bot, other.bot) for one, other in itertools.pairwise(played) if not are_apart(one, other)),
        None,
    )
    return PairsApart(len(played) * (len(played) - 1) // 2, apart, together)


def _listed(rows: Sequence[LeaderboardRow]) -> Iterator[tuple[LeaderboardRow, LeaderboardRow]]:
    if len(rows) <= _ALL_PAIRS:
        yield from ((one, other) for number, one in enumerate(rows) for other in rows[number + 1 :])
        return
    few = rows[: _MOST // 2]
    for number, row in enumerate(few[1:], start=1):
        if number > 1:
            yield few[0], row
        yield few[number - 1], row

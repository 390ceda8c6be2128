"""The differences between the bots of a table with their intervals, and what may be claimed by them.

Three sentences say what results allow to be claimed, and what not: who is best, the order of the others, and where this
holds. They follow from the rank bands alone, so that nobody is named the winner within error.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import msgspec

from arena.common.printable import counted, listed, printable, shorten
from arena.isolation.settings import recorded_level
from arena.ledger import TournamentSettings
from arena.rating.base import REACH, SkillDifferences
from arena.reports.paragraphs import points
from arena.standings.rows import Lead, LeaderboardRow

if TYPE_CHECKING:
    from arena.rating.held_out import HeldOutCalibration


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


NOTHING: Final = "Nothing may be claimed: no game has been rated."
ALONE: Final = "Nothing may be claimed: fewer than two bots of the field have rated games."
_MOST_LEADERS: Final = 6
_NAME: Final = 40
_END_BY_RESULTS: Final = frozenset({"decisive", "paired"})
"""Formats of which results always decide when they end."""


def claims(
    settings: TournamentSettings,
    games: int,
    bots: int,
    leaders: Lead | None,
    pairs: PairsApart,
    calibration: HeldOutCalibration | None,
) -> list[str]:
    """List what may be claimed, a sentence each.

    Args:
        settings: Those of the tournament.
        games: How many are rated.
        bots: How many of the field have rated games.
        leaders: All bots that may be the best; None: no game of a bot of the field is rated.
        pairs: How many pairs are told apart.
        calibration: How forecasts compared with games that were held out; None: that is not known.
    """
    if not games:
        return [NOTHING]
    if leaders is None or bots < 2:
        return [ALONE]
    return [
        _best(leaders, bots, games),
        _order(pairs),
        _where(settings, calibration),
    ]


def _best(found: Lead, bots: int, games: int) -> str:
    leaders = [shorten(printable(bot), _NAME) for bot in found.bots]
    by = f"by {counted(games, 'rated game')} and with 95 % confidence"
    if len(leaders) == 1:
        return f"It may be claimed that {leaders[0]} is the best of these {bots} bots, {by}."
    if found.is_open:
        return f"It may not be claimed of any of these {bots} bots that it is the best: any of them may be, {by}."
    return (
        f"It may be claimed that the best of these {bots} bots is one of {listed(leaders, _MOST_LEADERS)}, {by}, "
        "but not which of them."
    )


def _order(pairs: PairsApart) -> str:
    all_at_once = "with 95 % confidence for all pairs at once"
    if pairs.apart == pairs.pairs:
        all_pairs = "The one pair is" if pairs.pairs == 1 else f"All {pairs.pairs:,} pairs of bots are"
        return f"{all_pairs} told apart, {all_at_once}, so that the order of the whole table may be claimed."
    example = f", such as {listed([shorten(printable(bot), _NAME) for bot in pairs.example])}" if pairs.example else ""
    if not pairs.apart:
        return f"No two bots are told apart, {all_at_once}, so that of no two it may be claimed which is better."
    few = f"{pairs.apart:,} of {pairs.pairs:,} pairs of bots {'is' if pairs.apart == 1 else 'are'} told apart"
    return f"{few}, {all_at_once}, and of these it may be claimed which is better; of the others{example}, it may not."


def _where(settings: TournamentSettings, calibration: HeldOutCalibration | None) -> str:
    reserves = list(_reserves(settings, calibration))
    where = "It may not be claimed that this holds for other opponents, settings, time limits or machines"
    return f"{where}; and here only with a reserve, because {listed(reserves, 9)}." if reserves else f"{where}."


def _reserves(settings: TournamentSettings, calibration: HeldOutCalibration | None) -> list[str]:
    found = []
    if not settings.finished:
        found.append("the results are not final")
    if _ends_by_results(settings):
        found.append("results decided when to stop, and rank bands are for a number of games that is fixed before")
    if calibration is not None and not calibration.is_calibrated and calibration.observed.value < calibration.forecast:
        found.append(
            f"forecasts of games that were held out were too sure, by "
            f"{points(calibration.observed.value - calibration.forecast)} (the likelier bot came before the other in "
            f"{100 * calibration.observed.value:.1f} % of the pairs and not in {100 * calibration.forecast:.1f} %)"
        )
    if "none" in map(recorded_level, settings.isolation):
        found.append("bots could read and change all that their user can")
    if settings.seed_given and settings.beacon is None:
        found.append("the seed was given, and so may have been chosen")
    return found


def _ends_by_results(settings: TournamentSettings) -> bool:
    return settings.format in _END_BY_RESULTS or bool(settings.options.get("until"))

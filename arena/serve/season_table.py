"""Rate submitters, whose versions cannot shed a bad record.

Each version begins with a rating of its own, so to send the same bot again until it is lucky would help. In a season's
order, therefore, a version stands alone as soon as it is surely better, or surely worse, than those before that count.
Until then they count together, and are rated as one bot. As with marks, how often that is asked does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from statistics import pstdev
from typing import NamedTuple

from msgspec.structs import replace

from arena.common.labels import bot_name, version_number
from arena.ledger import GameResult
from arena.rating import RankBand, SkillDifference, SkillDifferences
from arena.serve.marks import is_surely_better
from arena.standings.compute import Sheet, StandingsTable, make_table
from arena.standings.rows import LeaderboardRow


class VersionRating(NamedTuple):
    """What is known of one version."""

    label: str
    rating: float
    error: float


class SeasonRating(NamedTuple):
    """What is known of a submitter."""

    rating: float
    error: float
    versions: tuple[str, ...]
    """The labels of those that count."""


class SeasonRow(NamedTuple):
    """A line of a season's standings."""

    row: LeaderboardRow
    """Of all versions that count, under the label of the one that plays."""
    rating: float
    versions: tuple[str, ...]
    """The labels of those that count."""
    place: str
    """Such as 1–3. Empty: it is not ranked."""


class SeasonTable(NamedTuple):
    """How a season stands."""

    rows: list[SeasonRow]
    """A line for each bot of the field, best first."""
    differences: SkillDifferences | None
    """By how much each version is better than each other one. None: the rating system knows no errors."""
    results: Sequence[GameResult] = ()
    """The games that it rests on."""

    def met(self, one: str, other: str) -> int:
        """Return in how many blocks two versions met."""
        return len({(each.players, each.block) for each in self.results if {one, other} <= set(each.bots)})


def season_table(sheet: Sheet, references: Collection[str]) -> SeasonTable:
    """Return the standings, in which versions count as `season_rating` says.

    Args:
        sheet: The input of the tournament's own table.
        references: Bots that are not ranked: places are counted without them.
    """
    table = make_table(sheet)
    differences, counted = table.differences, _counted(table, sheet)
    names = {old: versions[-1] for versions in counted.values() for old in versions}
    if len(names) > len(counted):
        results = [replace(each, bots=[names.get(bot, bot) for bot in each.bots]) for each in sheet.results]
        former = {bot: when for bot, when in sheet.former.items() if bot not in names}
        table = make_table(sheet._replace(results=results, former=former))
    rows = [row for row in table.rows if row.in_field]
    ranked = {row.bot: row.band for row in rows if bot_name(row.bot) not in references and row.band is not None}
    found = []
    for row in rows:
        place = ""
        if (band := ranked.get(row.bot)) is not None:
            best = 1 + sum(other.worst < band.best for other in ranked.values())
            worst = len(ranked) - sum(other.best > band.worst for other in ranked.values())
            place = str(RankBand(best, worst))
        found.append(SeasonRow(row, row.values[sheet.system.columns.ranking], counted.get(row.bot, (row.bot,)), place))
    return SeasonTable(found, differences, sheet.results)


def _counted(table: StandingsTable, sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """Return by bot of the field that has played the labels of its versions that count: its own is the last."""
    rated = sheet.system.columns
    if rated.interval is None:
        return {}
    middle, error = rated.interval.middle, rated.interval.error
    played = {row.bot: VersionRating(row.bot, row.values[middle], row.values[error]) for row in table.rows if row.games}
    field = [bot for bot in sheet.bots if bot in played]
    spread = pstdev(played[bot].rating for bot in field) if field else 0.0
    found = {}
    for bot in field:
        former = sorted((old for old in played if old != bot and bot_name(old) == bot_name(bot)), key=version_number)
        rating = season_rating([played[old] for old in (*former, bot)], spread)
        assert rating is not None
        found[bot] = rating.versions
    return found


def season_rating(versions: Iterable[VersionRating], spread: float, sure: float = 0.95) -> SeasonRating | None:
    """Return the rating of a submitter. None: no version has played.

    Args:
        versions: Those that have played, the first one first.
        spread: The deviation of ratings in the field.
        sure: As of a mark.
    """
    found: SeasonRating | None = None
    for label, rating, error in versions:
        alone = SeasonRating(rating, error, (label,))
        if found is None:
            found = alone
            continue
        more = SkillDifference(rating - found.rating, math.hypot(error, found.error))
        less = SkillDifference(-more.mean, more.error)
        if any(is_surely_better(each, spread, sure, label) for each in (more, less)):
            found = alone
        else:
            found = _together(found, alone)
    return found


def _together(one: SeasonRating, other: SeasonRating) -> SeasonRating:
    """Return the mean of two ratings, each weighed by what is known of it."""
    weights = [1 / max(each.error, 1e-9) ** 2 for each in (one, other)]
    rating = (one.rating * weights[0] + other.rating * weights[1]) / sum(weights)
    return SeasonRating(rating, sum(weights) ** -0.5, one.versions + other.versions)

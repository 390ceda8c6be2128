"""The history of a field that changes: the versions of each bot, when they joined and left, and which were better."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from arena.common.labels import bot_name, spelled_out, version_number
from arena.ledger import FieldEvent, GameResult, Ledger
from arena.rating import RatingColumns, RatingSystem, SkillDifferences
from arena.rating.base import Bound
from arena.rating.rated_table import Point
from arena.standings.compute import PLACES, StandingsTable, make_table, own_system, rated_results, whole_sheet
from arena.standings.rows import LeaderboardRow


class VersionChange(NamedTuple):
    """What happened to the versions of one bot at one moment."""

    place: int
    """In the schedule, from which on it holds."""
    games: int
    """How many rated games lie before that place."""
    moment: str | None
    """In UTC; None: not known."""
    joined: tuple[str, ...]
    """Labels, as are those of `left`."""
    left: tuple[str, ...]
    note: str

    def words(self) -> str:
        """Say what happened, such as "mine@2 joins, mine@1 leaves"."""
        joins = [f"{spelled_out(label)} joins" for label in self.joined]
        return ", ".join(joins + [f"{spelled_out(label)} leaves" for label in self.left])


class Improvement(NamedTuple):
    """How a version compares with the one before it."""

    before: str
    """The label of that one."""
    difference: float
    """Of their ratings: above 0 if the newer one is better."""
    error: float | None
    """The standard deviation of the difference. None: the rating system knows no errors."""
    better: float | None
    """The probability that the newer one is better; None if nothing is known about that."""
    bound: Bound | None = None
    """On which side the difference is known, if on one side alone."""


class Version(NamedTuple):
    """A version of a bot."""

    label: str
    joined: VersionChange | None
    """When it joined last. None: it never took part."""
    left: VersionChange | None
    """When it left after that. None: it is in the field, or never was."""
    row: LeaderboardRow | None
    """Its row in the overall table. None: it never took part."""
    against_before: Improvement | None
    """None: there is no earlier version with games, or it has none itself."""
    suspended: int | None
    """How many rated games there were when it was suspended. None: it is not."""
    left_out: str | None
    """Why it could not take part when it was last tried."""


class BotHistory(NamedTuple):
    """A bot of the tournament, or one that left it or could not take part."""

    name: str
    versions: list[Version]
    """The first one first."""
    changes: list[VersionChange]

    @property
    def is_changed(self) -> bool:
        """Return whether anything happened to it since it joined first."""
        return len(self.versions) > 1 or len(self.changes) > 1


class FieldHistory(NamedTuple):
    """The history of all bots of a tournament."""

    columns: RatingColumns
    games: int
    """How many games are rated."""
    bots: list[BotHistory]
    """Sorted by the rating of their newest version, the best one first, and then by name."""
    courses: Mapping[str, Sequence[Point]]
    """By label: the version's rating over the games."""
    days: list[tuple[str, int]]
    """Each day on which games were recorded (UTC), and how many rated games there were before it, nearly.

    The schedule has games in another order than the one in which they ended.
    """

    def bot(self, name: str) -> BotHistory | None:
        """Return the history of the bot of that name, or of which that label is a version. None: there is none."""
        names = {each.name: each for each in self.bots}
        return names.get(name) or names.get(bot_name(name))


def field_history(ledger: Ledger, system: RatingSystem | None = None) -> FieldHistory:
    """Compute the history of a tournament. `system`: None for the one that follows from the rules."""
    system = own_system(ledger) if system is None else system
    results = ledger.results()
    rated = rated_results(ledger, results)
    made = make_table(whole_sheet(ledger, rated, system), with_courses=True)
    return make_history(ledger, results, rated, made, system.columns)


def make_history(
    ledger: Ledger,
    results: Sequence[GameResult],
    rated: Sequence[GameResult],
    table: StandingsTable,
    columns: RatingColumns,
) -> FieldHistory:
    """Make the history of a tournament whose overall table is known.

    Args:
        ledger: The ledger.
        results: The results of all games.
        rated: Those that are rated.
        table: The overall table, with the rows of versions that left.
        columns: Those of the rating system.
    """
    by_label = {row.bot: row for row in table.rows}
    places = [result.index for result in rated]
    changes = _changes(ledger, places)
    left_out = {each.name: each.left_out for each in ledger.entrants()}
    suspended = {bot: bisect_left(places, place) for bot, place in ledger.settings.rated.suspended.items()}
    labels = sorted({*left_out, *by_label}, key=lambda label: (bot_name(label), version_number(label)))
    found: dict[str, BotHistory] = {}
    for label in labels:
        name = bot_name(label)
        bot = found.setdefault(name, BotHistory(name, [], [each for each in changes if _is_about(each, name)]))
        joined = next((each for each in reversed(bot.changes) if label in each.joined), None)
        left = next((each for each in reversed(bot.changes) if label in each.left), None)
        if joined is not None and left is not None and left.place < joined.place:
            left = None
        row = by_label.get(label)
        step = _step(row, bot.versions, columns, table.differences)
        bot.versions.append(Version(label, joined, left, row, step, suspended.get(label), left_out.get(label)))
    bots = sorted(found.values(), key=lambda bot: (*_strength(bot, columns), bot.name))
    return FieldHistory(
        columns, len(rated), bots, table.courses, _days(ledger.days(), [each.index for each in results], places)
    )


def _is_about(change: VersionChange, name: str) -> bool:
    return any(bot_name(label) == name for label in (*change.joined, *change.left))


def _changes(ledger: Ledger, places: Sequence[int]) -> list[VersionChange]:
    """Return what happened to each bot, in order. `places`: those of the rated games."""
    found: dict[tuple[str, int, str | None], list[tuple[FieldEvent, str]]] = {}
    for event, note in zip(ledger.field_events(), ledger.field_notes(), strict=True):
        found.setdefault((bot_name(event.bot), event.place, note.moment), []).append((event, note.note))
    changes = []
    for (_, place, moment), events in found.items():
        joined = tuple(event.bot for event, _ in events if event.kind == "join")
        left = tuple(event.bot for event, _ in events if event.kind == "leave")
        changes.append(VersionChange(place, bisect_left(places, place), moment, joined, left, events[0][1]))
    return changes


def _step(
    row: LeaderboardRow | None,
    earlier: Sequence[Version],
    columns: RatingColumns,
    differences: SkillDifferences | None,
) -> Improvement | None:
    before = next((each.row for each in reversed(earlier) if each.row is not None and each.row.games), None)
    if row is None or not row.games or before is None:
        return None
    if differences is None:
        return Improvement(
            before.bot, round(columns.merit(row.values) - columns.merit(before.values), PLACES), None, None
        )
    found = differences.difference(row.bot, before.bot)
    return Improvement(
        before.bot, round(found.mean, PLACES), round(found.error, PLACES), round(found.above(0.0), PLACES), found.bound
    )


def _strength(bot: BotHistory, columns: RatingColumns) -> tuple[bool, float]:
    """Return a key by which bots are sorted: those of the field first, better ones before others."""
    rows = [each.row for each in bot.versions if each.row is not None and each.row.games]
    present = [row for row in rows if row.left is None]
    if not rows:
        return True, float("inf")
    return not present, -columns.merit((present or rows)[-1].values)


def _days(by_day: Mapping[str, int], recorded: Sequence[int], places: Sequence[int]) -> list[tuple[str, int]]:
    """Return each day with the number of rated games before it. `recorded`: the places of all games, in order."""
    before = [0, *accumulate(by_day.values())]
    found = []
    for day, games in zip(by_day, before, strict=False):
        if games >= len(recorded):
            break
        found.append((day, bisect_right(places, recorded[games - 1]) if games else 0))
    return found

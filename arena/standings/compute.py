"""Compute the leaderboards of a tournament from its ledger alone.

A rating system (`arena.rating.base.RatingSystem`) gives the columns by which bots are ranked. `leaderboard_text` and
`arena.site.leaderboard_tables` show what is computed here.
"""

from __future__ import annotations

import statistics
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.common.labels import bot_name, version_number
from arena.game.faults import FAULTS
from arena.ledger import FieldEvent, GameResult, Ledger
from arena.rating import (
    RatedBot,
    RatingColumns,
    RatingSystem,
    SkillDifferences,
    rated_table,
    rating_system,
)
from arena.rating.rated_table import History, Point
from arena.standings.game_counts import different_games, left_out_by_suspension, uncontested_games
from arena.standings.head_to_head import HeadToHead, rating_inputs, records
from arena.standings.lead import lead
from arena.standings.rows import DecisionTimes, Leaderboard, LeaderboardRow, LeftOut, ScoreAgainst

if TYPE_CHECKING:
    from arena.rating.held_out import HeldOutCalibration

PLACES = 6
"""Decimal places of the numbers: equal games give equal text."""


class Membership(NamedTuple):
    """When a version of a bot was in the field, in places of the schedule."""

    joined: int
    left: int | None


class Sheet(NamedTuple):
    """The input of one table."""

    results: list[GameResult]
    """All games that are rated."""
    bots: list[str]
    """Those that joined and have not left."""
    suspended: Collection[str]
    """Those of them that are not in the field, and so have no place."""
    system: RatingSystem
    former: Mapping[str, Membership] = {}
    """Versions of bots that have left the field."""
    joined: Mapping[str, int] = {}
    """By bot of the field: the place in the schedule at which it joined last; 0 if nothing is said."""
    players: int | None = None
    """The table is for games of so many players; None: for all."""


class StandingsTable(NamedTuple):
    """What is made of a sheet."""

    rows: list[LeaderboardRow]
    """Best first, and behind all others the suspended."""
    differences: SkillDifferences | None
    """By how much each bot is better than each other. None: the rating system knows no errors."""
    courses: dict[str, list[Point]]
    """By bot: how its rating came to be. Empty unless it was asked for."""


def make_tables(sheets: Sequence[Sheet]) -> list[StandingsTable]:
    """Make several tables; what those of the same games have in common is computed once."""
    games: dict[int, _Games] = {}
    for sheet in sheets:
        if id(sheet.results) not in games:
            games[id(sheet.results)] = _Games(sheet.results)
    return [_make(sheet, games[id(sheet.results)]) for sheet in sheets]


def make_table(sheet: Sheet, with_courses: bool = False) -> StandingsTable:
    """Make a table."""
    return _make(sheet, _Games(sheet.results), with_courses)


class _Games:
    """The games of some sheets."""

    def __init__(self, results: Sequence[GameResult]) -> None:
        self.inputs = rating_inputs(results)
        self.conducts = Conducts(results)


def _make(sheet: Sheet, games: _Games, with_courses: bool = False) -> StandingsTable:
    results = games.inputs
    history = History([each for each in results if sheet.players in (None, each.block[0])])
    on_rated = history.on_rated if with_courses else None
    in_field = [bot for bot in sheet.bots if bot not in sheet.suspended]
    rated = rated_table(results, sheet.bots, on_rated, sheet.system, sheet.players, in_field)
    columns = sheet.system.columns
    memberships = {bot: Membership(sheet.joined.get(bot, 0), None) for bot in sheet.bots} | dict(sheet.former)
    rows = [
        _row(
            each,
            columns,
            games.conducts.of(each.bot, sheet.players),
            each.bot in sheet.suspended,
            memberships[each.bot],
        )
        for each in rated.rows
        if each.bot in memberships
    ]
    rows.sort(key=lambda row: row.suspended)
    return StandingsTable(rows, rated.differences, history.bots)


def leaderboard(
    ledger: Ledger,
    players: int | None = None,
    made: Callable[[Sequence[Sheet]], list[StandingsTable]] = make_tables,
    results: list[GameResult] | None = None,
    system: RatingSystem | None = None,
) -> Leaderboard:
    """Make the overall table and those by number of players, or only one of the latter.

    The games that count are those of `rated_results`.

    Args:
        ledger: The ledger.
        players: The number of players of the only table to make; None: all tables.
        made: Makes the tables of some sheets, the overall one first. A caller with several processes can make several
            at
            once.
        results: The rated results, if they have been read already.
        system: The rating system. None: the one that follows from the rules.
    """
    system = own_system(ledger) if system is None else system
    results = rated_results(ledger) if results is None else results
    counts = sorted({result.players for result in results}) if players is None else [players]
    overall_sheet = whole_sheet(ledger, results, system)
    by_count: list[int | None] = [*counts]
    if players is None and len(counts) == 1:
        by_count = [None]  # the same table as the one overall: `made` may make it once
    sheets = [overall_sheet._replace(players=count, former={}) for count in by_count]
    if players is None:
        sheets.insert(0, overall_sheet)
    tables = made(sheets)
    everybody = tables[0].rows if players is None else []
    fields = [[row for row in each.rows if row.left is None] for each in tables]
    overall = fields.pop(0) if players is None else None
    by_players = {str(count): rows for count, rows in zip(counts, fields, strict=True)}
    return Leaderboard(
        columns=system.columns,
        overall=overall,
        players=by_players,
        overall_lead=None if overall is None else lead(overall, system.columns),
        players_lead={count: lead(rows, system.columns) for count, rows in by_players.items()},
        former=[row for row in everybody if row.left is not None],
        differences=tables[0].differences,
        suspended_games=left_out_by_suspension(ledger, len(results)),
        uncontested=uncontested_games(results),
        failures=_failures(ledger),
        without_machines={name: len(places) for name, places in ledger.settings.rated.without.items()},
        void_by_crash={bot: len(places) for bot, places in ledger.settings.rated.void.items()},
        placings=ledger.settings.placings if players is None else [],
        against=_against(ledger, results) if players is None else {},
        resolution=ledger.settings.resolution if players is None else None,
        isolation=ledger.settings.isolation,
        left_out=[LeftOut(each.name, each.left_out or "") for each in ledger.left_out()],
        authors={each.name: each.author for each in ledger.entrants() if each.author is not None},
    )


def _against(ledger: Ledger, results: Sequence[GameResult]) -> dict[str, list[ScoreAgainst]]:
    """Return how each challenger of a gauntlet did against each of its opponents. `results`: the games that count."""
    names = set(ledger.settings.options.get("challengers") or ())
    field = ledger.field() if names else []
    challengers = [bot for bot in field if bot in names or bot_name(bot) in names]
    if not challengers:
        return {}
    met = HeadToHead(records(results), None)
    opponents = sorted({bot for result in results for bot in result.bots} - set(challengers))
    return {
        one: [
            ScoreAgainst(other, each.games, each.ahead, each.ties, each.behind)
            for other in opponents
            if (each := met.pairing(one, other)).games
        ]
        for one in challengers
    }


def own_system(ledger: Ledger) -> RatingSystem:
    """Return the rating system that follows from the rules of a tournament."""
    return rating_system(game=ledger.settings.game)


def whole_sheet(ledger: Ledger, results: list[GameResult], system: RatingSystem, last: int | None = None) -> Sheet:
    """Return the input of the overall table, which has the versions that left the field, too.

    Args:
        ledger: The ledger.
        results: The rated results.
        system: The rating system.
        last: The place in the schedule up to which the field counts. None: as it is now.
    """
    events = [each for each in ledger.field_events() if last is None or each.place <= last]
    memberships = _memberships(events)
    former = {bot: membership for bot, membership in memberships.items() if membership.left is not None}
    joined = {bot: membership.joined for bot, membership in sorted(memberships.items()) if bot not in former}
    return Sheet(results, list(joined), ledger.settings.rated.suspended, system, former, joined)


def rated_results(ledger: Ledger, results: Sequence[GameResult] | None = None) -> list[GameResult]:
    """Return the games that count, in the order of the schedule.

    The ledger's settings say up to which game of the schedule results are rated, and from which game on those of a
    suspended bot are left out. Of games that are the same, action for action, only the first counts.

    Args:
        ledger: The ledger.
        results: All results, if they have been read already.
    """
    rated = ledger.settings.rated
    found = [
        result
        for result in (ledger.results() if results is None else results)
        if rated.counts(result.bots, result.index)
    ]
    return different_games(ledger, found)


def calibration(results: Iterable[GameResult]) -> HeldOutCalibration | None:
    """Hold out the blocks of a tournament in turn, and compare what ratings of the others say with what happened.

    It takes some seconds for 10,000 games, and for more about as long as rating all of them once.

    Args:
        results: Those that are rated (`rated_results`).

    Returns:
        The comparison. None: there are too few blocks.
    """
    from arena.rating.held_out import held_out_calibration  # few commands need it

    return held_out_calibration(each for each in rating_inputs(results) if not each.teams)


def _memberships(events: Sequence[FieldEvent]) -> dict[str, Membership]:
    """Return when each version of a bot was in the field last."""
    found: dict[str, Membership] = {}
    for event in events:
        if event.kind == "join":
            found[event.bot] = Membership(event.place, None)
        elif event.bot in found:
            left = event.place if event.stops is None else event.stops
            found[event.bot] = found[event.bot]._replace(left=left)
    return found


def _failures(ledger: Ledger) -> dict[str, int]:
    """Count the games that failed with each bot; those with most of them first."""
    counts = Counter(bot for void in ledger.voids() for bot in set(void.bots))
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _row(
    standing: RatedBot, columns: RatingColumns, conduct: Conduct, suspended: bool, membership: Membership
) -> LeaderboardRow:
    ends = columns.known_ends(standing.values, standing.bound)
    return LeaderboardRow(
        bot=standing.bot,
        values={name: round(standing.values[name], PLACES) for name in columns.names},
        band=standing.band,
        bound=standing.bound,
        interval=None if ends is None else (_rounded(ends[0]), _rounded(ends[1])),
        games=standing.games,
        mean_finish=_rounded(standing.mean_finish),
        mean_finish_error=_rounded(standing.mean_finish_error),
        wins=_rounded(standing.wins),
        scores={key: round(value, PLACES) for key, value in standing.scores.items()},
        faults={code: conduct.faults[code] for code in FAULTS},
        retired=conduct.retired,
        suspended=suspended,
        times=conduct.times,
        version=version_number(standing.bot),
        joined=membership.joined,
        left=membership.left,
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, PLACES)


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
            for bot in {result.bots[seat] for seat in result.retired}:
                kept[bot].retired += 1
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

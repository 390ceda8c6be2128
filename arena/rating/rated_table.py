"""The rated table of some games: the columns of a rating system, figures that need no model, and the course of ratings.

These figures are mean finish and win share, with errors computed from blocks. An entrant that holds a team is one
player, with its team's rank and the mean of its seats' scores, and partners that are drawn are one:
`RatingInput.teams` says which they are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from arena.rating.base import (
    Bound,
    OnRated,
    RankBand,
    RatingInput,
    Ratings,
    RatingSystem,
    SkillDifferences,
    Values,
    of_players,
)
from arena.rating.systems import DEFAULT_SYSTEM, SYSTEMS

Teams = Sequence[Sequence[int]]
"""The seats of each team; empty: every seat plays for itself."""


def once(bots: Sequence[str], ranks: Sequence[int]) -> tuple[list[str], list[int]]:
    """Return each entrant of a game once, in the order of seats, and the ranks of the entrants."""
    held = dict(zip(bots, ranks, strict=True))
    if len(held) == len(bots):
        return list(bots), list(ranks)
    return list(held), [1 + sum(other < rank for other in held.values()) for rank in held.values()]


def rating_input(
    bots: Sequence[str],
    ranks: Sequence[int],
    scores: Sequence[Mapping[str, float]],
    block: tuple[int, int],
    teams: Teams = (),
) -> RatingInput:
    """Return a game as it is rated, given as it was played: what is in lists is by seat."""
    entrants, places = once(bots, ranks)
    if len(entrants) < len(bots):
        teams = ()
        seats = {bot: [seat for seat, each in enumerate(bots) if each == bot] for bot in entrants}
        scores = [
            {key: sum(scores[seat][key] for seat in own) / len(own) for key in scores[own[0]]} for own in seats.values()
        ]
    return RatingInput(entrants, places, scores, block, teams)


def by_team(ranks: Sequence[int], seat: int, teams: Teams) -> tuple[Sequence[int], int]:
    """Return the ranks of the teams, and which of them a seat belongs to; without teams the same ranks and seat."""
    if not teams:
        return ranks, seat
    own = next(number for number, team in enumerate(teams) if seat in team)
    return [ranks[team[0]] for team in teams], own


_SURPRISE: Final = 0.5
"""By how much a block may differ from all others, of which none differs: half a field."""
_AGREE: Final = 1e-24
"""Blocks agree whose squares differ by no more than rounding."""


@dataclass(frozen=True)
class RatedBot:
    """A bot's row in a table."""

    bot: str
    values: Values
    """By the names of the system's columns."""
    games: int
    mean_finish: float | None
    """0: always first, 1: always last; ties share their places. None without a game."""
    mean_finish_error: float | None
    """Its standard error, from the spread of block means; None with fewer than two blocks."""
    wins: float | None
    """The share of games won; tied firsts share a win."""
    scores: Mapping[str, float]
    """The means of the game's scores, by name."""
    band: RankBand | None = None
    """Between which places it stands. None: the system knows no bands, or it has no place in the table."""
    bound: Bound | None = None
    """On which side its rating is known, if on one side alone."""


class RatedTable(NamedTuple):
    """The rows of a table, best first, and what is known of differences."""

    rows: list[RatedBot]
    differences: SkillDifferences | None
    """Of all bots that were rated. None: the rating system knows no errors."""


def rate(
    results: Sequence[RatingInput],
    bots: Iterable[str] = (),
    on_rated: OnRated | None = None,
    system: RatingSystem = SYSTEMS[DEFAULT_SYSTEM],
    players: int | None = None,
) -> list[RatedBot]:
    """Rate some games, and return the rows of `rated_table`, best first."""
    return rated_table(results, bots, on_rated, system, players).rows


def rated_table(
    results: Sequence[RatingInput],
    bots: Iterable[str] = (),
    on_rated: OnRated | None = None,
    system: RatingSystem = SYSTEMS[DEFAULT_SYSTEM],
    players: int | None = None,
    ranked: Iterable[str] | None = None,
) -> RatedTable:
    """Rate some games.

    Args:
        results: The games in the order of the schedule.
        bots: Bots to list even without a game, after the others.
        on_rated: Called as in `RatingSystem.rate`.
        system: The rating system.
        players: Make the table for games of so many players; None: for all.
        ranked: The bots that have places in the table; None: all of its bots.
    """
    shown = of_players(results, players)
    names = sorted({bot for result in shown for bot in result.bots} | set(bots))
    everybody = sorted({bot for result in results for bot in result.bots} | set(names))
    ratings = system.rate(results, everybody, on_rated, players, names if ranked is None else ranked)
    records = _records(names, shown)
    rows = [_standing(name, ratings, records[name]) for name in names]
    columns = system.columns
    rows.sort(key=lambda row: (not row.games, -columns.merit(row.values), row.bot))
    return RatedTable(rows, ratings.differences)


def finish(ranks: Sequence[int], seat: int, teams: Teams = ()) -> float:
    """Return where a seat finished among all: 0 first, 1 last, ties in the middle of the places that they share.

    With teams, it is where its team finished among teams.
    """
    ranks, seat = by_team(ranks, seat, teams)
    better = sum(rank < ranks[seat] for rank in ranks)
    tied = sum(rank == ranks[seat] for rank in ranks) - 1
    return (better + tied / 2) / (len(ranks) - 1)


def win_share(ranks: Sequence[int], seat: int, teams: Teams = ()) -> float:
    """Return 1 for the only first, an equal share for tied firsts, else 0; with teams, that of its team."""
    ranks, seat = by_team(ranks, seat, teams)
    best = min(ranks)
    return 1 / list(ranks).count(best) if ranks[seat] == best else 0.0


def standard_error(blocks: Iterable[Sequence[float]]) -> float | None:
    """Return the standard error of the mean of all values, from the means of independent blocks.

    A block has the weight of its number of values, as it does in the mean. None: there are fewer than two blocks.
    Blocks that all agree do not say that the next one will; then the error is by how much one more that differs by
    `_SURPRISE` would move the mean.
    """
    groups = [(len(block), _mean(block)) for block in blocks]
    if len(groups) < 2:
        return None
    values = sum(size for size, _ in groups)
    centre = math.fsum(size * mean for size, mean in groups) / values
    squares = math.fsum((size * (mean - centre)) ** 2 for size, mean in groups)
    if math.isclose(squares, 0.0, abs_tol=_AGREE * values**2):
        return _SURPRISE / (len(groups) + 1)
    return math.sqrt(squares * len(groups) / (len(groups) - 1)) / values


@dataclass
class _Record:
    """What a bot did in some games."""

    finishes: dict[tuple[int, int], list[float]] = field(default_factory=dict)
    """By block."""
    wins: list[float] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)


def _records(bots: Iterable[str], results: Sequence[RatingInput]) -> dict[str, _Record]:
    found = {bot: _Record() for bot in bots}
    known: dict[tuple[int, ...], list[tuple[float, float]]] = {}
    """Where each seat finished and its share of the win, by ranks: there are few of them in very many games."""
    for result in results:
        ranks, teams = tuple(result.ranks), result.teams
        if (placed := known.get(ranks)) is None:
            placed = known[ranks] = [
                (finish(ranks, seat, teams), win_share(ranks, seat, teams)) for seat in range(len(ranks))
            ]
        for seat, bot in enumerate(result.bots):
            record = found[bot]
            finished, won = placed[seat]
            record.finishes.setdefault(result.block, []).append(finished)
            record.wins.append(won)
            for key, value in result.scores[seat].items():
                record.scores.setdefault(key, []).append(value)
    return found


def _standing(bot: str, ratings: Ratings, record: _Record) -> RatedBot:
    finishes, wins = record.finishes, record.wins
    return RatedBot(
        bot=bot,
        values=ratings.values[bot],
        games=len(wins),
        mean_finish=_mean([value for block in finishes.values() for value in block]) if wins else None,
        mean_finish_error=standard_error(finishes.values()),
        wins=_mean(wins) if wins else None,
        scores={key: _mean(values) for key, values in sorted(record.scores.items())},
        band=ratings.bands.get(bot),
        bound=ratings.bounds.get(bot),
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


POINTS: Final = 200
"""The most points for each bot."""


class Point(NamedTuple):
    """A bot's values after this many of its games."""

    games: int
    values: Values
    number: int = 0
    """The number of the game among all that are rated, from 1."""


class History:
    """The values of every bot, collected while `rate` goes through the games.

    The last point equals the table's values.
    """

    def __init__(self, results: Sequence[RatingInput], points: int = POINTS) -> None:
        """Prepare for these games, all of which the table shows. `points`: the most for each bot, two or more."""
        self.bots: dict[str, list[Point]] = {}
        self._results = results
        self._points = points
        self._total = Counter(bot for result in results for bot in result.bots)
        self._games: Counter[str] = Counter()
        self._number = 0

    def on_rated(self, number: int, rated: Mapping[str, Values]) -> None:
        """Add the values that bots have after so many of the games."""
        for result in self._results[self._number : number]:
            self._games.update(result.bots)
        self._number = number
        for bot, values in rated.items():
            points = self.bots.setdefault(bot, [])
            games, before = self._games[bot], points[-1].games if points else 0
            if games == before:
                points[-1] = points[-1]._replace(values=values)  # it has not played, but its rivals have
            elif self._is_shown(games, before, self._total[bot]):
                points.append(Point(games, values, number))

    def _is_shown(self, game: int, before: int, total: int) -> bool:
        """Return whether there is no point yet in the range of a game, of which there are so many as points.

        Ranges are equally wide, and begin after the last game of the one before.
        """
        return game * self._points // total != before * self._points // total if total > self._points else True

"""The rated table of some games: the columns of a rating system, and figures that need no model.

These figures are mean finish and win share, with errors computed from blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arena.rating.base import OnRated, RatingInput, RatingSystem, Values, of_players
from arena.rating.systems import DEFAULT_SYSTEM, SYSTEMS


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


def rate(
    results: Sequence[RatingInput],
    bots: Iterable[str] = (),
    on_rated: OnRated = lambda _: None,
    system: RatingSystem = SYSTEMS[DEFAULT_SYSTEM],
    players: int | None = None,
) -> list[RatedBot]:
    """Rate some games, and return the table, best first.

    Args:
        results: The games in the order of the schedule.
        bots: Bots to list even without a game, after the others.
        on_rated: Called as in `RatingSystem.rate`.
        system: The rating system.
        players: Make the table for games of so many players; None: for all.
    """
    shown = of_players(results, players)
    names = sorted({bot for result in shown for bot in result.bots} | set(bots))
    everybody = sorted({bot for result in results for bot in result.bots} | set(names))
    values = system.rate(results, everybody, on_rated, players)
    standings = [_standing(name, values[name], shown) for name in names]
    return sorted(standings, key=lambda row: (not row.games, -row.values[system.columns.ranking], row.bot))


def finish(ranks: Sequence[int], seat: int) -> float:
    """Return where a seat finished among all: 0 first, 1 last, ties in the middle of the places that they share."""
    better = sum(rank < ranks[seat] for rank in ranks)
    tied = sum(rank == ranks[seat] for rank in ranks) - 1
    return (better + tied / 2) / (len(ranks) - 1)


def win_share(ranks: Sequence[int], seat: int) -> float:
    """Return 1 for the only first, an equal share for tied firsts, else 0."""
    best = min(ranks)
    return 1 / list(ranks).count(best) if ranks[seat] == best else 0.0


def compare(results: Sequence[RatingInput], one: str, other: str) -> tuple[float, float | None] | None:
    """Return by how much `one` finishes before `other` in their common games, and its standard error.

    The first number is the mean difference of their finishes (see `finish`), negative if `one` is worse. The second
    comes from block means.

    Returns:
        The two numbers; None: the bots never met.
    """
    blocks: dict[tuple[int, int], list[float]] = {}
    for result in results:
        if one in result.bots and other in result.bots:
            a, b = (finish(result.ranks, list(result.bots).index(bot)) for bot in (one, other))
            blocks.setdefault(result.block, []).append(b - a)
    if not blocks:
        return None
    values = [value for block in blocks.values() for value in block]
    return _mean(values), standard_error(blocks.values())


def standard_error(blocks: Iterable[Sequence[float]]) -> float | None:
    """Return the standard error of the mean of all values, from the means of independent blocks.

    A block has the weight of its number of values, as it does in the mean. None: there are fewer than two blocks.
    """
    groups = [(len(block), _mean(block)) for block in blocks]
    if len(groups) < 2:
        return None
    values = sum(size for size, _ in groups)
    centre = math.fsum(size * mean for size, mean in groups) / values
    squares = math.fsum((size * (mean - centre)) ** 2 for size, mean in groups)
    return math.sqrt(squares * len(groups) / (len(groups) - 1)) / values


def _standing(bot: str, values: Values, results: Sequence[RatingInput]) -> RatedBot:
    finishes: dict[tuple[int, int], list[float]] = {}
    wins: list[float] = []
    scores: dict[str, list[float]] = {}
    for result in results:
        for seat, name in enumerate(result.bots):
            if name == bot:
                finishes.setdefault(result.block, []).append(finish(result.ranks, seat))
                wins.append(win_share(result.ranks, seat))
                for key, value in result.scores[seat].items():
                    scores.setdefault(key, []).append(value)
    return RatedBot(
        bot=bot,
        values=values,
        games=len(wins),
        mean_finish=_mean([value for block in finishes.values() for value in block]) if wins else None,
        mean_finish_error=standard_error(finishes.values()),
        wins=_mean(wins) if wins else None,
        scores={key: _mean(values) for key, values in sorted(scores.items())},
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

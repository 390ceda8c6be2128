"""Games to a rated table.

TrueSkill (Herbrich, Minka and Graepel, 2006) by the `trueskill` package, with tau = 0: the default lets ratings drift,
so that the table would depend on the order in which games were played more than it has to. Games are rated in the
order of the schedule. Beside it stand figures that need no model: mean finish and win share, with errors from blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from arena.rating.model import Rating, TrueSkillModel

LEAST_TIES: Final = 0.001
"""The model needs a tie rate above zero."""
_MOST_TIES: Final = 0.999
"""And one below 1."""


@dataclass(frozen=True)
class RatingInput:
    """One game: bots, ranks (1 is best, equal numbers tie) and named scores, in step."""

    bots: Sequence[str]
    ranks: Sequence[int]
    scores: Sequence[Mapping[str, float]]
    block: tuple[int, int]
    """Number of players and number of the block: its games were played by the same group."""


@dataclass(frozen=True)
class RatedBot:
    """A bot's place in a table."""

    bot: str
    mu: float
    sigma: float
    rating: float
    """mu - 3 sigma: better than this with a probability of 99.9 %, says the model."""
    games: int
    mean_finish: float | None
    """0 is always first, 1 always last; ties share their places. None without a game."""
    mean_finish_error: float | None
    """Standard error of it, from the spread of block means; None with fewer than two blocks."""
    wins: float | None
    """Share of games won; tied firsts share a win."""
    scores: Mapping[str, float]
    """Means of the game's scores."""


def rate(
    results: Sequence[RatingInput],
    bots: Iterable[str] = (),
    seen: Callable[[Mapping[str, Rating]], None] = lambda _: None,
) -> list[RatedBot]:
    """The table of these games in their order, best first. `bots` are listed also without a game, behind the others.

    `seen` gets after every game the ratings of its bots.
    """
    names = sorted({bot for result in results for bot in result.bots} | set(bots))
    ratings = _ratings(results, names, seen)
    standings = [_standing(name, ratings[name], results) for name in names]
    return sorted(standings, key=lambda row: (not row.games, -row.rating, row.bot))


def tie_rate(results: Iterable[RatingInput]) -> float:
    """The share of adjacent ranks that are tied, at least `LEAST_TIES`."""
    ties = pairs = 0
    for result in results:
        ranks = sorted(result.ranks)
        pairs += len(ranks) - 1
        ties += sum(a == b for a, b in pairwise(ranks))
    return min(_MOST_TIES, max(LEAST_TIES, ties / pairs if pairs else 0.0))


def finish(ranks: Sequence[int], seat: int) -> float:
    """Where a seat finished among all: 0 first, 1 last, ties in the middle of the places they share."""
    better = sum(rank < ranks[seat] for rank in ranks)
    tied = sum(rank == ranks[seat] for rank in ranks) - 1
    return (better + tied / 2) / (len(ranks) - 1)


def win_share(ranks: Sequence[int], seat: int) -> float:
    """1 for the only first, a share of it for tied firsts, else 0."""
    best = min(ranks)
    return 1 / list(ranks).count(best) if ranks[seat] == best else 0.0


def compare(results: Sequence[RatingInput], one: str, other: str) -> tuple[float, float | None] | None:
    """By how much `one` finishes before `other` in their common games, and the standard error of it.

    The difference of finishes, over block means; negative: `one` is worse. None: they never met.
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
    """The standard error of the mean over all values, from the means of blocks that are independent of each other.

    A block weighs as much as it has values, as it does in the mean. None: fewer than two blocks.
    """
    groups = [(len(block), _mean(block)) for block in blocks]
    if len(groups) < 2:
        return None
    values = sum(size for size, _ in groups)
    centre = math.fsum(size * mean for size, mean in groups) / values
    squares = math.fsum((size * (mean - centre)) ** 2 for size, mean in groups)
    return math.sqrt(squares * len(groups) / (len(groups) - 1)) / values


def _ratings(
    results: Sequence[RatingInput], names: Iterable[str], seen: Callable[[Mapping[str, Rating]], None]
) -> dict[str, Rating]:
    model = TrueSkillModel(tie_rate(results))
    ratings = {name: model.create_rating() for name in names}
    for result in results:
        rated = model.rate([(ratings[bot],) for bot in result.bots], ranks=result.ranks)
        after = {bot: rating for bot, (rating,) in zip(result.bots, rated, strict=True)}
        ratings.update(after)
        seen(after)
    return ratings


def _standing(bot: str, rating: Rating, results: Sequence[RatingInput]) -> RatedBot:
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
        mu=rating.mu,
        sigma=rating.sigma,
        rating=rating.mu - 3 * rating.sigma,
        games=len(wins),
        mean_finish=_mean([value for block in finishes.values() for value in block]) if wins else None,
        mean_finish_error=standard_error(finishes.values()),
        wins=_mean(wins) if wins else None,
        scores={key: _mean(values) for key, values in sorted(scores.items())},
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)

"""Count where each bot finished, by number of players and seat, in one pass over the rated games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.ledger import GameResult
from arena.rating.rated_table import by_team, finish, win_share


class Finishes(NamedTuple):
    """Where a bot finished in some of its games."""

    games: int
    places: list[int]
    """How often it finished on each place, from the first. Ties share the better place."""
    mean: float
    """The mean finish: 0 is always first, 1 always last."""
    wins: float


class Seating(NamedTuple):
    """A bot's finishes in games of one number of players."""

    players: int
    all: Finishes
    seats: list[Finishes | None]
    """Its finishes by seat, None for a seat that it never had."""


def seatings(results: Sequence[GameResult]) -> dict[str, list[Seating]]:
    """Return each bot's finishes by number of players, the smallest first."""
    games: dict[tuple[str, int, int], list[tuple[int, Sequence[int]]]] = {}
    for result in results:
        for seat, bot in enumerate(result.bots):
            ranks, own = by_team(result.ranks, seat, result.teams)
            games.setdefault((bot, result.players, seat), []).append((own, ranks))
    found: dict[str, list[Seating]] = {}
    for bot, players in sorted({(bot, players) for bot, players, _ in games}):
        by_seat = [games.get((bot, players, seat), []) for seat in range(players)]
        seats = [_finishes(players, at) if at else None for at in by_seat]
        everything = _finishes(players, [each for at in by_seat for each in at])
        found.setdefault(bot, []).append(Seating(players, everything, seats))
    return found


def _finishes(players: int, games: Sequence[tuple[int, Sequence[int]]]) -> Finishes:
    places = Counter(ranks[seat] for seat, ranks in games)
    count = len(games)
    return Finishes(
        count,
        [places[place] for place in range(1, players + 1)],
        sum(finish(ranks, seat) for seat, ranks in games) / count,
        sum(win_share(ranks, seat) for seat, ranks in games) / count,
    )

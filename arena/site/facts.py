"""What the pages tell of a bot beyond its row in the tables, from one pass over the games that are rated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from arena.ledger import MatchResult
from arena.rating.rating import finish, win_share


class Finishes(NamedTuple):
    """Where a bot finished in some of its games."""

    games: int
    places: list[int]
    """How often on each place, the first one first; who ties shares the better place."""
    mean: float
    """0 is always first, 1 always last."""
    wins: float


class Seating(NamedTuple):
    """A bot's games of one number of players."""

    players: int
    all: Finishes
    seats: list[Finishes | None]
    """By seat; None: it never sat there."""


def seatings(results: Sequence[MatchResult]) -> dict[str, list[Seating]]:
    """By bot: its finishes by number of players, the smallest one first."""
    games: dict[tuple[str, int, int], list[Sequence[int]]] = {}
    for result in results:
        for seat, bot in enumerate(result.bots):
            games.setdefault((bot, result.players, seat), []).append(result.ranks)
    found: dict[str, list[Seating]] = {}
    for bot, players in sorted({(bot, players) for bot, players, _ in games}):
        by_seat = [games.get((bot, players, seat), []) for seat in range(players)]
        seats = [_finishes(players, [(seat, ranks) for ranks in at]) if at else None for seat, at in enumerate(by_seat)]
        everything = _finishes(players, [(seat, ranks) for seat, at in enumerate(by_seat) for ranks in at])
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

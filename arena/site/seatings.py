"""Count where each bot finished, by number of players and seat, in one pass over the rated games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.ledger import GameResult
from arena.rating.rated_table import by_team
from arena.reports.bot_record import CountRecord, count_record


class Seating(NamedTuple):
    """A bot's finishes in games of one number of players."""

    players: int
    all: CountRecord
    seats: list[CountRecord | None]
    """Its finishes by seat, None for a seat that it never had."""


def seatings(results: Sequence[GameResult]) -> dict[str, list[Seating]]:
    """Return each bot's finishes by number of players, the smallest first."""
    games: dict[tuple[str, int, int], list[tuple[Sequence[int], int]]] = {}
    for result in results:
        for seat, bot in enumerate(result.bots):
            games.setdefault((bot, result.players, seat), []).append(by_team(result.ranks, seat, result.teams))
    found: dict[str, list[Seating]] = {}
    for bot, players in sorted({(bot, players) for bot, players, _ in games}):
        by_seat = [games.get((bot, players, seat), []) for seat in range(players)]
        seats = [count_record(players, at) if at else None for at in by_seat]
        everything = count_record(players, [each for at in by_seat for each in at])
        found.setdefault(bot, []).append(Seating(players, everything, seats))
    return found

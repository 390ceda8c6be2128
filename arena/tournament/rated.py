"""Which games count, computed from the schedule, the results and what was asked for: to write it, and to verify it."""

from __future__ import annotations

from collections.abc import Collection

from arena.ledger import BlockRecord, RatedGames
from arena.tournament.budget import Demand
from arena.tournament.fixtures import Fixtures


def add_block(demand: Demand, fixtures: Fixtures, number: int) -> BlockRecord | None:
    """Add a block to what is demanded, and return it. None: it is not known yet."""
    block = fixtures.block(number)
    if block is not None:
        gone = fixtures.history.suspensions.gone(block.place + len(block.bots))
        demand.add(block, fixtures.counting(block), gone)
    return block


def rated_end(demand: Demand, fixtures: Fixtures) -> tuple[int, int]:
    """Return the length of the schedule's beginning that is rated, and its number of blocks, added to `demand`.

    Rated are the games asked for, or the longest beginning without a gap if not all of them were played.
    """
    number, end = 0, 0
    schedule = fixtures.schedule
    while number < schedule.drawn and not demand.is_met(schedule.round_of(number)):
        block = fixtures.block(number)
        if block is None or fixtures.unknown(block):
            break
        add_block(demand, fixtures, number)
        if fixtures.counting(block):
            end = block.place + len(block.bots)
        number += 1
    return end, number


def rated_games(
    fixtures: Fixtures, field: Collection[str], end: int | None, asked: int | None, expected: int | None = None
) -> RatedGames:
    """Return which games count: those before `end`, or all so far. What follows from later games is left out.

    `asked`, `expected`: see `RatedGames`.
    """
    suspensions = fixtures.history.suspensions
    place = suspensions.reached if end is None else end
    suspended = suspensions.suspended(place)
    return RatedGames(
        games=end,
        suspended={bot: suspended[bot] for bot in sorted(suspended) if bot in field},
        without=fixtures.without_before(place),
        void=suspensions.void_before(place),
        absent=suspensions.absent_before(place),
        asked=asked,
        expected=expected if end is None else None,
    )

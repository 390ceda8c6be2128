"""The winner and every seat's rank (K-80 to K-84)."""

from __future__ import annotations

from engine.kosmos.cards import DAYS, LONDON
from engine.kosmos.state import KosmosPosition


def ranks(position: KosmosPosition) -> list[int]:
    """Return the rank of each seat: 1 is best, equal numbers tie."""
    merit = _merit_of_two if position.players == 2 else _merit_of_many
    merits = [merit(position, seat) for seat in range(position.players)]
    return [1 + sum(other < own for other in merits) for own in merits]


def _merit_of_many(position: KosmosPosition, seat: int) -> tuple[int, ...]:
    """Return what ranks a seat among three or more, the lowest first (K-83).

    Seats that arrived within 80 days come first, by days; then those that arrived later, in the order of arrival; then
    the others, by cities reached.
    """
    table = position.table
    if table.city[seat] < LONDON:
        return (2, -table.city[seat])
    order = table.arrived.index(seat)
    return (0, table.days[seat], order) if table.days[seat] <= DAYS else (1, order)


def _merit_of_two(position: KosmosPosition, seat: int) -> tuple[int, ...]:
    """Return what ranks a seat of two, the lowest first (K-82, K-83)."""
    table = position.table
    if not table.arrived:
        return (-table.city[seat], table.days[seat])
    first = table.arrived[0]
    if position.edition.late_first_loses and table.days[first] > DAYS:
        return (int(seat == first),)
    if len(table.arrived) == 1:
        return (int(seat != first),)
    return (table.days[seat], -table.gold[seat])


def scores(position: KosmosPosition) -> list[dict[str, int]]:
    """Return days used, whether home (1) or not (0), cities reached (0 to 10) and coins of each seat."""
    table = position.table
    return [
        {
            "days": table.days[seat],
            "arrived": int(table.city[seat] == LONDON),
            "cities": table.city[seat],
            "gold": table.gold[seat],
        }
        for seat in range(position.players)
    ]

"""Whether a ledger's games are those of its schedule: none invented, none with other seats or another seed."""

from __future__ import annotations

from arena.ledger import Ledger, LedgerError, sealed
from arena.tournament.schedule import schedule


def audit(ledger: Ledger) -> list[str]:
    """What is wrong, in words; nothing when every game stands where the schedule put it."""
    results = {result.id: result for result in ledger.results()}
    if not results:
        return []
    try:
        seed = sealed(ledger)
    except LedgerError as error:
        return [str(error)]
    bots = [each.name for each in ledger.entrants() if each.left_out is None]
    last = max(result.order for result in results.values())
    found = []
    for order in schedule(bots, ledger.meta["counts"], seed):
        if order.order > last:
            break
        result = results.pop(order.id, None)
        if result is not None:
            record = ledger.game(order.id)
            if (record.order, record.seed, record.bots) != (order.order, order.seed, order.bots):
                found.append(f"{order.id} has another place, seed or seating than the schedule gives it")
    return found + [f"{game_id} is not in the schedule" for game_id in sorted(results)]

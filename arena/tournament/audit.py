"""Whether a ledger's games are those of its schedule: none invented, none with other seats or another seed."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from arena.ledger import Ledger, LedgerError, committed_seed
from arena.tournament.schedule import Schedule


def audit(ledger: Ledger) -> list[str]:
    """What is wrong, in words; nothing when every game stands where the schedule put it."""
    ids = ledger.ids()
    if not ids:
        return []
    try:
        seed = committed_seed(ledger)
    except LedgerError as error:
        return [str(error)]
    places = _places(ledger, ids)
    last = max((place[0] for place in places.values()), default=-1)
    bots = [each.name for each in ledger.entrants() if each.left_out is None]
    found = []
    for spec in Schedule(bots, ledger.meta["counts"], seed).games():
        if spec.index > last or not places:
            break
        place = places.pop(spec.id, None)
        if place is not None and place != (spec.index, spec.seed, spec.bots):
            found.append(f"{spec.id} has another place, seed or seating than the schedule gives it")
    return found + [f"{game_id} is not in the schedule" for game_id in sorted(places)]


def _places(ledger: Ledger, ids: Iterable[str]) -> dict[str, tuple[int, str, list[str]]]:
    """Place, seed and seating by game; without those that cannot be read, which is for whoever replays them to say."""
    places = {}
    for game_id in ids:
        with suppress(LedgerError):
            record = ledger.game(game_id)
            places[game_id] = (record.index, record.seed, record.bots)
    return places

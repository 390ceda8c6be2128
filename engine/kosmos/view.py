"""What a seat may know, built up from what lies open and that seat's own hand (K-90, K-91).

Nothing else is within reach here: no other hand, no deck, no chance.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.game import Data
from engine.kosmos.cards import CITIES, COLOURS, EMPTY, EVENT, FIRST_EVENT, NAMES, PLACE_NAMES, TRAVEL
from engine.kosmos.state import Hand, Table
from engine.kosmos.unseen import Draws, Unseen

_PLACE = (*PLACE_NAMES, None)  # EMPTY, which is -1, gives the last
_COLOUR = (*COLOURS, None)
_card = (*NAMES, None).__getitem__
_travel_card = NAMES[:FIRST_EVENT].__getitem__
_event_card = NAMES[FIRST_EVENT:].__getitem__
_NO_DRAWS: list[Draws] = [[], []]


def build_view(table: Table, hand: Hand | None, seat: int | None) -> Data:
    """The view of `seat`, who holds `hand`; both None: a spectator's.

    Search bots build views by the million: the few cards of a place are named by `map`, the quickest way.
    """
    phase = table.phase
    if phase == "escape" and seat != table.on_turn:
        phase = "travel"  # that this is asked tells of a card in hand
    travel_pile, event_pile = table.piles
    travel_unseen, event_unseen = table.unseen
    travel_draws, event_draws = hand.draws if hand else _NO_DRAWS
    return {
        "seat": seat,
        "on_turn": None if phase == "over" else table.on_turn,
        "phase": phase,
        "round": table.round,
        "first": table.first,
        "marker": table.marker,
        "marker_taken": table.marker_taken,
        "waiting": table.waiting[:],
        "travelling": table.travelling,
        "home_before": table.home_before,
        "detective": CITIES[table.detective],
        "supply": table.supply,
        "display": [*map(_card, table.display)],
        "taken": _PLACE[table.taken],
        "balloon": table.balloon,
        "legs": table.legs,
        "leg": {"days": table.leg_days, "roll": table.leg_roll} if table.leg_roll else None,
        "chit": _chit_asked(table) if table.asking != EMPTY else None,
        "city": table.city[:],
        "days": table.days[:],
        "gold": table.gold[:],
        "travel_cards": table.travel_cards[:],
        "event_cards": table.event_cards[:],
        "known": [[*map(_card, known)] if known else [] for known in table.known],
        "arrived": table.arrived[:],
        "retired": table.retired[:],
        "hand": [*map(_card, hand.travel), *map(_card, hand.events)] if hand else None,
        "red": table.red[:],
        "blue": table.blue[:],
        "decks": {"travel": table.decks[TRAVEL], "event": table.decks[EVENT]},
        "piles": {"travel": [*map(_card, travel_pile)], "event": [*map(_card, event_pile)]},
        "hidden": {
            "travel": _hidden(travel_unseen, travel_draws, seat, _travel_card),
            "event": _hidden(event_unseen, event_draws, seat, _event_card),
        },
    }


def _chit_asked(table: Table) -> Data:
    beside = table.blue if table.asking else table.red
    return {"colour": _COLOUR[table.asking], "chit": beside[table.city[table.on_turn]]}


def _hidden(unseen: Unseen, own: Draws, seat: int | None, name: Callable[[int], str]) -> Data:
    """What this seat can tell about the unseen draws from a deck: its own it has seen."""
    drawn = unseen.drawn
    pools = {str(shuffle): pool[:] for shuffle, pool in unseen.pools.items()}
    if own and seat is not None:
        for shuffle, kind in zip(drawn[seat], own, strict=True):
            pools[str(shuffle)][kind] -= 1
    return {
        "shuffle": unseen.shuffle,
        "pools": pools,
        "drawn": [shuffles[:] for shuffles in drawn],
        "shown": [[[name(kind), before] for kind, before in shown] if shown else [] for shown in unseen.shown],
        "yours": [*map(name, own)],
    }

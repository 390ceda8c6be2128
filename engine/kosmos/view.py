"""What a seat may know, built up from what lies open and that seat's own hand (K-90, K-91).

Nothing else is within reach here: no other hand, no deck, no chance.
"""

from __future__ import annotations

from engine.game import Data
from engine.kosmos.cards import CHITS, CITIES, DECKS, EMPTY, EVENT, NAMES, PLACE_NAMES, TRAVEL
from engine.kosmos.state import Hand, Table

_PLACE = (*PLACE_NAMES, None)  # EMPTY, which is -1, gives the last
_CHIT = (*CHITS, None)
_CARD = (*NAMES, None)
_DETECTIVE = CITIES

COLOUR_ASKED = ("red", "blue", None)


def build_view(table: Table, hand: Hand | None, seat: int | None) -> Data:
    """The view of `seat`, who holds `hand`; both None: a spectator's."""
    phase = table.phase
    if phase == "escape" and seat != table.on_turn:
        phase = "travel"  # that this is asked tells of a card in hand
    card = _CARD
    asking = table.asking
    beside: list[int] = table.blue if asking else table.red
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
        "detective": _DETECTIVE[table.detective],
        "supply": table.supply,
        "display": [card[c] for c in table.display],
        "taken": _PLACE[table.taken],
        "balloon": table.balloon,
        "legs": table.legs,
        "leg": {"days": table.leg_days, "roll": table.leg_roll} if table.leg_roll else None,
        "chit": None
        if asking == EMPTY
        else {"colour": COLOUR_ASKED[asking], "chit": _CHIT[beside[table.city[table.on_turn]]]},
        "city": table.city[:],
        "days": table.days[:],
        "gold": table.gold[:],
        "travel_cards": table.travel_cards[:],
        "event_cards": table.event_cards[:],
        "known": [[card[c] for c in known] for known in table.known],
        "arrived": table.arrived[:],
        "retired": table.retired[:],
        "hand": None if hand is None else [card[c] for c in hand.travel] + [card[c] for c in hand.events],
        "red": [_CHIT[chit] for chit in table.red],
        "blue": [_CHIT[chit] for chit in table.blue],
        "decks": {"travel": table.decks[TRAVEL], "event": table.decks[EVENT]},
        "piles": {"travel": [card[c] for c in table.piles[TRAVEL]], "event": [card[c] for c in table.piles[EVENT]]},
        "hidden": {DECKS[deck]: _hidden(table, hand, seat, deck) for deck in (TRAVEL, EVENT)},
    }


def _hidden(table: Table, hand: Hand | None, seat: int | None, deck: int) -> Data:
    """What this seat can tell about the unseen draws from a deck: its own it has seen."""
    unseen = table.unseen[deck]
    pools = {shuffle: pool[:] for shuffle, pool in unseen.pools.items()}
    own: list[int] = []
    if hand is not None and seat is not None:
        own = hand.draws[deck]
        for shuffle, kind in zip(unseen.drawn[seat], own, strict=True):
            pools[shuffle][kind] -= 1
    offset = deck and len(NAMES) - len(pools[unseen.shuffle])
    return {
        "shuffle": unseen.shuffle,
        "pools": {str(shuffle): pool for shuffle, pool in pools.items()},
        "drawn": [drawn[:] for drawn in unseen.drawn],
        "shown": [[[NAMES[kind + offset], before] for kind, before in shown] for shown in unseen.shown],
        "yours": [NAMES[kind + offset] for kind in own],
    }

"""The view of a seat, built from what lies open and from that seat's own hand (K-90, K-91).

The functions here have no access to anything else: no other hand, no deck, no chance.

`arena.game.bot_messages` sends a view to the seat's bot, with the actions and the events that the seat may see. The
audience of an event (`engine.rules.Event.to`) is set where the rules make it. In `tests/noninterference/` two games
that differ only in what a seat has not seen must send that seat the same bytes.
"""

from __future__ import annotations

from engine.hidden_deck import DeckView
from engine.kosmos.cards import CHITS, CITIES, COLOURS, EMPTY, FACE_DOWN, NAMES, PLACE_NAMES
from engine.kosmos.state import KosmosHand, KosmosPublicState
from engine.kosmos.types.view import KosmosFaceDown, KosmosOpenChit, KosmosView

_PLACE = (*PLACE_NAMES, None)  # EMPTY, which is -1, gives the last
_CARD = (*NAMES, None)


def build_view(
    table: KosmosPublicState,
    hand: KosmosHand | None,
    seat: int | None,
    decks: tuple[DeckView, DeckView],
    face_down: bool,
) -> KosmosView:
    """Build the view of a seat.

    Args:
        table: What lies open.
        hand: The seat's hand; None: for a spectator.
        seat: The seat; None: a spectator.
        decks: What the seat may know of each deck.
        face_down: Whether chits lay face down at the start.
    """
    card = NAMES
    phase = table.phase
    if phase == "escape" and seat != table.on_turn:
        phase = "travel"  # being asked would reveal that the seat holds a certain card
    travel, event = decks
    known = [[card[code] for code in cards] if cards else [] for cards in travel.known]
    if any(event.known):
        for holder, cards in enumerate(event.known):
            known[holder] += [card[code] for code in cards]
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
        "display": [_CARD[code] for code in table.display],
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
        "known": known,
        "arrived": table.arrived[:],
        "retired": table.retired[:],
        "hand": [card[code] for code in hand.travel + hand.events] if hand else None,
        "red": table.red[:],
        "blue": table.blue[:],
        "face_down": _face_down(table) if face_down else None,
        "decks": {"travel": travel.left, "event": event.left},
        "piles": {
            "travel": [card[code] for code in travel.discards],
            "event": [card[code] for code in event.discards],
        },
        "hidden": {"travel": travel.hidden, "event": event.hidden},
    }


def _face_down(table: KosmosPublicState) -> KosmosFaceDown:
    """Count the unseen chits of each kind, by colour."""
    red, blue = table.face_down
    return {"red": dict(zip(CHITS, red, strict=True)), "blue": dict(zip(CHITS, blue, strict=True))}


def _chit_asked(table: KosmosPublicState) -> KosmosOpenChit:
    chit = (table.blue if table.asking else table.red)[table.city[table.on_turn]]
    assert chit is not None
    assert chit != FACE_DOWN
    return {"colour": COLOURS[table.asking], "chit": chit}

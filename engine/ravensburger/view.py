"""What a seat may know, built up from what lies open and that seat's own hand (R-90, R-91).

Nothing else is within reach here: no other hand, no deck, no chance. What is being asked is told to whoever is asked
and to nobody else, so that nobody learns that another was asked (R-91).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.game import Data
from engine.hidden_deck import DeckView
from engine.ravensburger.cards import EMPTY, MODES, NAMES
from engine.ravensburger.state import RavensburgerHand, RavensburgerPublicState

_MODE: Final = (*MODES, None)  # EMPTY, which is -1, gives the last


def build_view(
    table: RavensburgerPublicState,
    hand: RavensburgerHand | None,
    seat: int | None,
    decks: tuple[DeckView, DeckView],
    events: Sequence[str],
) -> Data:
    """Return the view of `seat`, who holds `hand`; both None: a spectator's.

    `decks`: what the seat may know of each; `events`: the event cards' names.
    """
    phase = table.pending[-1][0]
    over = phase == "over"
    asked = not over and table.decider == seat
    card = NAMES
    action, order = decks
    known = [[card[code] for code in cards] if cards else [] for cards in action.known]
    if any(order.known):
        for holder, cards in enumerate(order.known):
            known[holder] += [events[code] for code in cards]
    return {
        "seat": seat,
        "on_turn": None if over else table.on_turn,
        "phase": phase if asked or over else None,
        "turn": _turn(table) if asked else None,
        "round": table.round,
        "first": table.first,
        "rose": _MODE[table.rose],
        "square": table.square[:],
        "cards": table.cards[:],
        "kept": table.kept[:],
        "known": known,
        "retired": table.retired[:],
        "hand": [card[code] for code in hand.cards] if hand else None,
        "event": None if hand is None or hand.event == EMPTY else events[hand.event],
        "drawn": None if hand is None or hand.drawn == EMPTY else events[hand.drawn],
        "decks": {"action": action.left, "event": order.left},
        "piles": {
            "action": [card[code] for code in action.discards],
            "event": [events[code] for code in order.discards],
        },
        "hidden": {"action": action.hidden, "event": order.hidden},
    }


def _turn(table: RavensburgerPublicState) -> Data:
    return {
        "further": table.further,
        "stage": table.stage,
        "leap": table.leap,
        "waiting": table.waiting,
        "moved": table.moved,
        "beyond": table.beyond,
        "kept_now": table.kept_now,
        "orders": table.orders,
        "pending": [list(task) for task in table.pending],
    }

"""The view of a seat, built from what lies open and from that seat's own hand (R-90, R-91).

The functions here have no access to anything else: no other hand, no deck, no chance. Only the seat that is asked sees
what it is asked, so no seat learns that another was asked (R-91).

`arena.game.bot_messages` sends a view to the seat's bot, with the actions and the events that the seat may see. The
audience of an event (`engine.rules.Event.to`) is set where the rules make it. In `tests/noninterference/` two games
that differ only in what a seat has not seen must send that seat the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from engine.hidden_deck import DeckView
from engine.ravensburger.cards import EMPTY, MODES, NAMES
from engine.ravensburger.state import RavensburgerHand, RavensburgerPublicState
from engine.ravensburger.types.view import RavensburgerTurn, RavensburgerView

_MODE: Final = (*MODES, None)  # EMPTY, which is -1, gives the last


def build_view(
    table: RavensburgerPublicState,
    hand: RavensburgerHand | None,
    seat: int | None,
    decks: tuple[DeckView, DeckView],
    events: Sequence[str],
) -> RavensburgerView:
    """Build the view of a seat.

    Args:
        table: What lies open.
        hand: The seat's hand; None: for a spectator.
        seat: The seat; None: a spectator.
        decks: What the seat may know of each deck.
        events: The names of the event cards.
    """
    phase: Any = table.pending[-1][0]  # the task on top is a question, or the end
    over = phase == "over"
    asked = not over and table.decider == seat
    card = NAMES
    action, order = decks
    known: list[list[str]] = [[card[code] for code in cards] if cards else [] for cards in action.known]
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


def _turn(table: RavensburgerPublicState) -> RavensburgerTurn:
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

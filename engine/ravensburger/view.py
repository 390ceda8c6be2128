"""What a seat may know, built up from what lies open and that seat's own hand (R-90, R-91).

Nothing else is within reach here: no other hand, no deck, no chance. What is being asked is told to whoever is asked
and to nobody else, so that nobody learns that another was asked (R-91).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.deck_knowledge import DeckKnowledge, Draws
from engine.game import Data
from engine.ravensburger.cards import ACTION, EMPTY, EVENT, MODES, NAMES
from engine.ravensburger.state import EVENT_OFFSET, RavensburgerHand, RavensburgerPublicState

_MODE: Final = (*MODES, None)  # EMPTY, which is -1, gives the last
_NO_DRAWS: Final[list[Draws]] = [[], []]


def build_view(
    table: RavensburgerPublicState, hand: RavensburgerHand | None, seat: int | None, events: Sequence[str]
) -> Data:
    """The view of `seat`, who holds `hand`; both None: a spectator's. `events`: the event cards' names."""
    phase = table.pending[-1][0]
    over = phase == "over"
    asked = not over and table.decider == seat
    card = NAMES
    actions, orders = table.piles
    draws = hand.draws if hand else _NO_DRAWS
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
        "known": [_known(known, events) if known else [] for known in table.known],
        "retired": table.retired[:],
        "hand": [card[code] for code in hand.cards] if hand else None,
        "event": None if hand is None or hand.event == EMPTY else events[hand.event],
        "drawn": None if hand is None or hand.drawn == EMPTY else events[hand.drawn],
        "decks": {"action": table.decks[ACTION], "event": table.decks[EVENT]},
        "piles": {"action": [card[code] for code in actions], "event": [events[code] for code in orders]},
        "hidden": {
            "action": _hidden(table.unseen[ACTION], draws[ACTION]),
            "event": _hidden(table.unseen[EVENT], draws[EVENT]),
        },
    }


def _known(codes: list[int], events: Sequence[str]) -> list[str]:
    return [NAMES[code] if code < EVENT_OFFSET else events[code - EVENT_OFFSET] for code in codes]


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


def _hidden(unseen: DeckKnowledge, own: Draws) -> Data:
    """What all can tell about the unseen draws from a deck, and what this seat drew; cards as numbers."""
    return {
        "shuffle": unseen.shuffle,
        "pools": {f"{shuffle}": pool[:] for shuffle, pool in unseen.pools.items()},
        "drawn": list(map(list.copy, unseen.drawn)),
        "shown": unseen.flat_shown(),
        "lacked": [
            [[list(kinds), before, earlier] for kinds, before, earlier in notes] if notes else []
            for notes in unseen.lacked
        ],
        "yours": own[:],
    }

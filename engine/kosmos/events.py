"""Event cards that are played on their own: swap, detective, and the princess in their place (K-52, K-54, K-55)."""

from __future__ import annotations

from itertools import combinations
from typing import Final, Literal, get_args

from engine.kosmos.cards import CITY_CODES, CODES, DETECTIVE, EMPTY, EVENT, LONDON, NAMES, PLACES, PRINCESS, SWAP
from engine.kosmos.state import KosmosPosition
from engine.kosmos.types.actions import KosmosDetectiveAction, KosmosSwapAction
from engine.kosmos.types.events import kosmos_event
from engine.kosmos.types.names import DetectiveCard, SwapCard
from engine.rules import Event

SWAPS: Final[dict[str, dict[tuple[int, int], KosmosSwapAction]]] = {
    by: {
        (one, other): {"do": "swap", "by": by, "places": [PLACES[one], PLACES[other]]}
        for one, other in combinations(range(len(PLACES)), 2)
    }
    for by in get_args(SwapCard)
}


def bearers(position: KosmosPosition, effect: int) -> list[str]:
    """Return the names of the cards in the hand on turn that can be played for an event's effect.

    These are the card itself, and the princess if the card is on top of the pile (K-55).
    """
    hand = position.hands[position.table.on_turn].events
    found: list[str] = [NAMES[effect]] if effect in hand else []
    pile = position.decks[EVENT].discards
    if PRINCESS in hand and pile and pile[-1] == effect:
        found.append(NAMES[PRINCESS])
    return found


def swap_options(position: KosmosPosition) -> list[KosmosSwapAction]:
    """Return the swaps of two displayed cards that differ (K-30)."""
    display = position.table.display
    return [
        SWAPS[by][one, other]
        for by in bearers(position, SWAP)
        for one, other in combinations(range(len(PLACES)), 2)
        if display[one] != EMPTY and display[other] != EMPTY and display[one] != display[other]
    ]


def swap(position: KosmosPosition, action: KosmosSwapAction, log: list[Event]) -> None:
    """Discard the event card and swap the two displayed cards."""
    table = position.table
    position.discard(table.on_turn, CODES[action["by"]])
    one, other = (PLACES.index(place) for place in action["places"])
    display = table.display
    display[one], display[other] = display[other], display[one]
    cards = [NAMES[display[one]], NAMES[display[other]]]
    by, places = action["by"], action["places"]
    log.append(kosmos_event(None, {"event": "swap", "seat": table.on_turn, "by": by, "places": places, "cards": cards}))


def detective_options(position: KosmosPosition) -> list[KosmosDetectiveAction]:
    """Return the moves of the detective to any other city except London (K-54)."""
    moves = position.edition.detective_moves
    here = position.table.detective
    return [moves[by][city] for by in bearers(position, DETECTIVE) for city in range(1, LONDON) if city != here]


def play_detective(position: KosmosPosition, action: KosmosDetectiveAction, log: list[Event]) -> None:
    """Discard the event card and move the detective."""
    position.discard(position.table.on_turn, CODES[action["by"]])
    put_detective(position, action["to"], action["by"], log)


def put_detective(position: KosmosPosition, to: str, by: Literal[DetectiveCard, "action"], log: list[Event]) -> None:
    """Move the detective to a city.

    Args:
        position: The position.
        to: The name of the city.
        by: The event card played, or "action" for the action of a place.
        log: Receives the event.
    """
    position.table.detective = CITY_CODES[to]
    log.append(kosmos_event(None, {"event": "detective", "seat": position.table.on_turn, "to": to, "by": by}))

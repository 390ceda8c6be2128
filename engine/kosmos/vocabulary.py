"""The steps in which actions are spelled for learning programs: verb x card x place, counted for each edition."""

from __future__ import annotations

from typing import Final

from engine.kosmos.cards import (
    BALLOON,
    CHIT_EVENT,
    CHIT_TRAVEL,
    CHITS,
    CONNECTIONS,
    DECKS,
    DETECTIVE,
    DISTRACTION,
    ELEPHANT,
    FIRST_EVENT,
    FIRST_SHIP,
    GREY_DAYS,
    LONDON,
    NAMES,
    OFFER,
    OPPORTUNITY,
    PLACES,
    PRINCESS,
    PROPELLER,
    SUBMARINE,
    SWAP,
    TRAVEL_NAMES,
)
from engine.kosmos.edition import typed
from engine.rules import Data, Spelling

SPELLING: Final[Spelling] = {
    **{do: [do] for do in ("pass", "gold", "event", "first", "stay", "keep", "reroll", "sell", "suffer")},
    "take": ["take {place} {card}"],
    "swap": ["swap by {by}", ("places", "at {}")],
    "detective": ["detective by {by} to {to}"],
    "buy": ["buy {deck}"],
    "move_detective": ["move detective to {to}"],
    "exchange": ["exchange", ("cards", "card {}"), "done"],
    # Where to follows from where the pawn is, and the days and the die from cards and uses.
    "travel": ["travel", ("cards", "card {}"), ("uses", "use {card} as {as} {on}"), "done"],
    "decline": ["decline {chit}"],
    "accept": ["accept {chit}"],
    "escape": ["escape by {by}"],
    "discard": ["discard {card}"],
}
_CARDS: Final = range(FIRST_EVENT)
_AFFECTED: Final[dict[int, range]] = {
    BALLOON: _CARDS,
    SUBMARINE: range(FIRST_SHIP, FIRST_EVENT),
    PROPELLER: range(FIRST_SHIP),
}
"""The cards that an effect changes; other effects change the whole leg."""


def vocabulary(data: Data) -> list[str]:
    """Return all steps that there are in an edition, without those of event cards that it lacks."""
    edition = typed(data)
    cities = edition.cities[1:LONDON]
    held = [FIRST_EVENT + kind for kind, count in enumerate(edition.event_counts) if count]

    def bearers(effect: int) -> list[str]:
        return [NAMES[card] for card in (effect, PRINCESS) if effect in held and card in held]

    steps = ["pass", "gold", "event", "first", "stay", "keep", "reroll", "sell", "suffer", "exchange", "travel", "done"]
    steps += [f"take {place} {card}" for place in PLACES for card in TRAVEL_NAMES]
    steps.append("take deck")
    steps += [f"swap by {by}" for by in bearers(SWAP)] + [f"at {place}" for place in PLACES]
    steps += [f"detective by {by} to {city}" for by in bearers(DETECTIVE) for city in cities]
    steps += [f"move detective to {city}" for city in cities]
    steps += [f"buy {deck}" for deck in DECKS]
    steps += [f"card {card}" for card in TRAVEL_NAMES]
    for effect in (OFFER, ELEPHANT, OPPORTUNITY, CONNECTIONS):
        steps += [f"use {by} as {NAMES[effect]}" for by in bearers(effect)]
    for effect, cards in _AFFECTED.items():
        by_action = ["action"] if effect == BALLOON else []  # the ride of the place `balloon` needs no card
        steps += [f"use {by} as {NAMES[effect]} {NAMES[on]}" for by in bearers(effect) + by_action for on in cards]
    cards_only = [chit for chit in (CHIT_TRAVEL, CHIT_EVENT) if edition.decline_chit_cards]
    asked = CHITS if edition.refuse_chits else cards_only
    steps += [f"{do} {chit}" for do in ("decline", "accept") for chit in asked]
    steps += [f"escape by {by}" for by in bearers(DISTRACTION)]
    if not edition.blind_limit:
        steps += [f"discard {NAMES[card]}" for card in (*_CARDS, *held) if card not in GREY_DAYS]
    return steps

"""The end of a leg: days, the figure, the city's chits, London (K-48, K-65, K-66, K-72)."""

from __future__ import annotations

from typing import Final

from engine.kosmos import round as rounds
from engine.kosmos.cards import (
    BLUE,
    CHIT_DELAY,
    CHIT_EVENT,
    CHIT_GOLD,
    CHIT_TRAVEL,
    COLOURS,
    DAYS,
    EMPTY,
    EVENT,
    FACE_DOWN,
    LONDON,
    NAMES,
    RED,
    TRAVEL,
)
from engine.kosmos.state import KosmosPosition
from engine.kosmos.types.actions import KosmosAction
from engine.kosmos.types.events import KosmosChitEvent, kosmos_event
from engine.kosmos.types.names import Chit, Colour
from engine.rules import Event

CARD_CHITS: Final = {CHIT_TRAVEL: TRAVEL, CHIT_EVENT: EVENT}
DELAY_DAYS: Final = 1


def arrive(position: KosmosPosition, log: list[Event]) -> None:
    """Add the days of the leg and move the figure on."""
    table = position.table
    seat = table.on_turn
    days = table.leg_days + table.leg_roll
    table.leg_days = table.leg_roll = 0
    table.legs += 1
    table.days[seat] += days
    table.city[seat] += 1
    city = table.city[seat]
    name = position.edition.cities[city]
    log.append(kosmos_event(None, {"event": "arrive", "seat": seat, "city": name, "progress": city, "days": days}))
    if city == LONDON:
        _come_home(position, log)
    else:
        position.turn_over(city, log)
        _chits_from(position, RED, log)


def chit_beside(position: KosmosPosition, colour: int) -> Chit | None:
    """Return the chit of that colour beside the city of the seat on turn; None: there is none."""
    table = position.table
    chit = (table.blue if colour == BLUE else table.red)[table.city[table.on_turn]]
    assert chit != FACE_DOWN
    return chit


def _chits_from(position: KosmosPosition, colour: int, log: list[Event]) -> None:
    """Resolve the city's chits, red before blue, up to the next question; after the last one go on with the turn."""
    table = position.table
    for next_colour in range(colour, BLUE + 1):
        chit = chit_beside(position, next_colour)
        if chit is None or not _may_take(position, next_colour):
            continue
        edition = position.edition
        useless = chit in CARD_CHITS and not position.decks[CARD_CHITS[chit]].drawable
        if useless and edition.refuse_chits:
            continue  # K-25: what would only draw from nothing is not offered, so the chit stays
        may_decline = edition.refuse_chits or (chit in CARD_CHITS and edition.decline_chit_cards)
        if may_decline and not useless:
            table.asking = next_colour
            table.phase = "chit"
            return
        _take_chit(position, next_colour, not useless, log)
    table.phase = "travel"


def _may_take(position: KosmosPosition, colour: int) -> bool:
    """Return whether the seat on turn may take the chit of that colour (K-65, K-66).

    A red chit may be taken while it lies there; a blue one by the second player to reach the city or only by the last,
    depending on the edition.
    """
    if colour == RED:
        return True
    table = position.table
    city = table.city[table.on_turn]
    reached = sum(progress >= city for progress in table.city)
    return reached >= (2 if position.edition.blue_for_second else position.players)


def chit_options(colour: Colour, chit: Chit) -> list[KosmosAction]:
    """Return the choice between declining and accepting a chit; declining comes first."""
    return [{"do": "decline", "chit": chit, "colour": colour}, {"do": "accept", "chit": chit, "colour": colour}]


def answer_chit(position: KosmosPosition, accepted: bool, log: list[Event]) -> None:
    """Take the chit in question or not; a declined chit is removed unless the edition lets players refuse it (K-66)."""
    colour = position.table.asking
    position.table.asking = EMPTY
    if accepted or not position.edition.refuse_chits:
        _take_chit(position, colour, accepted, log)
    else:
        _log_chit(position, colour, False, log)
    _chits_from(position, colour + 1, log)


def _take_chit(position: KosmosPosition, colour: int, carried_out: bool, log: list[Event]) -> None:
    table = position.table
    seat = table.on_turn
    chit = chit_beside(position, colour)
    _log_chit(position, colour, carried_out, log)
    (table.blue if colour == BLUE else table.red)[table.city[seat]] = None
    if not carried_out:
        return
    if chit in CARD_CHITS:
        position.draw(seat, CARD_CHITS[chit], log)
    elif chit == CHIT_GOLD:
        position.gain(seat, 1, "chit", log)
    elif chit == CHIT_DELAY:
        for other in range(position.players):
            if other != seat:
                position.lose(other, DELAY_DAYS, "chit", log)


def _log_chit(position: KosmosPosition, colour: int, taken: bool, log: list[Event]) -> None:
    seat = position.table.on_turn
    chit = chit_beside(position, colour)
    assert chit is not None
    what: KosmosChitEvent = {
        "event": "chit",
        "seat": seat,
        "city": position.edition.cities[position.table.city[seat]],
        "colour": COLOURS[colour],
        "chit": chit,
        "taken": taken,
    }
    log.append(kosmos_event(None, what))


def _come_home(position: KosmosPosition, log: list[Event]) -> None:
    """Lay down the hand of a player who reaches London, whose days no longer change, and end the turn (K-72)."""
    table = position.table
    seat = table.on_turn
    table.arrived.append(seat)
    hand = position.hands[seat]
    cards = hand.travel + hand.events
    if cards:
        log.append(kosmos_event(None, {"event": "lay_off", "seat": seat, "cards": [NAMES[card] for card in cards]}))
    for deck in (TRAVEL, EVENT):
        laid = hand.cards(deck)[:]
        for card in laid:
            position.show(seat, card)
        pile = position.decks[deck].discards
        # K-64: in the order of the list, the last on top; under a pile in the same order.
        pile[:] = [*pile, *laid] if position.edition.home_on_top else [*laid, *pile]
    log.append(
        kosmos_event(None, {"event": "home", "seat": seat, "place": len(table.arrived), "days": table.days[seat]})
    )
    first_is_late = len(table.arrived) == 1 and table.days[seat] > DAYS
    if position.players == 2 and position.edition.late_first_loses and first_is_late:
        rounds.end_game(position, log)  # K-82
    else:
        rounds.end_turn(position, log)

"""A turn as a table of phases in the order of the rules: the actions in each phase, and what they do.

    take    choose a displayed card            K-30, K-31
    action  do what the card's place offers    K-32
    travel  a leg, or stay                     K-33
    reroll  within a leg: roll again           K-45
    chit    within a leg: a chit's question    K-65, K-66
    escape  step 5, the detective              K-34
    limit   step 6, the hand limit             K-35

`options` lists the actions of the phase, the substitute's first. `play` carries one out and goes on to the next
decision with two or more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, get_args

from engine.kosmos import arrival, events
from engine.kosmos import round as rounds
from engine.kosmos.cards import (
    BALLOON,
    CODES,
    COLOURS,
    CONNECTIONS,
    DECKS,
    DISTRACTION,
    ELEPHANT,
    EMPTY,
    EVENT,
    FIRST_SHIP,
    HAND_LIMIT,
    LONDON,
    NAMES,
    OFFER,
    OPPORTUNITY,
    PLACE_BALLOON,
    PLACE_DECK,
    PLACE_DETECTIVE,
    PLACE_EVENT,
    PLACE_EXCHANGE,
    PLACE_FIRST,
    PLACE_GOLD,
    PLACE_NAMES,
    PLACES,
    PRINCESS,
    PROPELLER,
    SUBMARINE,
    TRAVEL,
    TRAVEL_NAMES,
)
from engine.kosmos.state import KosmosPosition
from engine.kosmos.travel import ways
from engine.kosmos.types import actions
from engine.kosmos.types.events import KosmosTravelEvent, kosmos_event
from engine.kosmos.types.names import EscapeCard
from engine.rules import Event, ForcedMove

DETECTIVE_DAYS: Final = 2
CARD_PRICE: Final = 2

# The actions that are always the same, built once.
TAKE: Final[list[list[actions.KosmosTakeAction]]] = [
    [{"do": "take", "place": place, "card": card} for card in TRAVEL_NAMES] for place in PLACES
]
TAKE_DECK: Final[actions.KosmosTakeAction] = {"do": "take", "place": "deck"}
PASS: Final[actions.KosmosPlainAction] = {"do": "pass"}
GOLD: Final[actions.KosmosPlainAction] = {"do": "gold"}
DRAW_EVENT: Final[actions.KosmosPlainAction] = {"do": "event"}
FIRST: Final[actions.KosmosPlainAction] = {"do": "first"}
STAY: Final[actions.KosmosPlainAction] = {"do": "stay"}
SELL: Final[actions.KosmosSellAction] = {"do": "sell", "card": "elephant", "gold": 1}
BUY: Final[list[actions.KosmosBuyAction]] = [{"do": "buy", "deck": deck, "gold": CARD_PRICE} for deck in DECKS]
KEEP: Final[list[actions.KosmosKeepAction]] = [{"do": "keep", "roll": roll} for roll in range(7)]
REROLL: Final[actions.KosmosRerollAction] = {"do": "reroll", "gold": 1}
SUFFER: Final[actions.KosmosSufferAction] = {"do": "suffer", "days": DETECTIVE_DAYS}
ESCAPE: Final[dict[str, actions.KosmosEscapeAction]] = {by: {"do": "escape", "by": by} for by in get_args(EscapeCard)}
DISCARD: Final[list[actions.KosmosDiscardAction]] = [{"do": "discard", "card": card} for card in NAMES]
LEG_EVENTS: Final = frozenset((OFFER, ELEPHANT, PRINCESS, OPPORTUNITY, BALLOON, CONNECTIONS, SUBMARINE, PROPELLER))


def options(position: KosmosPosition) -> list[actions.KosmosAction]:
    """Return the legal actions of the seat on turn, the substitute's first; empty when the game is over."""
    return _OPTIONS[position.table.phase](position)


def play(position: KosmosPosition, action: actions.KosmosAction, log: list[Event]) -> list[actions.KosmosAction]:
    """Carry out an action and everything that follows without a choice, and return the options of the next decision."""
    _PLAYS[action["do"]](position, action, log)
    return advance(position, log)


def advance(position: KosmosPosition, log: list[Event]) -> list[actions.KosmosAction]:
    """Go on to the next decision with two or more options and return them; none when the game is over."""
    while True:
        found = options(position)
        if len(found) != 1:
            return found
        if _may_have_choice(position):
            position.forced += (ForcedMove(position.table.on_turn, position.table.phase, len(log)),)
        _PLAYS[found[0]["do"]](position, found[0], log)


def _may_have_choice(position: KosmosPosition) -> bool:
    """Return whether the seat on turn might have several actions here, as far as others can know (K-91)."""
    table = position.table
    seat = table.on_turn
    match table.phase:
        case "take" | "action":
            return table.event_cards[seat] > 0  # K-36, K-52; with the coins for a card everybody knows of a choice
        case "travel":
            return table.event_cards[seat] > 0 or (not table.legs and table.travel_cards[seat] > 0)
        case "escape":
            return table.event_cards[seat] > 0 and table.city[seat] == table.detective
    return table.phase == "limit"


# Before the card is taken


def _take_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    table = position.table
    seat = table.on_turn
    display = table.display
    found: list[actions.KosmosAction] = [
        TAKE[place][card]
        for place, card in enumerate(display)
        if card != EMPTY and not (place == PLACE_FIRST and seat == table.first)  # K-31
    ]
    if table.travelling == 6 and not table.waiting and position.decks[TRAVEL].drawable:
        found.append(TAKE_DECK)  # K-31: the sixth of six
    found += events.swap_options(position)
    return found + _any_time_options(position)


def _take(position: KosmosPosition, action: actions.KosmosTakeAction, log: list[Event]) -> None:
    table = position.table
    seat = table.on_turn
    place = PLACE_NAMES.index(action["place"])
    table.taken = place
    if place == PLACE_DECK:
        log.append(kosmos_event(None, {"event": "take", "seat": seat, "place": "deck", "card": None}))
        position.draw(seat, TRAVEL, log)
        table.phase = "travel"
        return
    card = table.display[place]
    table.display[place] = EMPTY
    position.hold_openly(seat, card)
    log.append(kosmos_event(None, {"event": "take", "seat": seat, "place": PLACES[place], "card": NAMES[card]}))
    if place == PLACE_BALLOON:
        table.balloon = True  # K-32: nothing is asked before the leg
        table.phase = "travel"
    else:
        table.phase = "action"


# The four moments of K-36


def _any_time_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    table = position.table
    seat = table.on_turn
    found: list[actions.KosmosAction] = []
    hand = position.hands[seat].events
    if hand:
        found += events.detective_options(position)
        if ELEPHANT in hand and table.supply:
            found.append(SELL)  # K-53
    if table.gold[seat] >= CARD_PRICE:
        found += [BUY[deck] for deck in (TRAVEL, EVENT) if position.decks[deck].drawable]  # K-70
    return found


def _sell(position: KosmosPosition, action: actions.KosmosSellAction, log: list[Event]) -> None:
    seat = position.table.on_turn
    position.discard(seat, ELEPHANT)
    log.append(kosmos_event(None, {"event": "discard", "seat": seat, "card": NAMES[ELEPHANT], "why": "sell"}))
    position.gain(seat, 1, "elephant", log)


def _buy(position: KosmosPosition, action: actions.KosmosBuyAction, log: list[Event]) -> None:
    seat = position.table.on_turn
    position.gain(seat, -CARD_PRICE, "buy", log)
    position.draw(seat, DECKS.index(action["deck"]), log)


# The action of the place


def _action_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    table = position.table
    found: list[actions.KosmosAction] = [PASS]
    place = table.taken
    if place == PLACE_GOLD:
        if table.supply:
            found.append(GOLD)
    elif place == PLACE_EVENT:
        if position.decks[EVENT].drawable:
            found.append(DRAW_EVENT)
    elif place == PLACE_DETECTIVE:
        moves = position.edition.action_moves
        found += [moves[city] for city in range(1, LONDON) if city != table.detective]
    elif place == PLACE_FIRST:
        found.append(FIRST)
    elif place == PLACE_EXCHANGE:
        found += _exchanges(tuple(position.hands[table.on_turn].travel))
    return found + _any_time_options(position)


@lru_cache(maxsize=1 << 12)
def _exchanges(travel: tuple[int, ...]) -> tuple[actions.KosmosAction, ...]:
    """Return the exchanges of one to three travel cards, once for each set of values (K-32)."""
    choices = [choice for number in (1, 2, 3) for choice in dict.fromkeys(combinations(travel, number))]
    return tuple({"do": "exchange", "cards": [NAMES[card] for card in choice]} for choice in choices)


def _pass(position: KosmosPosition, action: actions.KosmosPlainAction, log: list[Event]) -> None:
    position.table.phase = "travel"


def _gold(position: KosmosPosition, action: actions.KosmosPlainAction, log: list[Event]) -> None:
    position.gain(position.table.on_turn, 1, "action", log)
    position.table.phase = "travel"


def _draw_event(position: KosmosPosition, action: actions.KosmosPlainAction, log: list[Event]) -> None:
    position.draw(position.table.on_turn, EVENT, log)
    position.table.phase = "travel"


def _move_detective(position: KosmosPosition, action: actions.KosmosMoveDetectiveAction, log: list[Event]) -> None:
    events.put_detective(position, action["to"], "action", log)
    position.table.phase = "travel"


def _first(position: KosmosPosition, action: actions.KosmosPlainAction, log: list[Event]) -> None:
    table = position.table
    table.marker = table.on_turn
    table.marker_taken = True
    log.append(kosmos_event(None, {"event": "marker", "seat": table.on_turn, "why": "action"}))
    table.phase = "travel"


def _exchange(position: KosmosPosition, action: actions.KosmosExchangeAction, log: list[Event]) -> None:
    seat = position.table.on_turn
    log.append(kosmos_event(None, {"event": "exchange", "seat": seat, "cards": action["cards"]}))
    for card in action["cards"]:
        position.discard(seat, CODES[card])
    for _ in action["cards"]:
        position.draw(seat, TRAVEL, log)
    position.table.phase = "travel"


# The leg


def _travel_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    table = position.table
    seat = table.on_turn
    hand = position.hands[seat]
    city = table.city[seat]
    edition = position.edition
    leg = edition.legs[city]
    cards: tuple[int, ...] = ()
    top = EMPTY
    if hand.events:
        cards = tuple([card for card in hand.events if card in LEG_EVENTS])
        if PRINCESS in cards and (discards := position.decks[EVENT].discards):
            top = discards[-1]
    found: list[actions.KosmosAction] = [STAY]
    if not (table.legs and not cards):  # K-33: one leg more only with a card for it
        # Only cards of a kind that the leg asks for matter, so the cache of `ways` is not filled with the others.
        travel = tuple([card for card in hand.travel if position.edition.leg_kinds[city][card >= FIRST_SHIP]])
        to = edition.cities[city + 1]
        ride = table.balloon and bool(leg)
        found += ways(
            leg, to, travel, cards, top, ride, table.legs > 0, edition.india_events, edition.balloon_breaks_pairs
        )
    return found + _any_time_options(position)


def _travel(position: KosmosPosition, action: actions.KosmosTravelAction, log: list[Event]) -> None:
    """Travel the whole leg, up to the question whether to roll again (K-48)."""
    table = position.table
    seat = table.on_turn
    what: KosmosTravelEvent = {
        "event": "travel",
        "seat": seat,
        "to": action["to"],
        "cards": action["cards"],
        "days": action["days"],
        "die": action["die"],
        "events": action["events"],
        "uses": action["uses"],
    }
    log.append(kosmos_event(None, what))
    for card in action["cards"]:
        position.discard(seat, CODES[card])
    for card in action["events"]:
        position.discard(seat, CODES[card])
    if any(use["card"] == "action" for use in action["uses"]):
        table.balloon = False  # K-46
    table.leg_days = action["days"]
    if action["die"]:
        _roll(position, log)
    else:
        arrival.arrive(position, log)


def _roll(position: KosmosPosition, log: list[Event]) -> None:
    table = position.table
    table.leg_roll = position.chance.roll("die")
    log.append(kosmos_event(None, {"event": "roll", "seat": table.on_turn, "roll": table.leg_roll}))
    table.phase = "reroll"


def _reroll_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    table = position.table
    keep = KEEP[table.leg_roll]
    return [keep, REROLL] if table.gold[table.on_turn] else [keep]  # K-45


def _reroll(position: KosmosPosition, action: actions.KosmosRerollAction, log: list[Event]) -> None:
    log.append(kosmos_event(None, {"event": "reroll", "seat": position.table.on_turn}))
    position.gain(position.table.on_turn, -1, "reroll", log)
    _roll(position, log)


def _chit_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    table = position.table
    chit = arrival.chit_beside(position, table.asking)
    assert chit is not None
    return arrival.chit_options(COLOURS[table.asking], chit)


# The end of the turn


def _stay(position: KosmosPosition, action: actions.KosmosPlainAction, log: list[Event]) -> None:
    position.table.phase = "escape"


def _escape_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    """Return the ways to meet the detective (K-34); where he is not, the only one is to do nothing."""
    table = position.table
    found: list[actions.KosmosAction] = [SUFFER]
    hand = position.hands[table.on_turn].events
    if hand and table.city[table.on_turn] == table.detective:
        found += [ESCAPE[by] for by in events.bearers(position, DISTRACTION)]
    return found


def _suffer(position: KosmosPosition, action: actions.KosmosSufferAction, log: list[Event]) -> None:
    table = position.table
    if table.city[table.on_turn] == table.detective:
        position.lose(table.on_turn, DETECTIVE_DAYS, "detective", log)
    _to_limit(position, log)


def _escape(position: KosmosPosition, action: actions.KosmosEscapeAction, log: list[Event]) -> None:
    seat = position.table.on_turn
    position.discard(seat, CODES[action["by"]])
    log.append(kosmos_event(None, {"event": "escape", "seat": seat, "by": action["by"]}))
    _to_limit(position, log)


def _to_limit(position: KosmosPosition, log: list[Event]) -> None:
    """Reduce the hand to the limit, by the player's choice or by the neighbour's blind picks (K-35)."""
    table = position.table
    seat = table.on_turn
    hand = position.hands[seat]
    if position.edition.blind_limit:
        while (size := len(hand.travel) + len(hand.events)) > HAND_LIMIT:
            pick = position.chance.below(f"blind pick from seat {seat}", size)
            _lay_away(position, (hand.travel + hand.events)[pick], log)
    if len(hand.travel) + len(hand.events) > HAND_LIMIT:
        table.phase = "limit"
    else:
        rounds.end_turn(position, log)


def _limit_options(position: KosmosPosition) -> list[actions.KosmosAction]:
    hand = position.hands[position.table.on_turn]
    return [DISCARD[card] for card in dict.fromkeys(hand.travel + hand.events)]


def _discard(position: KosmosPosition, action: actions.KosmosDiscardAction, log: list[Event]) -> None:
    _lay_away(position, CODES[action["card"]], log)
    _to_limit(position, log)


def _lay_away(position: KosmosPosition, card: int, log: list[Event]) -> None:
    seat = position.table.on_turn
    position.discard(seat, card)
    log.append(kosmos_event(None, {"event": "discard", "seat": seat, "card": NAMES[card], "why": "limit"}))


_OPTIONS: Final[dict[str, Callable[[KosmosPosition], list[actions.KosmosAction]]]] = {
    "take": _take_options,
    "action": _action_options,
    "travel": _travel_options,
    "reroll": _reroll_options,
    "chit": _chit_options,
    "escape": _escape_options,
    "limit": _limit_options,
    "over": lambda position: [],
}
_PLAYS: Final[dict[str, Callable[[KosmosPosition, Any, list[Event]], None]]] = {
    "take": _take,
    "swap": events.swap,
    "detective": events.play_detective,
    "sell": _sell,
    "buy": _buy,
    "pass": _pass,
    "gold": _gold,
    "event": _draw_event,
    "move_detective": _move_detective,
    "first": _first,
    "exchange": _exchange,
    "stay": _stay,
    "travel": _travel,
    "keep": lambda position, action, log: arrival.arrive(position, log),
    "reroll": _reroll,
    "decline": lambda position, action, log: arrival.answer_chit(position, False, log),
    "accept": lambda position, action, log: arrival.answer_chit(position, True, log),
    "suffer": _suffer,
    "escape": _escape,
    "discard": _discard,
}

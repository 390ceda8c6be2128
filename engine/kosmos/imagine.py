"""A whole position that a view allows, hidden cards and everything to come drawn anew.

What is drawn is the order of the decks, all orders that agree with the view being equally likely: for each shuffle
its unseen cards are laid out over the unseen draws and, for the latest, over the deck that is left. An order in which a
seat could not have shown what it showed is drawn again; where seats showed so much that hardly any order is left, one
is reached by a random walk instead. Cards that act at once are never dealt to a hand.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from engine.game import Data
from engine.kosmos.cards import (
    CITIES,
    CODES,
    COLOURS,
    DECKS,
    EMPTY,
    EVENT,
    FIRST_EVENT,
    GREY_DAYS,
    PLACE_NAMES,
    TRAVEL,
)
from engine.kosmos.state import KINDS, OFFSETS, Position
from engine.unseen import Unseen, uncounted

TRIES: Final = 40
"""Orders drawn before the walk."""
LOOKS: Final = 400
"""How often the walk looks whether it stands at an order that agrees with the view."""
STEPS_A_CARD: Final = 5
"""Steps of the walk between two looks, for each card that may move."""
RELUCTANCE: Final = 40
"""A step that makes one shown card more impossible is taken once in so many times."""


def imagine(position: Position, view: Data) -> None:
    """Fill a bare position from a view; ValueError: no world agrees with it."""
    _set_table(position, view)
    for deck in (TRAVEL, EVENT):
        _set_record(position, view, deck)
        _deal(position, view["seat"], deck)
    seat = view["seat"]
    if seat is not None:
        cards = sorted(CODES[name] for name in view["hand"])
        position.hands[seat].travel = [card for card in cards if card < FIRST_EVENT]
        position.hands[seat].events = [card for card in cards if card >= FIRST_EVENT]


def _set_table(position: Position, view: Data) -> None:
    table = position.table
    for name in (
        "phase", "round", "first", "marker", "marker_taken", "travelling", "home_before", "supply", "balloon", "legs"
    ):  # fmt: skip
        setattr(table, name, view[name])
    for name in ("waiting", "city", "days", "gold", "travel_cards", "event_cards", "arrived", "retired"):
        setattr(table, name, list(view[name]))
    table.on_turn = 0 if view["on_turn"] is None else view["on_turn"]
    table.detective = CITIES.index(view["detective"])
    table.display = [EMPTY if card is None else CODES[card] for card in view["display"]]
    table.taken = EMPTY if view["taken"] is None else PLACE_NAMES.index(view["taken"])
    if view["leg"] is not None:
        table.leg_days, table.leg_roll = view["leg"]["days"], view["leg"]["roll"]
    if view["chit"] is not None:
        table.asking = COLOURS.index(view["chit"]["colour"])
    table.known = [[CODES[card] for card in cards] for cards in view["known"]]
    table.red = list(view["red"])
    table.blue = list(view["blue"])
    table.decks = [view["decks"][deck] for deck in DECKS]
    table.piles = [[CODES[card] for card in view["piles"][deck]] for deck in DECKS]


def _set_record(position: Position, view: Data, deck: int) -> None:
    """The public record of unseen draws: a seat's view leaves out its own draws, which are put back."""
    hidden: dict[str, Any] = view["hidden"][DECKS[deck]]
    offset = OFFSETS[deck]
    record = Unseen(position.players, KINDS[deck], offset, [])
    record.shuffle = hidden["shuffle"]
    record.pools = {int(shuffle): list(pool) for shuffle, pool in hidden["pools"].items()}
    record.drawn = [list(drawn) for drawn in hidden["drawn"]]
    record.shown = [[(CODES[card] - offset, before) for card, before in shown] for shown in hidden["shown"]]
    if view["seat"] is not None:
        own = [CODES[card] - offset for card in hidden["yours"]]
        position.hands[view["seat"]].draws[deck] = own
        for shuffle, kind in zip(record.drawn[view["seat"]], own, strict=True):
            record.pools[shuffle][kind] += 1
    position.table.unseen.append(record)


def _deal(position: Position, seat: int | None, deck: int) -> None:
    record = position.table.unseen[deck]
    others = [other for other in range(position.players) if other != seat]
    draws, rest = _lay_out(position, seat, deck)
    for _ in range(TRIES):
        if not any(_impossible(record, other, draws[other]) for other in others):
            break
        draws, rest = _lay_out(position, seat, deck)
    else:
        _walk(position, others, deck, draws, rest)
    for other in others:
        position.hands[other].draws[deck] = draws[other]
        shown = Counter(kind for kind, _ in record.shown[other])
        held = list((Counter(draws[other]) - shown).elements())
        known = [card for card in position.table.known[other] if (card >= FIRST_EVENT) == bool(deck)]
        position.hands[other].cards(deck)[:] = sorted([kind + OFFSETS[deck] for kind in held] + known)
    position.decks[deck] = [kind + OFFSETS[deck] for kind in rest]


def _lay_out(position: Position, seat: int | None, deck: int) -> tuple[list[list[int]], list[int]]:
    """The unseen cards of each shuffle over the others' unseen draws, and what is left of the latest as the deck."""
    record = position.table.unseen[deck]
    own = position.hands[seat].draws[deck] if seat is not None else []
    draws: list[list[int]] = [[0] * len(drawn) for drawn in record.drawn]
    rest: list[int] = []
    for shuffle, pool in record.pools.items():
        counts = pool[:]
        if seat is not None:
            for origin, kind in zip(record.drawn[seat], own, strict=True):
                counts[kind] -= origin == shuffle
        kinds = uncounted(counts)
        position.chance.shuffle("imagined cards", kinds)
        # A grey card acts when it is drawn: it still lies in the deck.
        at_once = [kind for kind in kinds if kind + OFFSETS[deck] in GREY_DAYS]
        kinds = [kind for kind in kinds if kind + OFFSETS[deck] not in GREY_DAYS]
        for other, drawn in enumerate(record.drawn):
            for slot, origin in enumerate(drawn):
                if other != seat and origin == shuffle:
                    draws[other][slot] = kinds.pop()
        if shuffle == record.shuffle:
            rest = kinds + at_once
            position.chance.shuffle("imagined deck", rest)
    return draws, rest


def _impossible(record: Unseen, seat: int, draws: list[int]) -> int:
    """How many of the cards that `seat` showed were not among its draws by then."""
    found = 0
    gone: Counter[int] = Counter()
    for kind, before in record.shown[seat]:
        gone[kind] += 1
        found += draws[:before].count(kind) < gone[kind]
    return found


def _walk(position: Position, others: list[int], deck: int, draws: list[list[int]], rest: list[int]) -> None:
    """Swap two cards of one shuffle again and again until the order agrees with the view (Metropolis and others).

    Orders in which fewer shown cards are impossible are visited more often, equally good ones equally often; so an
    order that agrees, found at a time fixed before, is any of them with equal probability, but for what is left of
    the start.
    """
    record = position.table.unseen[deck]
    chance = position.chance
    hands = [*draws, rest]
    wrong = [_impossible(record, other, draws[other]) if other in others else 0 for other in range(position.players)]
    wrong.append(0)  # the deck
    spots = _spots(record, others, deck, rest)
    cards = [(shuffle, place) for shuffle, places in enumerate(spots) for place in range(len(places))]
    for step in range(LOOKS * STEPS_A_CARD * len(cards)):
        if step and step % (STEPS_A_CARD * len(cards)) == 0 and not any(wrong):
            return
        shuffle, place = cards[chance.below("imagined steps", len(cards))]
        places = spots[shuffle]
        one, here = places[place]
        other, there = places[chance.below("imagined steps", len(places))]
        if hands[one][here] == hands[other][there]:
            continue
        hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
        before = wrong[one], wrong[other]
        worse = -wrong[one] - (wrong[other] if other != one else 0)
        for owner in {one, other} - {position.players}:
            wrong[owner] = _impossible(record, owner, hands[owner])
        worse += wrong[one] + (wrong[other] if other != one else 0)
        if worse > 0 and chance.below("imagined steps", RELUCTANCE**worse):
            hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
            wrong[one], wrong[other] = before
    raise ValueError("no world found that agrees with the view")


def _spots(record: Unseen, others: list[int], deck: int, rest: list[int]) -> list[list[tuple[int, int]]]:
    """For each shuffle the places over which its cards can move: (seat, draw), the deck as a seat more."""
    latest = [(len(record.drawn), place) for place, kind in enumerate(rest) if kind + OFFSETS[deck] not in GREY_DAYS]
    spots = [
        [(other, draw) for other in others for draw, origin in enumerate(record.drawn[other]) if origin == shuffle]
        + (latest if shuffle == record.shuffle else [])
        for shuffle in record.pools
    ]
    return [places for places in spots if len(places) > 1]

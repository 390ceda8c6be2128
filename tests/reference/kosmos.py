"""The legs of `kosmos` a second time, worked out by trying everything: K-40 to K-49, K-51, K-53, K-55 to K-60.

The engine builds ways up card by card; this takes every choice of cards and events and asks the rules whether and at
what cost it goes. It is slow, plain, and knows nothing of the engine but the data that bots are sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

Way = tuple[tuple[str, ...], tuple[str, ...], bool, int, bool]
"""Cards, events, the action's ride, days, die."""

LEG_EVENTS = ["offer", "elephant", "princess", "opportunity", "balloon", "connections", "submarine", "propeller"]
REPLACE = {"submarine": ("s", 3), "propeller": ("t", 1)}


def choices(cards: Sequence[str], number: int) -> set[tuple[str, ...]]:
    return set(combinations(sorted(cards), number))


def effects_of(events: tuple[str, ...], top: str | None) -> Iterator[list[str]]:
    """What these events can do together: each princess copies the old top, or one card of the same leg."""
    plain = [card for card in events if card != "princess"]
    princesses = len(events) - len(plain)
    models: list[tuple[str, object]] = [(card, number) for number, card in enumerate(plain)]
    if top not in (None, "princess"):
        models.append((str(top), "the old top"))
    for copied in combinations(models, princesses):
        yield plain + [card for card, _ in copied]


def costs(cards: tuple[str, ...], effects: list[str], ride: bool, breaks: bool) -> set[tuple[int, bool]]:
    """Days and die of every way to lay these effects on these cards; empty: it cannot be done.

    `breaks`: where a balloon rides, no two cards are a pair (K-44).
    """
    touching = [effect for effect in effects if effect in ("balloon", *REPLACE)] + ["balloon"] * ride
    pairs = effects.count("opportunity")
    if len(touching) + pairs != len(effects) + ride or touching.count("balloon") > 1 or pairs > 1:
        return set()
    found = set()
    for places in permutations(range(len(cards)), len(touching)):
        laid = list(zip(touching, places, strict=True))
        if any(effect in REPLACE and cards[place][0] != REPLACE[effect][0] for effect, place in laid):
            continue
        free = [card for place, card in enumerate(cards) if place not in places]
        days = sum(REPLACE[effect][1] for effect in touching if effect in REPLACE)
        two = [kind for kind in "ts" if sum(card[0] == kind for card in free) == 2]
        if pairs and not two:
            continue
        for kind in "ts":
            values = [int(card[1]) for card in free if card[0] == kind]
            equal = len(set(values)) == 1 and not (breaks and "balloon" in touching)
            once = kind in two and (pairs or equal)
            days += max(values) if once else sum(values)
        found.add((days, "balloon" in touching))
    return found


def travel_ways(view: Mapping[str, Any], edition: Mapping[str, Any]) -> frozenset[Way]:
    """Every way in which the seat that looks at `view` can travel its next leg, from the phase `travel`."""
    leg = edition["board"]["legs"][view["city"][view["seat"]]]
    pile = view["piles"]["event"]
    return every_way(
        leg if isinstance(leg, str) else tuple(map(tuple, leg)),
        tuple(sorted(view["hand"])),
        pile[-1] if pile else None,
        view["balloon"],
        view["legs"] > 0,
        edition["knobs"]["india_events"],
        edition["knobs"]["balloon_breaks_pairs"],
    )


@cache
def every_way(
    leg: str | tuple[tuple[str, ...], ...],
    hand: tuple[str, ...],
    top: str | None,
    ride: bool,
    extra: bool,
    india: bool,
    breaks: bool,
) -> frozenset[Way]:
    """`leg` as an edition has it; `ride`: the balloon action is still to be used; `extra`: not the turn's first leg."""
    cards = [card for card in hand if len(card) == 2]
    held = [card for card in hand if card in LEG_EVENTS]
    is_india = leg == "elephant"
    payments: set[tuple[str, ...]] = {()}
    for option in leg if isinstance(leg, tuple) else ():
        trains = choices([card for card in cards if card[0] == "t"], option.count("train"))
        ships = choices([card for card in cards if card[0] == "s"], option.count("ship"))
        payments |= {one + other for one, other in product(trains, ships)}
    found: set[Way] = set()
    for number in range(len(held) + 1):
        for events in choices(held, number):
            for effects in effects_of(events, top):
                if effects.count("connections") != int(extra) or (extra and is_india and not india):
                    continue
                rest = [effect for effect in effects if effect != "connections"]
                for paid in payments:
                    found |= {(paid, events, *way) for way in ways(paid, rest, is_india, ride, india, breaks)}
    return frozenset(found)


def ways(paid: tuple[str, ...], rest: list[str], is_india: bool, ride: bool, india: bool, breaks: bool) -> Iterator:
    """What this payment with these effects comes to: ride used, days, die."""
    if paid:
        for used in {False, ride}:
            for days, die in costs(paid, rest, used, breaks):
                yield used, days, die
    elif rest == ["offer"] and (india or not is_india):
        yield False, 10, False
    elif rest == ["elephant"] and is_india:
        yield False, 6, True
    elif not rest and is_india:
        yield False, 12, False


def as_way(action: Mapping[str, Any]) -> Way:
    """What an action `travel` says of itself, in the same form."""
    ride = any(use["card"] == "action" for use in action["uses"])
    return tuple(action["cards"]), tuple(sorted(action["events"])), ride, action["days"], action["die"]

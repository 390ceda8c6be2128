"""What may be done in `kosmos` a second time, straight from the rules: K-21, K-30 to K-60, K-64 to K-66, K-70.

The engine builds the ways of a leg up card by card; this takes every choice of cards and events and asks the rules
whether and at what cost it goes. It is slow, plain, and knows nothing of the engine but the data that bots are sent.
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
        edition["parameters"]["india_events"],
        edition["parameters"]["balloon_breaks_pairs"],
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
            for effects in effects_of(events, None if "connections" in events else top):  # K-55: she finds them on top
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


# What may be done in every other phase: K-21, K-30 to K-36, K-45, K-52 to K-55, K-65, K-66, K-70

PLACES = ("gold", "balloon", "event", "detective", "first", "exchange")
COLOURS = ("red", "blue")
Action = dict[str, Any]
View = Mapping[str, Any]


def legal(view: View, edition: Mapping[str, Any]) -> list[Action]:
    """Everything but legs that the seat that looks at `view` may do now, in no particular order."""
    events = [card for card in view["hand"] if len(card) > 2]
    match view["phase"]:
        case "take":
            return [*takes(view), *swaps(view), *at_any_time(view, edition)]
        case "action":
            return [{"do": "pass"}, *of_place(view, edition), *at_any_time(view, edition)]
        case "travel":
            return [{"do": "stay"}, *at_any_time(view, edition)]
        case "reroll":  # K-45
            assert view["gold"][view["seat"]] > 0
            return [{"do": "keep", "roll": view["leg"]["roll"]}, {"do": "reroll", "gold": 1}]
        case "chit":
            return [{"do": answer, **view["chit"]} for answer in ("decline", "accept")]
        case "escape":  # K-34
            means = [card for card in means_of("distraction", view) if card in events]
            return [{"do": "suffer", "days": 2}, *({"do": "escape", "by": card} for card in means)]
        case "limit":  # K-35
            assert len(view["hand"]) > 6
            return [{"do": "discard", "card": card} for card in set(view["hand"])]
    raise AssertionError(f"an unknown phase {view['phase']}")


def takes(view: View) -> Iterator[Action]:
    """K-31."""
    for place, card in zip(PLACES, view["display"], strict=True):
        barred = place == "first" and view["seat"] == view["first"]
        if card is not None and not barred:
            yield {"do": "take", "place": place, "card": card}
    if view["travelling"] == 6 and not view["waiting"] and drawable("travel", view):
        yield {"do": "take", "place": "deck"}


def swaps(view: View) -> Iterator[Action]:
    """K-30: two that differ, both still displayed."""
    shown = [(place, card) for place, card in zip(PLACES, view["display"], strict=True) if card is not None]
    for by in means_of("swap", view):
        for (one, card), (other, instead) in combinations(shown, 2):
            if card != instead:
                yield {"do": "swap", "by": by, "places": [one, other]}


def of_place(view: View, edition: Mapping[str, Any]) -> Iterator[Action]:
    """K-32: what the place of the card that was taken offers, if it can do anything."""
    match view["taken"]:
        case "gold" if view["supply"] > 0:
            yield {"do": "gold"}
        case "event" if drawable("event", view):
            yield {"do": "event"}
        case "detective":
            yield from ({"do": "move_detective", "to": city} for city in elsewhere(view, edition))
        case "first":
            yield {"do": "first"}
        case "exchange":
            travel = [card for card in view["hand"] if len(card) == 2]
            for number in (1, 2, 3):
                for cards in {tuple(sorted(choice, key=in_order)) for choice in combinations(travel, number)}:
                    yield {"do": "exchange", "cards": list(cards)}


def at_any_time(view: View, edition: Mapping[str, Any]) -> Iterator[Action]:
    """K-36: play a detective, sell an elephant, buy a card."""
    for by in means_of("detective", view):
        yield from ({"do": "detective", "by": by, "to": city} for city in elsewhere(view, edition))  # K-54
    if "elephant" in view["hand"] and view["supply"] > 0:
        yield {"do": "sell", "card": "elephant", "gold": 1}  # K-53
    if view["gold"][view["seat"]] >= 2:
        yield from ({"do": "buy", "deck": deck, "gold": 2} for deck in ("travel", "event") if drawable(deck, view))


def means_of(effect: str, view: View) -> list[str]:
    """K-55: the card itself, or a princess while it tops the pile."""
    pile = view["piles"]["event"]
    means = [effect] if effect in view["hand"] else []
    return [*means, "princess"] if "princess" in view["hand"] and pile and pile[-1] == effect else means


def elsewhere(view: View, edition: Mapping[str, Any]) -> list[str]:
    """K-54: any other city but London."""
    return [city for city in edition["board"]["cities"] if city not in ("London", view["detective"])]


def drawable(deck: str, view: View) -> bool:
    """K-25."""
    return bool(view["decks"][deck] + len(view["piles"][deck]))


def in_order(card: str) -> tuple[bool, str]:
    """Trains before ships, low before high."""
    return card[0] == "s", card


def chits_met(view: View, edition: Mapping[str, Any], seat: int) -> Iterator[tuple[str, bool]]:
    """K-65, K-66: the colours of the chits that concern `seat`, who just reached its city, and whether it is asked.

    `view`: after the arrival, the chits turned over; only for cities where each card that a chit brings is there.
    """
    parameters, city = edition["parameters"], view["city"][seat]
    there = sum(reached >= city for reached in view["city"])
    for colour in COLOURS:
        chit = view[colour][city]
        first_in_time = colour == "red" or there == len(view["city"])
        second_in_time = colour == "blue" and parameters["blue_chit"] == "second" and there >= 2
        if chit is None or not (first_in_time or second_in_time):
            continue
        yield colour, parameters["refuse_chits"] or (chit in ("travel", "event") and parameters["decline_chit_cards"])


def order_on_pile(uses: list[dict[str, Any]], top: str | None) -> list[str] | None:
    """K-64: the event cards of a leg as they come to lie, the last on top; None: that of a princess is not told."""
    laid = [use["card"] for use in uses if use["card"] not in ("action", "princess")]
    pile = [card for card in laid if card == "connections"]
    pile += [card for card in LEG_EVENTS if card != "connections" for _ in range(laid.count(card))]
    for use in uses:
        if use["card"] != "princess":
            continue
        if use["as"] == top and use["as"] in laid:
            return None
        if use["as"] == top:
            pile.insert(0, "princess")
        else:  # on top of all, right on the card that she copied
            pile.remove(use["as"])
            pile += [use["as"], "princess"]
    return pile

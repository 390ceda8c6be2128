"""All ways to travel a leg: which cards pay, and which events and rides change the cost (K-40 to K-49, K-55 to K-60).

`ways` is a pure function of a leg and a hand. Its results are cached, because the same hands occur again and again.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from itertools import combinations, product
from typing import Final, NamedTuple

from engine.kosmos.cards import (
    BALLOON,
    CONNECTIONS,
    ELEPHANT,
    EMPTY,
    FIRST_SHIP,
    NAMES,
    OFFER,
    OPPORTUNITY,
    PRINCESS,
    PROPELLER,
    SUBMARINE,
    VALUES,
)
from engine.kosmos.edition import Leg
from engine.kosmos.types.actions import KosmosTravelAction

INDIA_DAYS: Final = 12
ELEPHANT_DAYS: Final = 6
OFFER_DAYS: Final = 10
REPLACED: Final = {SUBMARINE: 3, PROPELLER: 1}
"""The days that a card counts instead of its value (K-59, K-60)."""

ACTION_RIDE: Final = -1
"""Stands for the balloon action in place of a card."""


class Use(NamedTuple):
    """One modifier of a leg: the card laid down for it (or the balloon action), its effect, and the card affected."""

    card: int
    effect: int
    on: int | None = None
    copies_laid: bool = False  # a princess that copies a card laid for this leg, not the old top of the pile


class Way(NamedTuple):
    """One way to travel a leg. Ways that differ only in `uses` are the same action (K-49)."""

    cards: tuple[int, ...]
    days: int
    die: bool
    uses: tuple[Use, ...]

    def laid(self) -> tuple[int, ...]:
        """Return the event cards of this way in the order in which they go on the discard pile (K-64)."""
        return _laid(self.uses)

    def key(self) -> tuple[object, ...]:
        """Return a key that identifies the action and sorts actions: few events first, then by cards and days."""
        return (*_effort(self.uses), self.cards, self.days, self.die)


class Means(NamedTuple):
    """What can change the cost of a leg: the event cards in hand, the top of their pile, the balloon action."""

    events: tuple[int, ...]
    top: int
    ride: bool

    def sources(self, effect: int) -> list[Use]:
        """Return the ways to have an effect once: the card itself, or a princess copying the pile's top card (K-55)."""
        found = [Use(effect, effect)] if effect in self.events else []
        if self.top == effect and PRINCESS in self.events:
            found.append(Use(PRINCESS, effect))
        return found


# Hands and legs differ, but in them the same few modifiers occur again and again.


@lru_cache(maxsize=1 << 12)
def _laid(uses: tuple[Use, ...]) -> tuple[int, ...]:
    if not uses or (len(uses) == 1 and uses[0].card == ACTION_RIDE):
        return ()
    copied = [use.effect for use in uses if use.copies_laid]
    beneath = [PRINCESS for use in uses if use.card == PRINCESS and not use.copies_laid]
    beneath += [use.card for use in uses if use.card == CONNECTIONS]
    rest = sorted(use.card for use in uses if use.card not in (PRINCESS, CONNECTIONS, ACTION_RIDE))
    for effect in copied:
        rest.remove(effect)
    return (*beneath, *rest, *[card for effect in sorted(copied) for card in (effect, PRINCESS)])


@lru_cache(maxsize=1 << 12)
def _effort(uses: tuple[Use, ...]) -> tuple[int, tuple[int, ...], bool]:
    """Return how much is used, which cards are laid, and whether the balloon action is used."""
    ride = any(use.card == ACTION_RIDE for use in uses)
    laid = tuple(sorted(_laid(uses)))
    return len(laid) + ride, laid, ride


@lru_cache(maxsize=1 << 12)
def _affords(events: tuple[int, ...], uses: tuple[Use, ...]) -> bool:
    """Return whether a hand holds these cards, with at most one princess that copies the old top of the pile."""
    cards = [use.card for use in uses if use.card != ACTION_RIDE]
    if not cards:
        return True
    if any(cards.count(card) > events.count(card) for card in set(cards)):
        return False
    if sum(use.card == PRINCESS and not use.copies_laid for use in uses) > 1:
        return False
    # On one laid card lies one princess at most.
    return all(
        sum(use.copies_laid and use.effect == effect for use in uses) <= cards.count(effect) for effect in REPLACED
    )


@lru_cache(maxsize=1 << 14)
def ways(
    leg: Leg,
    to: str,
    travel: tuple[int, ...],
    events: tuple[int, ...],
    top: int,
    ride: bool,
    extra: bool,
    india: bool,
    breaks_pairs: bool,
) -> tuple[KosmosTravelAction, ...]:
    """Return the actions that travel a leg, in a stable order.

    Args:
        leg: The options of the leg; none for a leg like Bombay-Calcutta.
        to: The city at its end.
        travel: The travel cards in hand, sorted.
        events: The event cards in hand, sorted.
        top: The top card of the event pile.
        ride: The balloon action can be used.
        extra: The leg is not the turn's first (K-58).
        india: `offer` and `connections` are allowed on a leg like Bombay-Calcutta.
        breaks_pairs: Next to a balloon no cards count as a pair (K-44).
    """
    means = Means(events, top, ride)
    if leg and not events and not ride:
        return () if extra else _plain_ways(leg, to, travel)
    found: dict[tuple[object, ...], Way] = {}
    extras: list[tuple[Use, ...]] = [()]
    if extra:
        extras = [(use,) for use in means.sources(CONNECTIONS)] if leg or india else []
        means = means._replace(top=EMPTY)  # K-55: connections cover it, or a princess has copied them
    if extras:
        for way in _base_ways(leg, travel, means, india, breaks_pairs):
            for more in extras:
                whole = way._replace(uses=more + way.uses) if more else way
                if _affords(events, whole.uses):
                    found.setdefault(whole.key(), whole)
    return tuple(_action(found[key], to) for key in sorted(found))


@lru_cache(maxsize=1 << 14)
def _plain_ways(leg: Leg, to: str, travel: tuple[int, ...]) -> tuple[KosmosTravelAction, ...]:
    """Return the ways without any modifier; by far the most frequent case, and therefore optimized."""
    found = sorted(set(_payments(leg, travel)))
    return tuple(_action(Way(cards, _plain_days(cards), False, ()), to) for cards in found)


def _plain_days(cards: tuple[int, ...]) -> int:
    """Return the sum of the values, in which two equal cards of one kind count once (K-40, K-41)."""
    return sum(VALUES[card] for card in dict.fromkeys(cards))


def _base_ways(leg: Leg, travel: tuple[int, ...], means: Means, india: bool, breaks_pairs: bool) -> list[Way]:
    found: list[Way] = []
    if not leg:  # K-43
        found.append(Way((), INDIA_DAYS, False, ()))
        found += [Way((), ELEPHANT_DAYS, True, (use,)) for use in means.sources(ELEPHANT)]
    if leg or india:  # K-51
        found += [Way((), OFFER_DAYS, False, (use,)) for use in means.sources(OFFER)]
    for cards in _payments(leg, travel):
        found += _modified(cards, means, breaks_pairs)
    return found


@lru_cache(maxsize=1 << 14)
def _payments(leg: Leg, travel: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the sets of cards in a hand that pay a leg, different ones for each of its options (K-40, K-42)."""
    split = bisect_left(travel, FIRST_SHIP)
    return [
        trains + ships
        for needed_trains, needed_ships in leg
        for trains in _choices(travel[:split], needed_trains)
        for ships in _choices(travel[split:], needed_ships)
    ]


@lru_cache(maxsize=1 << 12)
def _choices(cards: tuple[int, ...], number: int) -> list[tuple[int, ...]]:
    """Return the different ways to choose that many of some sorted cards."""
    return list(dict.fromkeys(combinations(cards, number)))


@lru_cache(maxsize=1 << 14)
def _modified(cards: tuple[int, ...], means: Means, breaks_pairs: bool) -> list[Way]:
    """Return the ways to pay with these cards, each of which a balloon, submarine or propeller train may change."""
    found: list[Way] = []
    for touches in product(*[_touches(card, means) for card in cards]):
        uses = tuple([use for use in touches if use is not None])
        balloons = sum([use.effect == BALLOON for use in uses])
        if balloons > 1:  # K-44, K-55: one balloon a leg
            continue
        left = [card for card, use in zip(cards, touches, strict=True) if use is None]
        days = sum([VALUES[card] for card in left]) + sum([REPLACED.get(use.effect, 0) for use in uses])
        pair = _pair(left)
        # K-41: equal cards of a pair count once; K-44, K-47: a replaced card makes no pair; or a balloon breaks all.
        saved = pair[0] if pair and pair[0] == pair[1] and not (balloons and breaks_pairs) else 0
        found.append(Way(cards, days - saved, balloons > 0, uses))
        if pair:
            for use in means.sources(OPPORTUNITY):  # K-56: only the higher of the two counts
                found.append(Way(cards, days - min(pair), balloons > 0, (*uses, use)))
    return found


@lru_cache(maxsize=1 << 12)
def _touches(card: int, means: Means) -> list[Use | None]:
    """Return what can be done to one played card (K-49); None stands for nothing."""
    replace = SUBMARINE if card >= FIRST_SHIP else PROPELLER
    found: list[Use | None] = [None]
    if means.events:
        found += [use._replace(on=card) for use in (*means.sources(replace), *means.sources(BALLOON))]
    if replace in means.events and PRINCESS in means.events:
        found.append(Use(PRINCESS, replace, card, copies_laid=True))
    if means.ride:
        found.append(Use(ACTION_RIDE, BALLOON, card))
    return found


def _pair(cards: list[int]) -> tuple[int, int] | None:
    """Return the values of the two cards of one kind; None: there are no two."""
    if len(cards) > 1:
        for kind in ([c for c in cards if c < FIRST_SHIP], [c for c in cards if c >= FIRST_SHIP]):
            if len(kind) == 2:
                return VALUES[kind[0]], VALUES[kind[1]]
    return None


@lru_cache(maxsize=1 << 14)
def _action(way: Way, to: str) -> KosmosTravelAction:
    return {
        "do": "travel",
        "to": to,
        "cards": [NAMES[card] for card in way.cards],
        "days": way.days,
        "die": way.die,
        "events": [NAMES[card] for card in way.laid()],
        "uses": [
            {
                "card": "action" if use.card == ACTION_RIDE else NAMES[use.card],
                "as": NAMES[use.effect],
                "on": None if use.on is None else NAMES[use.on],
            }
            for use in way.uses
        ],
    }

"""Worlds drawn after many shuffles, against all that has happened: what it rules out is never drawn, and what is left
comes as often as in a full count of the orders of the deck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random

import pytest

from engine.chance import Seeded, derive, fractions
from engine.counted_worlds import CountedWorlds
from engine.determinization import determinize_deck
from engine.draws import Slots
from engine.first_world import FirstWorld
from engine.world_walk import Ground, Walk
from tests.engine.fairness import chi_square, critical
from tests.engine.test_deck_knowledge import Deck

Hands = tuple[tuple[int, ...], ...]
SAMPLES = 800
APART = 150
"""Steps of the walk between two worlds that are looked at."""
MOST_ORDERS = 20_000


def played(players: int, cards: list[int], shuffles: int, label: int) -> Deck:
    """A game at random until that many shuffles, with some cards drawn from the last."""
    random = Random(f"memory {players} {shuffles} {label}")
    while True:
        deck = Deck(players, cards, random)
        for _ in range(200):
            seat = random.randrange(players)
            if random.random() < 0.1:
                deck.lack(seat)
            elif len(deck.hands[seat]) > random.choice([0, 1, 2]):
                deck.show(seat, random.choice(deck.hands[seat]))
            elif deck.any_card():
                deck.draw(seat)
            if len(deck.pools) > shuffles and len(deck.drawn[0]) % 2 and is_open(deck):
                return deck
            if len(deck.pools) > shuffles + 1:
                break


def is_open(deck: Deck) -> bool:
    """Whether notes of two rivals are open, from more than one shuffle, and orders can be counted."""
    record = deck.record
    return (
        sum(map(bool, record.shown[1:])) >= 2
        and len(record.pools) > 1
        and sum(map(len, deck.hands[1:])) >= 2
        and orders(deck) <= MOST_ORDERS
        and len(counted(deck)) > 1
    )


def orders(deck: Deck) -> int:
    """How many there are to look at."""
    found = 1
    for shuffle in range(len(deck.pools)):
        found *= sum(1 for _ in arrangements(*of_shuffle(deck, shuffle)))
        if found > MOST_ORDERS:
            break
    return found


def of_shuffle(deck: Deck, shuffle: int) -> tuple[Counter[int], int]:
    """The cards that seat 0 has not seen when they were drawn, and how many rivals drew."""
    own = Counter(c for c, origin in zip(deck.cards[0], deck.drawn[0], strict=True) if origin == shuffle)
    return deck.pools[shuffle] - own, sum(drawn.count(shuffle) for drawn in deck.drawn[1:])


def arrangements(cards: Counter[int], number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """What the rivals may have drawn in turn; in how many orders of the other cards."""
    if not number:
        yield (), 1
        return
    for card in sorted(+cards):
        rest = cards - Counter([card])
        for further, ways in arrangements(rest, number - 1):
            yield (card, *further), ways


def counted(deck: Deck) -> Counter[Hands]:
    """By the rivals' hands: how many orders of the deck at all of its shuffles lead to them, each card its own."""
    found: Counter[Hands] = Counter()
    each = [list(arrangements(*of_shuffle(deck, shuffle))) for shuffle in range(len(deck.pools))]
    lefts = [of_shuffle(deck, shuffle)[0] for shuffle in range(len(deck.pools))]
    for chosen in product(*each):
        weight = 1
        drawn = []
        for (cards, _), pool in zip(chosen, lefts, strict=True):
            left = pool.copy()
            for card in cards:  # of equal cards any may be the one
                weight *= left[card]
                left[card] -= 1
            drawn.append(list(reversed(cards)))
        hands = remembered(deck, [[drawn[origin].pop() for origin in origins] for origins in deck.drawn[1:]])
        if hands is not None:
            found[hands] += weight
    return found


def remembered(deck: Deck, draws: list[list[int]]) -> Hands | None:
    """The rivals' hands after these draws; None: they could not have shown and lacked what they did."""
    hands = []
    for rival, drawn in enumerate(draws, start=1):
        gone: Counter[int] = Counter()
        for kind, before in deck.shown[rival]:
            gone[kind] += 1
            if drawn[:before].count(kind) < gone[kind]:
                return None
        if any(drawn[:before].count(kind) != number for kind, before, number in deck.lacked[rival]):
            return None
        hands.append(tuple(sorted((Counter(drawn) - gone).elements())))
    return tuple(hands)


def hands(deck: Deck, draws: list[list[int]]) -> Hands:
    """The rivals' hands when these were the draws that the record has not accounted for."""
    return tuple(
        tuple(sorted((Counter(drawn) - Counter(kind for kind, _ in shown) + Counter(known)).elements()))
        for drawn, shown, known in list(zip(draws, deck.record.shown, deck.known, strict=True))[1:]
    )


def walked(slots: Slots, random: Iterator[float]) -> Iterator[list[int]]:
    """The kinds by slot in worlds on one long walk."""
    walk = Walk(Ground(slots), FirstWorld(slots).lay(random), random)
    while True:
        walk.walk(APART)
        yield walk.laid


def drawn_exactly(slots: Slots, random: Iterator[float]) -> Iterator[list[int]]:
    """The same of worlds that are drawn exactly, as the record allows few."""
    worlds = CountedWorlds(FirstWorld(slots))
    assert worlds.is_complete
    while True:
        yield worlds.lay(random)


Way = Callable[[Slots, Iterator[float]], Iterator[list[int]]]
WAYS = [walked, drawn_exactly]


def seen_by_first(deck: Deck, label: int, way: Way) -> Iterator[Hands]:
    """The rivals' hands in worlds that seat 0 may draw."""
    chance = Seeded(derive(bytes(16), "walk", label))
    slots = Slots(deck.record, 0, deck.draws[0], ())
    for laid in way(slots, fractions(chance, "walk")):
        draws = [[-1] * len(drawn) for drawn in deck.record.drawn]
        for members, others in zip(slots.members, slots.others, strict=True):
            chance.shuffle("others", others)
            left = iter(others)
            for slot in members:
                rival, kind = slots.base[slot] // slots.kinds, laid[slot]
                kind = next(left) if kind == slots.kinds - 1 else kind
                if rival != slots.deck:
                    draws[rival][slots.place[slot]] = kind
        yield hands(deck, draws)


# In most of these no exchange of two cards leads from some of the worlds to the others.
CASES = [
    (3, [0, 0, 1, 1, 2, 2], 3, 105),
    (3, [0, 0, 1, 1, 2, 2], 3, 155),
    (3, [0, 0, 0, 1, 1, 2, 3], 4, 107),
    (3, [0, 0, 0, 1, 1, 2, 3], 3, 2),
    (4, [0, 0, 1, 1, 2, 2, 3], 3, 118),
    (4, [0, 0, 0, 1, 1, 1, 2, 2, 3], 3, 166),
]


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("players", "cards", "shuffles", "label"), CASES)
def test_worlds_after_many_shuffles_come_as_often_as_in_a_full_count(
    players: int, cards: list[int], shuffles: int, label: int, way: Way
) -> None:
    """Of all that has happened, whatever the record has struck out."""
    deck = played(players, cards, shuffles, label)
    expected = counted(deck)
    assert tuple(tuple(sorted(hand)) for hand in deck.hands[1:]) in expected
    worlds = islice(seen_by_first(deck, label, way), SAMPLES)
    statistic, freedom = chi_square(Counter(worlds), expected)
    assert statistic < critical(freedom)
    for number in range(20):
        draws, _ = determinize_deck(deck.record, 0, deck.draws[0], Seeded(derive(bytes(16), label, number)))
        assert hands(deck, draws) in expected

"""Imagined worlds against a full count: every order of the decks that agrees with what a seat was sent is as likely.

Whole games with few cards are played at random for a while. Then every order of the cards that the seat has not seen
is tried: the same moves are made again, by value, and the order counts if the seat is sent the same all along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from engine import worlds
from engine.chance import Seeded, derive
from engine.game import Event
from engine.ravensburger import GAME
from engine.ravensburger.edition import typed
from engine.ravensburger.game import RavensburgerState
from tests.engine.ravensburger.orders import Move, Orders, edition, start, witnessing

World = tuple[tuple[int, ...], tuple[int, ...]]
"""The rival's hand, sorted, and the next card of the deck."""
SAMPLES = 3_000
STREAM = "action deck"

# 13 cards: two players, and eight cards unseen by each; stages wherever one goes, where a draw tells of the hand.
FEW = edition(
    cards={
        "coach": [1, 2, 0, 0, 0], "train": [2, 2, 0, 0, 0], "steamer": [0, 1, 0, 0, 0], "elephant": [0, 2, 0, 0, 0],
        "rose": 2, "handcuffs": 0, "purse": 1,
    },
    board={
        "goal": 40, "rose": [3, 9], "stage": [*range(1, 3), *range(4, 9), *range(10, 30)],
        "stage_names": ["stage"] * 27, "spyglass": [], "handcuffs": [],
    },
)  # fmt: skip


class Told:
    """A game between seats 0 and 1, and all that seat 0 is sent."""

    def __init__(self, *orders: Sequence[int]) -> None:
        self.moves: list[Move] = []
        self.sent: list[object] = []
        self.log: list[Event] = []
        self.state = start(FEW, 2, Orders({STREAM: orders}))

    def go(self, index: int) -> None:
        if self.state.to_act == 0:
            self.sent.append((self.state.view(0), list(self.state.actions())))
        with witnessing(self.moves):
            log = self.state.play(index)
        self.log += log
        self.sent += [event.what for event in log if event.to in (None, 0)]

    def follow(self, first: Told, until: int) -> bool:
        """Make the first world's moves; whether all of it was possible and looked the same to seat 0."""
        while len(self.moves) < until:
            seat, action = first.moves[len(self.moves)]
            if seat != self.state.to_act or action not in self.state.actions():
                return False
            self.go(list(self.state.actions()).index(action))
            if self.sent != first.sent[: len(self.sent)]:
                return False
        return self.moves == first.moves[: len(self.moves)]

    def copy(self, order: Sequence[int]) -> Told:
        """This game, going on with another order of the next shuffle."""
        twin = Told.__new__(Told)
        twin.moves, twin.sent, twin.log = self.moves[:], self.sent[:], self.log[:]
        twin.state = self.state.copy()
        twin.state.chance = Orders({STREAM: [order]})
        return twin

    def draws(self, shuffle: int) -> list[int]:
        """Who drew the cards of a shuffle, in order."""
        found: list[list[int]] = [[]]
        for _, what in self.log:
            if what["event"] == "shuffle":
                found.append([])
            elif what["event"] == "draw":
                found[-1].append(what["seat"])
        return found[shuffle]


def played(label: int, reshuffles: int, lacks: bool) -> tuple[Told, list[list[int]], int]:
    """A game up to a decision of seat 0 with something to tell, its orders, and the moves before the last shuffle."""
    random = Random(f"{label} {reshuffles} {lacks}")
    while True:
        orders = [typed(FEW).action_cards[:]]
        random.shuffle(orders[0])
        told = Told(orders[0])
        before = 0
        while told.state.to_act is not None and told.state.table.unseen[0].shuffle <= reshuffles:
            state = told.state
            if told.moves and state.to_act == 0 and is_open(state, reshuffles, lacks):
                return told, orders, before
            made = len(told.moves)
            state.chance = Remembering(random, orders)
            told.go(random.randrange(len(state.actions())))
            if state.table.unseen[0].shuffle and not before:
                before = made


def is_open(state: RavensburgerState, reshuffles: int, lacks: bool) -> bool:
    """Whether cards were shown that may have been held twice, perhaps some lacked, and still many worlds."""
    record = state.table.unseen[0]
    if record.shuffle != reshuffles or not record.shown[1] or bool(record.lacked[1]) != lacks:
        return False
    if reshuffles and len(record.pools) == 1:
        return False
    if not any(sum(pool[kind] for pool in record.pools.values()) > 1 for kind, _ in record.shown[1]):
        return False  # no hand can have had two of a card that was shown
    chance = Seeded(bytes(16))
    return len({world(GAME.imagine(state.view(0), FEW, chance)) for _ in range(30)}) > 4


class Remembering(Orders):
    """Shuffles at random and notes the orders."""

    def __init__(self, random: Random, orders: list[list[int]]) -> None:
        super().__init__({})
        self._random = random
        self._noted = orders

    def shuffle(self, stream: str, items: list[int]) -> None:  # type: ignore[override]
        self._random.shuffle(items)
        if stream == STREAM:
            self._noted.append(items[:])


def distinct(cards: Sequence[int]) -> Iterator[list[int]]:
    """Every order of the cards, once."""
    if not cards:
        yield []
    for card in sorted(set(cards)):
        rest = list(cards)
        rest.remove(card)
        for order in distinct(rest):
            yield [card, *order]


def others(order: Sequence[int], draws: Sequence[int]) -> Iterator[list[int]]:
    """Every order in which seat 0 draws what it drew; the top card is the last."""
    own = {len(order) - 1 - place for place, seat in enumerate(draws) if seat == 0}
    for rest in distinct([card for place, card in enumerate(order) if place not in own]):
        unseen = iter(rest)
        yield [card if place in own else next(unseen) for place, card in enumerate(order)]


def counted(first: Told, orders: Sequence[Sequence[int]], before: int) -> Counter[World]:
    """By world: how many orders of the decks lead to it."""
    found: Counter[World] = Counter()
    for order in others(orders[0], first.draws(0)):
        told = Told(order)
        if not told.follow(first, before if len(orders) > 1 else len(first.moves)):
            continue
        if len(orders) == 1:
            found[world(told.state)] += 1
            continue
        for second in others(orders[1], first.draws(1)):
            twin = told.copy(second)
            if twin.follow(first, len(first.moves)):
                found[world(twin.state)] += 1
    return found


def world(state: RavensburgerState) -> World:
    return tuple(state.hands[1].cards), tuple(state.decks[0][-1:])


def chi_square(found: Counter[World], expected: Counter[World]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom, rare worlds taken together; what must not occur must not."""
    assert not set(found) - set(expected)
    scale = sum(found.values()) / sum(expected.values())
    rows = [(found[each], number * scale) for each, number in expected.items() if number * scale >= 5]
    rare = [(found[each], number * scale) for each, number in expected.items() if number * scale < 5]
    if rare:
        rows.append((sum(seen for seen, _ in rare), sum(wanted for _, wanted in rare)))
    return sum((seen - wanted) ** 2 / wanted for seen, wanted in rows), len(rows) - 1


def critical(freedom: int) -> float:
    """What chi-square exceeds once in a thousand times (Wilson and Hilferty)."""
    spread = 2 / (9 * freedom)
    result: float = freedom * (1 - spread + 3.09 * spread**0.5) ** 3
    return result


def compared(label: int, reshuffles: int, lacks: bool) -> tuple[float, int]:
    """Chi-square of the worlds imagined in one such game, and its degrees of freedom."""
    first, orders, before = played(label, reshuffles, lacks)
    expected = counted(first, orders, before)
    assert world(first.state) in expected
    view = first.state.view(0)
    chance = Seeded(derive(bytes(16), "uniform in tests", label, reshuffles))
    found = Counter(world(GAME.imagine(view, FEW, chance)) for _ in range(SAMPLES))
    return chi_square(found, expected)


@pytest.mark.parametrize(
    ("label", "reshuffles", "lacks"), [(3, 0, False), (4, 0, False), (3, 0, True), (3, 1, False), (3, 1, True)]
)
def test_every_order_that_agrees_is_equally_likely(label: int, reshuffles: int, lacks: bool) -> None:
    """R-33, R-90: within one shuffle and once across another, with and without proof of what a hand lacked."""
    statistic, freedom = compared(label, reshuffles, lacks)
    assert statistic < critical(freedom)


def test_the_count_would_notice_an_unfair_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one by which a hand with two of a kind is as likely to have shown one of them as a hand with one."""
    monkeypatch.setattr(worlds._World, "_ways", lambda self, seat, notes: 0.0)
    statistic, freedom = compared(3, 0, False)
    assert statistic > critical(freedom)

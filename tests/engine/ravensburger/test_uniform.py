"""Determinized worlds against a full count: all orders of the decks that agree with what a seat was sent are as likely.

Whole games with few cards are played at random for a while. Then every order of the cards that the seat has not seen
is tried: the same moves are made again, by value, and the order counts if the seat is sent the same all along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random

import pytest

from engine import counted_worlds, determinization, weighted_worlds
from engine.chance import Seeded, derive
from engine.ravensburger import RULES
from engine.ravensburger.cards import ACTION, DECKS, EMPTY, EVENT
from engine.ravensburger.decision import RavensburgerState
from engine.ravensburger.edition import typed
from engine.rules import Data, Event
from tests.engine.fairness import chi_square, critical
from tests.engine.ravensburger.orders import Move, Orders, edition, start, witnessing

World = tuple[tuple[int, ...], tuple[int, ...]]
"""What the rival holds, sorted, and the next card of the deck; of event cards the whole deck."""
SAMPLES = 750


class Few:
    """A game in which a deck has so few cards that its orders can be counted."""

    def __init__(self, data: Data, deck: int) -> None:
        self.data = data
        self.deck = deck

    @property
    def stream(self) -> str:
        return f"{DECKS[self.deck]} deck"

    def cards(self) -> list[int]:
        rules = typed(self.data)
        return rules.action_cards[:] if self.deck == ACTION else rules.event_cards[:]

    def world(self, state: RavensburgerState) -> World:
        hand, deck = state.hands[1], state.decks[self.deck].order
        if self.deck == ACTION:
            return tuple(hand.cards), tuple(deck[-1:])
        return tuple(sorted(card for card in (hand.event, hand.drawn) if card != EMPTY)), tuple(deck)


# 13 cards: two players, and eight cards unseen by each; stages wherever one goes, where a draw tells of the hand.
ACTIONS = Few(edition(
    cards={
        "coach": [1, 2, 0, 0, 0], "train": [2, 2, 0, 0, 0], "steamer": [0, 1, 0, 0, 0], "elephant": [0, 2, 0, 0, 0],
        "rose": 2, "handcuffs": 0, "purse": 1,
    },
    board={
        "goal": 40, "rose": [3, 9], "stage": [*range(1, 3), *range(4, 9), *range(10, 30)],
        "stage_names": ["stage"] * 27, "spyglass": [], "handcuffs": [],
    },
), ACTION)  # fmt: skip
# Eight event cards that may be kept, and spyglasses wherever one goes.
EVENTS = Few(edition(
    "expert",
    cards={
        "coach": [6, 6, 0, 0, 0], "train": [6, 6, 0, 0, 0], "steamer": [0] * 5, "elephant": [0] * 5,
        "rose": 6, "handcuffs": 0, "purse": 0,
    },
    board={
        "goal": 200, "rose": [], "stage": [], "stage_names": [], "spyglass": [*range(1, 200)], "handcuffs": [],
    },
    events=[
        {"card": "draw_1", "effect": "draw", "steps": 0, "cards": 1, "count": 3},
        {"card": "lay_off_1", "effect": "lay_off", "steps": 0, "cards": 1, "count": 2},
        {"card": "lay_off_2", "effect": "lay_off", "steps": 0, "cards": 2, "count": 1},
        {"card": "place_rose", "effect": "rose", "steps": 0, "cards": 0, "count": 2},
    ],
), EVENT)  # fmt: skip


class PlayedGame:
    """A game between seats 0 and 1, and all that seat 0 is sent."""

    def __init__(self, few: Few, *orders: Sequence[int]) -> None:
        self.few = few
        self.moves: list[Move] = []
        self.sent: list[object] = []
        self.log: list[Event] = []
        self.state = start(few.data, 2, Orders({few.stream: orders}))

    def go(self, index: int) -> None:
        if self.state.to_act == 0:
            self.sent.append((self.state.view(0), list(self.state.actions())))
        with witnessing(self.moves):
            log = self.state.play(index)
        self.log += log
        self.sent += [event.what for event in log if event.to in (None, 0)]

    def follow(self, first: PlayedGame, until: int) -> bool:
        """Make the first world's moves; whether all of it was possible and looked the same to seat 0."""
        while len(self.moves) < until:
            seat, action = first.moves[len(self.moves)]
            if seat != self.state.to_act or action not in self.state.actions():
                return False
            self.go(list(self.state.actions()).index(action))  # type: ignore[arg-type]
            if self.sent != first.sent[: len(self.sent)]:
                return False
        return self.moves == first.moves[: len(self.moves)]

    def copy(self, order: Sequence[int]) -> PlayedGame:
        """This game, going on with another order of the next shuffle."""
        clone = PlayedGame.__new__(PlayedGame)
        clone.few, clone.moves, clone.sent, clone.log = self.few, self.moves[:], self.sent[:], self.log[:]
        clone.state = self.state.copy()
        clone.state.chance = Orders({self.few.stream: [order]})
        return clone

    def draws(self, shuffle: int) -> list[int]:
        """Who drew the cards of a shuffle, in order."""
        found: list[list[int]] = [[]]
        for _, what in self.log:
            if what.get("deck") != DECKS[self.few.deck]:
                continue
            if what["event"] == "shuffle":
                found.append([])
            elif what["event"] == "draw":
                found[-1].append(what["seat"])
        return found[shuffle]


def played(few: Few, label: int, reshuffles: int, lacks: bool) -> tuple[PlayedGame, list[list[int]], int]:
    """A game up to a decision of seat 0 with something to tell, its orders, and the moves before the last shuffle."""
    random = Random(f"{label} {reshuffles} {lacks}")
    while True:
        orders = [few.cards()]
        random.shuffle(orders[0])
        game = PlayedGame(few, orders[0])
        before = 0
        while game.state.to_act is not None and game.state.decks[few.deck].record.shuffle <= reshuffles:
            state = game.state
            if game.moves and state.to_act == 0 and is_open(few, state, reshuffles, lacks):
                return game, orders, before
            made = len(game.moves)
            state.chance = Remembering(few.stream, random, orders)
            game.go(random.randrange(len(state.actions())))
            if state.decks[few.deck].record.shuffle and not before:
                before = made


def is_open(few: Few, state: RavensburgerState, reshuffles: int, lacks: bool) -> bool:
    """Whether cards were shown that may have been held twice, perhaps some lacked, and still many worlds."""
    record = state.decks[few.deck].record
    if few.deck == EVENT:  # both keep one, some were carried out
        return all(state.table.kept) and bool(record.drawn[1]) and 2 <= len(state.decks[EVENT].discards) <= 3
    if record.shuffle != reshuffles or not record.shown[1] or bool(record.lacked[1]) != lacks:
        return False
    if reshuffles and len(record.pools) == 1:
        return False
    if not any(sum(pool[kind] for pool in record.pools.values()) > 1 for kind, _ in record.shown[1]):
        return False  # no hand can have had two of a card that was shown
    chance = Seeded(bytes(16))
    return (
        len({few.world(RULES.determinize(state.view(0), len(state.ranks()), few.data, chance)) for _ in range(30)}) > 4
    )


class Remembering(Orders):
    """Shuffles one deck at random and notes its orders."""

    def __init__(self, stream: str, random: Random, orders: list[list[int]]) -> None:
        super().__init__({})
        self._stream = stream
        self._random = random
        self._noted = orders

    def shuffle(self, stream: str, items: list[int]) -> None:  # type: ignore[override]
        if stream == self._stream:
            self._random.shuffle(items)
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
    """Every order in which seat 0 draws what it drew, the top card last. Orders with equal tops are neighbours."""
    own = {len(order) - 1 - place for place, seat in enumerate(draws) if seat == 0}
    for rest in distinct([card for place, card in enumerate(order) if place not in own]):
        unseen = iter(rest[::-1])
        yield [card if place in own else next(unseen) for place, card in enumerate(order)]


def counted(first: PlayedGame, orders: Sequence[Sequence[int]], before: int) -> Counter[World]:
    """By world: how many orders of the decks lead to it."""
    found: Counter[World] = Counter()
    wrong: list[int] = []  # cards on the top that led to something else
    for order in others(orders[0], first.draws(0)):
        if wrong and order[-len(wrong) :] == wrong:
            continue
        game = PlayedGame(first.few, order)
        if not game.follow(first, before if len(orders) > 1 else len(first.moves)):
            deck = game.state.decks[first.few.deck]
            wrong = [] if deck.record.shuffle else order[len(deck.order) :]
            continue
        if len(orders) == 1:
            found[first.few.world(game.state)] += 1
            continue
        for second in others(orders[1], first.draws(1)):
            clone = game.copy(second)
            if clone.follow(first, len(first.moves)):
                found[first.few.world(clone.state)] += 1
    return found


@cache
def case(few: Few, label: int, reshuffles: int, lacks: bool) -> tuple[Data, Counter[World]]:
    """What seat 0 is sent in one such game, and by world how many orders lead to it."""
    first, orders, before = played(few, label, reshuffles, lacks)
    expected = counted(first, orders, before)
    assert few.world(first.state) in expected
    return first.state.view(0), expected


def compared(few: Few, label: int, reshuffles: int, lacks: bool) -> tuple[float, int]:
    """Chi-square of the worlds drawn in one such game, and its degrees of freedom."""
    view, expected = case(few, label, reshuffles, lacks)
    chance = Seeded(derive(bytes(16), "uniform in tests", label, reshuffles))
    found = Counter(few.world(RULES.determinize(view, len(view["square"]), few.data, chance)) for _ in range(SAMPLES))
    return chi_square(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "reshuffles", "lacks"), [(3, 0, False), (4, 0, False), (3, 0, True), (3, 1, False), (3, 1, True)]
)
def test_every_order_that_agrees_is_equally_likely(
    monkeypatch: pytest.MonkeyPatch, label: int, reshuffles: int, lacks: bool
) -> None:
    """R-33, R-90: within one shuffle and once across another, with and without proof of what a hand lacked."""
    statistic, freedom = compared(ACTIONS, label, reshuffles, lacks)
    assert statistic < critical(freedom), "by weight, as is usual in these short records"
    monkeypatch.setattr(determinization, "FEW", -1)
    statistic, freedom = compared(ACTIONS, label, reshuffles, lacks)
    assert statistic < critical(freedom), "by counts, where there are few"
    monkeypatch.setattr(counted_worlds, "MOST", -1)
    monkeypatch.setattr(determinization, "_prepared", {})
    statistic, freedom = compared(ACTIONS, label, reshuffles, lacks)
    assert statistic < critical(freedom), "by a walk"


@pytest.mark.slow
@pytest.mark.parametrize("label", [1, 2])
def test_every_order_of_the_event_deck_is_equally_likely(label: int) -> None:
    """R-72, R-90: some event cards were carried out, and both players keep one."""
    statistic, freedom = compared(EVENTS, label, 0, False)
    assert freedom > 10
    assert statistic < critical(freedom)


@pytest.mark.slow
def test_the_count_would_notice_an_unfair_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a hand that had two to show being as likely as one that had one, or a world that was found somehow."""
    monkeypatch.setattr(weighted_worlds._World, "_ways", lambda self, seat, notes: 0.0)
    monkeypatch.setattr(determinization, "STEPS", (0, 0))
    monkeypatch.setattr(counted_worlds, "MOST", -1)
    monkeypatch.setattr(determinization, "_prepared", {})
    for few in (determinization.FEW, -1):
        monkeypatch.setattr(determinization, "FEW", few)
        statistic, freedom = compared(ACTIONS, 3, 0, False)
        assert statistic > critical(freedom)

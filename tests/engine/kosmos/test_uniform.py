"""Determinized worlds against a full count: all orders of the hidden cards that agree with a view are as likely."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product

import pytest

from engine.chance import Seeded, derive
from engine.deck_knowledge import DeckKnowledge, counted
from engine.kosmos.cards import CODES, TRAVEL, TRAVEL_COUNTS
from engine.kosmos.decision import KosmosState
from tests.engine.fairness import chi_square, critical
from tests.engine.kosmos.checks import KOSMOS, check_whole, start
from tests.engine.kosmos.positions import position

pytestmark = pytest.mark.slow

World = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]
"""The travel cards in each hand, sorted, and the travel deck in order."""
SAMPLES = 2_000


class Hidden:
    """A small set of hidden travel cards: who drew how many from which shuffle, and what was shown since."""

    def __init__(
        self,
        shuffles: Sequence[Sequence[str]],
        drawn: Sequence[Sequence[int]],
        shown: Sequence[Sequence[tuple[str, int]]],
    ) -> None:
        self.shuffles = [[CODES[name] for name in names] for names in shuffles]
        self.drawn = drawn
        self.shown = [[(CODES[name], before) for name, before in notes] for notes in shown]
        self.deck = len(self.shuffles[-1]) - sum(list(origins).count(len(shuffles) - 1) for origins in drawn)

    def orders(self) -> Iterator[tuple[list[list[int]], list[int]]]:
        """Every way the cards, taken as different things, can lie: each seat's draws, and the deck."""
        for laid in product(*(permutations(cards) for cards in self.shuffles)):
            left = [list(cards) for cards in laid]
            draws = [[left[origin].pop() for origin in origins] for origins in self.drawn]
            if all(map(self._could_show, self.shown, draws)):
                yield draws, left[-1]

    @staticmethod
    def _could_show(shown: Sequence[tuple[int, int]], draws: Sequence[int]) -> bool:
        """Whether each card shown can be matched with a draw of its own among those made by then."""
        if not shown:
            return True
        return any(
            all(draws[place] == kind and place < before for place, (kind, before) in zip(places, shown, strict=True))
            for places in permutations(range(len(draws)), len(shown))
        )

    def world(self, draws: Sequence[Sequence[int]], deck: Sequence[int]) -> World:
        """What a reader can tell orders apart by."""
        hands = []
        for held, shown in zip(draws, self.shown, strict=True):
            hands.append(tuple(sorted((Counter(held) - Counter(kind for kind, _ in shown)).elements())))
        return tuple(hands), tuple(deck)

    def worlds(self, seat: int | None, own: Sequence[int]) -> Counter[World]:
        """How many orders lead to each world; `seat` knows its own draws."""
        return Counter(
            self.world(draws, deck) for draws, deck in self.orders() if seat is None or draws[seat] == list(own)
        )

    def state(self) -> KosmosState:
        """A game with just that hidden, in one of its orders."""
        state = start(KOSMOS.edition("standard"), len(self.drawn), "uniform")
        draws, deck = next(self.orders())
        travel, table = state.decks[TRAVEL], state.table
        record = travel.record
        record.shuffle = len(self.shuffles) - 1
        record.pools = {number: counted(cards, 10, 0) for number, cards in enumerate(self.shuffles)}
        record.drawn = [list(origins) for origins in self.drawn]
        record.shown = [list(notes) for notes in self.shown]
        hands, _ = self.world(draws, deck)
        for seat, hand in enumerate(state.hands):
            travel.draws[seat] = list(draws[seat])
            hand.travel = list(hands[seat])
            table.travel_cards[seat] = len(hand.travel)
        travel.order = list(deck)
        out = Counter([*table.display, *deck, *(card for hand in hands for card in hand)])
        everything = Counter(dict(enumerate(TRAVEL_COUNTS)))
        travel.discards = sorted((everything - out).elements())
        check_whole(state)
        return state


ONE = Hidden([["t2", "t2", "t3", "s4", "s5", "s8"]], [[0], [0], [0, 0]], [[], [], []])
"""One shuffle, four cards drawn, two left."""
TWO = Hidden(
    [["t2", "t3", "s4"], ["t2", "t3", "t3", "s8", "s8"]],
    [[], [0, 1], [0, 0, 1]],
    [[], [("t2", 2)], [("t3", 3)]],
)
"""The first shuffle is used up; two seats showed cards that may come from either."""
SPLIT = Hidden(
    [["t2", "t3"], ["t2", "t3", "s8"]], [[], [0, 1], [0, 1]], [[], [("t2", 2)], [("t2", 2)]]
)  # fmt: skip
"""Orders that agree lie apart: no swap of two cards leads from one to another."""


def determinized(hidden: Hidden, seat: int | None, samples: int) -> tuple[Counter[World], Counter[World]]:
    """The worlds that were drawn, and what they should be in proportion to."""
    state = hidden.state()
    data = KOSMOS.edition("standard")
    view = state.view(seat)
    chance = Seeded(derive(b"uniform in tests", str(seat)))
    found: Counter[World] = Counter()
    for _ in range(samples):
        world = KOSMOS.determinize(view, len(view["city"]), data, chance)
        assert isinstance(world, KosmosState)
        found[tuple(tuple(hand.travel) for hand in world.hands), tuple(world.decks[TRAVEL].order)] += 1
    own = [] if seat is None else state.decks[TRAVEL].draws[seat]
    return found, hidden.worlds(seat, own)


CASES = pytest.mark.parametrize(
    ("hidden", "seat"),
    [pytest.param(hidden, seat, id=f"{name}-{seat}") for name, hidden, seats in (
        ("one", ONE, (0, 1, 2, None)), ("two", TWO, (0, 1, 2, None)), ("split", SPLIT, (0, None)),
    ) for seat in seats],
)  # fmt: skip


@CASES
def test_every_order_is_equally_likely(hidden: Hidden, seat: int | None) -> None:
    found, expected = determinized(hidden, seat, SAMPLES)
    statistic, freedom = chi_square(found, expected)
    assert statistic < critical(freedom)


def test_every_order_of_the_chits_that_nobody_has_seen_is_equally_likely() -> None:
    """K-10: four cities with a red chit face down; which of its kind lies where does not matter."""
    state = position(
        3, KOSMOS.edition("ru"), face_down=True,
        red={"Suez": "gold", "Bombay": "gold", "Calcutta": "delay", "New York": "event"}, blue={"Suez": "travel"},
    )  # fmt: skip
    data, view, chance = KOSMOS.edition("ru"), state.view(1), Seeded(derive(b"uniform in tests", "chits"))
    found: Counter[tuple[str | None, ...]] = Counter()
    for _ in range(3_000):
        world = KOSMOS.determinize(view, len(view["city"]), data, chance)
        assert isinstance(world, KosmosState)
        assert world.chits[1][3] == "travel"
        found[tuple(chit for chit in world.chits[0] if chit)] += 1
    expected = Counter(permutations(["gold", "gold", "delay", "event"]))
    assert len(expected) == 12
    statistic, freedom = chi_square(found, expected)
    assert statistic < critical(freedom)


def test_the_count_would_notice_an_unfair_draw() -> None:
    """Were every world equally likely, in however many orders it lies, chi-square would say so."""
    found, expected = determinized(TWO, None, SAMPLES)
    assert len(set(expected.values())) > 1
    statistic, freedom = chi_square(found, Counter(dict.fromkeys(expected, 1)))
    assert statistic > 2 * critical(freedom)


def test_the_public_record_of_these_sets_is_one_that_play_leads_to() -> None:
    """The ambiguous cards stay ambiguous: nothing follows from them."""
    for hidden in (TWO, SPLIT):
        state = hidden.state()
        record = state.decks[TRAVEL].record
        assert isinstance(record, DeckKnowledge)
        before = [list(notes) for notes in record.shown]
        assert record.follows(state.decks[TRAVEL].draws) == []
        assert [list(notes) for notes in record.shown] == before

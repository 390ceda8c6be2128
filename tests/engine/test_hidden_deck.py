"""One deck: what each seat is shown of it, worlds that agree with that, and copies that go their own way."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance, Seeded, derive
from engine.deck_knowledge import DeckKnowledge
from engine.hidden_deck import DeckView, Hidden, HiddenDeck
from engine.kosmos.state import KosmosPublicState
from engine.ravensburger.state import RavensburgerPublicState
from engine.rules import Event
from generators.protocol_document import section
from tests.engine.doubles import Lowest
from tests.engine.fairness import chi_square, critical

FIRST = 5
"""The number of the first card, so that cards and kinds differ."""


class SmallGame:
    """A deck and the hands that are drawn from it, by the rules of no game."""

    def __init__(self, players: int, cards: list[int], kinds: int, chance: Chance) -> None:
        self.cards = Counter(cards)
        self.chance = chance
        self.deck = HiddenDeck("small", players, kinds, FIRST)
        self.deck.set_up(cards[:], chance)
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.log: list[Event] = []

    def draw(self, seat: int) -> None:
        if self.deck.drawable:
            card = self.deck.take_top_card(self.chance, self.log)
            self.deck.drew(seat, card)
            self.hands[seat].append(card)

    def turn_up(self, seat: int | None) -> None:
        """Lay the top card open: into a hand, or on the discards."""
        if not self.deck.drawable:
            return
        card = self.deck.take_top_card(self.chance, self.log)
        self.deck.turned_up(card)
        if seat is None:
            self.deck.discards.append(card)
        else:
            self.deck.hold_openly(seat, card)
            self.hands[seat].append(card)

    def discard(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.deck.show(seat, card)
        self.deck.discards.append(card)

    def step(self, random: Random) -> None:
        """Anything that may happen to a deck."""
        seat = random.randrange(len(self.hands))
        what = random.random()
        if what < 0.45:
            self.draw(seat)
        elif what < 0.55:
            self.turn_up(random.choice([None, seat]))
        elif what < 0.9:
            if self.hands[seat]:
                self.discard(seat, random.choice(self.hands[seat]))
        elif what < 0.95:
            missing = [card for card in sorted(self.cards) if card not in self.hands[seat]]
            self.deck.lack(seat, tuple(random.sample(missing, len(missing) // 2)))
        elif what < 0.99:
            self.deck.refill(self.chance, self.log)
        else:
            for hand in self.hands:
                hand.clear()
            self.deck.gather(sorted(self.cards.elements()), self.chance, self.log)

    def copy(self) -> SmallGame:
        copied = SmallGame.__new__(SmallGame)
        copied.cards, copied.chance, copied.deck = self.cards, self.chance.copy(), self.deck.copy()
        copied.hands, copied.log = [hand[:] for hand in self.hands], self.log[:]
        return copied


def plain(view: DeckView) -> str:
    """All that a view says, as text."""
    return json.dumps([view.left, list(view.discards), list(view.known), view.hidden])


def everything(deck: HiddenDeck) -> list[Any]:
    """All that a deck holds, but for what it keeps only to be quick."""
    views = [plain(deck.view(seat)) for seat in (None, *range(len(deck.draws)))]
    return [deck.order[:], [draws[:] for draws in deck.draws], views]


def rebuilt(small: SmallGame, seat: int | None, *label: int) -> tuple[HiddenDeck, list[list[int]]]:
    """A deck made from nothing but what `seat` is shown, and the hands that go with it."""
    deck = HiddenDeck("small", len(small.hands), small.deck.kinds, FIRST)
    view = DeckView(*json.loads(plain(small.deck.view(seat))))
    return deck, deck.determinize(view, seat, Seeded(derive(bytes(16), "rebuilt", *label)))


# Worked examples


def protocol_example() -> SmallGame:
    """The example of 4.7: seat 0 drew two cards and showed a 2, seat 1 drew a 1."""
    small = SmallGame(2, [FIRST + kind for kind in (0, 0, 1, 1, 2, 2)], 3, Lowest())
    small.deck.order = [FIRST + kind for kind in (1, 0, 2, 1, 0, 2)]  # the top last
    for seat in (0, 0, 1):
        small.draw(seat)
    small.discard(0, FIRST + 2)
    return small


def test_the_example_of_the_protocol_is_what_a_deck_says() -> None:
    small = protocol_example()
    found = re.search(r"```json\n(.*?)\n```", section("4.7"), re.DOTALL)
    assert found
    assert json.loads(found[1]) == small.deck.view(1).hidden
    assert (small.deck.view(1).left, small.deck.view(1).discards) == (3, [FIRST + 2])


@pytest.mark.slow
def test_worlds_are_as_likely_as_the_example_of_the_protocol_says() -> None:
    """Seat 0 holds a 0 in four of seven pairs, a 1 in two, a 2 in one."""
    small = protocol_example()
    found = Counter(rebuilt(small, 1, number)[1][0][0] - FIRST for number in range(2_000))
    statistic, freedom = chi_square(found, Counter({0: 4, 1: 2, 2: 1}))
    assert statistic < critical(freedom)


def test_a_used_up_deck_is_shuffled_from_its_discards_in_its_own_stream() -> None:
    streams = set()

    class Noting(Lowest):
        def below(self, stream: str, bound: int) -> int:
            streams.add(stream)
            return super().below(stream, bound)

    small = SmallGame(2, [FIRST, FIRST + 1, FIRST + 1], 2, Noting())
    for _ in range(3):
        small.turn_up(None)
    assert not small.log
    assert (small.deck.order, len(small.deck.discards)) == ([], 3)
    small.draw(0)
    assert [event.what for event in small.log] == [{"event": "shuffle", "deck": "small", "cards": 3}]
    assert [event.to for event in small.log] == [None]
    assert (len(small.deck.order), small.deck.discards) == (2, [])
    assert small.deck.view(None).hidden["pools"] == {"1": [1, 2]}
    assert streams == {"small deck"}


def test_refill_shuffles_only_a_used_up_deck_with_discards() -> None:
    small = SmallGame(2, [FIRST, FIRST], 1, Lowest())
    small.deck.refill(Lowest(), small.log)
    small.turn_up(0)
    small.turn_up(1)
    small.deck.refill(Lowest(), small.log)
    assert not small.log
    assert not small.deck.drawable
    small.discard(0, FIRST)
    small.deck.refill(Lowest(), small.log)
    assert (small.deck.order, len(small.log)) == ([FIRST], 1)


def test_a_deck_without_any_card_cannot_be_drawn_from() -> None:
    small = SmallGame(2, [FIRST], 1, Lowest())
    small.draw(0)
    with pytest.raises(IndexError):
        small.deck.take_top_card(Lowest(), small.log)


def test_a_card_seen_by_all_is_known_until_it_is_shown() -> None:
    small = SmallGame(2, [FIRST, FIRST + 1, FIRST + 1], 2, Lowest())
    small.turn_up(1)
    small.turn_up(1)
    assert small.deck.view(0).known == [(), tuple(sorted(small.hands[1]))]
    first, second = small.hands[1]
    small.discard(1, first)
    assert small.deck.view(0).known == [(), (second,)]
    assert small.deck.view(0).hidden["drawn"] == [[], []]


def test_what_one_seat_alone_can_hold_is_known_to_all() -> None:
    """All other cards of the shuffle have been shown, and the deck has been shuffled anew since."""
    small = SmallGame(2, [FIRST, FIRST + 1, FIRST + 2], 3, Lowest())
    small.draw(0)
    small.turn_up(None)
    small.turn_up(None)
    held = small.hands[0][0]
    assert small.deck.view(1).known == [(), ()]
    small.deck.refill(Lowest(), small.log)
    assert small.deck.view(1).known == [(held,), ()]


def test_gathered_cards_are_in_no_hand_and_nothing_is_known_of_before() -> None:
    small = SmallGame(2, [FIRST, FIRST, FIRST + 1], 2, Lowest())
    small.draw(0)
    small.turn_up(1)
    small.deck.gather(sorted(small.cards.elements()), Lowest(), small.log)
    view = small.deck.view(0)
    assert (view.left, view.discards, list(view.known)) == (3, [], [(), ()])
    assert view.hidden == {
        "shuffle": 1, "pools": {"1": [2, 1]}, "drawn": [[], []], "shown": [[], []], "lacked": [[], []], "yours": [],
    }  # fmt: skip


def test_a_view_that_contradicts_itself_is_an_error() -> None:
    view = protocol_example().deck.view(1)
    pools: Hidden = {**view.hidden, "pools": {"0": [2, 2, 0]}}
    for left, hidden in ((4, view.hidden), (view.left, pools)):
        wrong = DeckView(left, view.discards, view.known, hidden)
        with pytest.raises(ValueError, match="no world"):
            HiddenDeck("small", 2, 3, FIRST).determinize(wrong, 1, Lowest())


@pytest.mark.parametrize(
    "make",
    [
        lambda players: HiddenDeck("small", players, 3),
        lambda players: DeckKnowledge(players, 3, 0, []),
        KosmosPublicState,
        RavensburgerPublicState,
    ],
    ids=["deck", "record", "kosmos", "ravensburger"],
)
def test_a_negative_number_of_players_is_an_error(make: Callable[[int], object]) -> None:
    with pytest.raises(ValueError, match="not for -1 players"):
        make(-1)


# What holds whatever happens

ANY_DECK = st.lists(st.integers(1, 4), min_size=2, max_size=6)


@pytest.mark.slow
@settings(deadline=None, max_examples=60, derandomize=True)
@given(ANY_DECK, st.integers(2, 4), st.integers(0, 2**32))
def test_worlds_agree_with_what_a_seat_is_shown(counts: list[int], players: int, seed: int) -> None:
    """A deck rebuilt from a view shows that seat the same, byte for byte, and no card is lost or made up."""
    cards = [FIRST + kind for kind, count in enumerate(counts) for _ in range(count)]
    small, random = SmallGame(players, cards, len(counts), Seeded(derive(bytes(16), seed))), Random(seed)
    for number in range(40):
        small.step(random)
        seat = random.choice([None, *range(players)])
        deck, hands = rebuilt(small, seat, seed, number)
        assert plain(deck.view(seat)) == plain(small.deck.view(seat))
        assert list(map(len, hands)) == list(map(len, small.hands))
        assert sum(map(Counter, hands), Counter(deck.order) + Counter(deck.discards)) == small.cards
        for other, known in enumerate(small.deck.known):
            assert not Counter(known) - Counter(hands[other])
            assert not Counter(known) - Counter(small.hands[other])
        assert [sorted(hand) for hand in small.hands] == [small.deck.held(other) for other in range(players)]
        if seat is not None:
            assert hands[seat] == sorted(small.hands[seat])


@pytest.mark.slow
@settings(deadline=None, max_examples=60, derandomize=True)
@given(ANY_DECK, st.integers(2, 4), st.integers(0, 2**32))
def test_a_seat_is_shown_its_own_draws_and_what_all_know(counts: list[int], players: int, seed: int) -> None:
    """No view changes with cards that its seat has not seen; all but the own draws is the same for everybody."""
    cards = [FIRST + kind for kind, count in enumerate(counts) for _ in range(count)]
    small, random = SmallGame(players, cards, len(counts), Seeded(derive(bytes(16), seed))), Random(seed)
    for number in range(25):
        small.step(random)
        shown = [small.deck.view(seat) for seat in (None, *range(players))]
        assert [view.hidden.pop("yours") for view in shown] == [[], *small.deck.draws]  # type: ignore[misc]
        assert len({plain(view) for view in shown}) == 1
        seat = random.randrange(players)
        deck, _ = rebuilt(small, seat, seed, number)  # other cards lie where this seat has seen none
        random.shuffle(deck.order)
        assert plain(deck.view(seat)) == plain(small.deck.view(seat))
        assert plain(deck.view(None)) == plain(small.deck.view(None))


@settings(deadline=None, max_examples=40, derandomize=True)
@given(ANY_DECK, st.integers(2, 4), st.integers(0, 2**32))
def test_a_copy_goes_on_like_its_original_and_changes_nothing_of_it(counts: list[int], players: int, seed: int) -> None:
    cards = [FIRST + kind for kind, count in enumerate(counts) for _ in range(count)]
    small, random = SmallGame(players, cards, len(counts), Seeded(derive(bytes(16), seed))), Random(seed)
    for _ in range(random.randrange(40)):
        small.step(random)
    before, copied, again = everything(small.deck), small.copy(), small.copy()
    assert everything(copied.deck) == before
    for _ in range(30):
        copied.step(random)
    assert everything(small.deck) == before
    for each in (again, small):
        same = Random(seed)
        for _ in range(30):
            each.step(same)
    assert everything(again.deck) == everything(small.deck)

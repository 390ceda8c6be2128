"""The public record of unseen draws: what it says is true of the real cards, and it is not told more than is public."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Seeded, derive
from engine.deck_knowledge import DeckKnowledge, counted, uncounted
from engine.determinization import determinize_deck
from tests.engine.fairness import chi_square, critical
from tests.marking import mostly_slow

KINDS = 5


class Deck:
    """A deck, its pile and the hands of some seats, all cards known to us, beside the record of it."""

    def __init__(self, players: int, cards: list[int], random: Random) -> None:
        self.random = random
        self.record = DeckKnowledge(players, KINDS, 0, cards)
        self.deck = cards[:]
        random.shuffle(self.deck)
        self.origin = {0: Counter(cards)}  # by shuffle: what nobody has seen in the open since
        self.pile: list[int] = []
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.known: list[list[int]] = [[] for _ in range(players)]  # cards that follow
        self.draws: list[list[int]] = [[] for _ in range(players)]  # in step with the record
        self.gave_away = 0
        # All that has happened, nothing struck out: what everybody can remember.
        self.pools = [Counter(cards)]  # by shuffle, without what was turned up
        self.drawn: list[list[int]] = [[] for _ in range(players)]
        self.cards: list[list[int]] = [[] for _ in range(players)]  # in step with `drawn`
        self.shown: list[list[tuple[int, int]]] = [[] for _ in range(players)]  # kind, how many draws by then
        self.lacked: list[list[tuple[int, int, int]]] = [[] for _ in range(players)]  # kind, draws by then, how many

    def _top(self) -> int:
        if not self.deck:
            self.deck, self.pile = self.pile, []
            self.random.shuffle(self.deck)
            self.record.renew(counted(self.deck, KINDS, 0))
            self.pools.append(Counter(self.deck))
            self._follow()
        return self.deck.pop()

    def _follow(self) -> None:
        for seat, kinds in self.record.follows(self.draws):
            self.known[seat] += kinds
            self.gave_away += len(kinds)

    def any_card(self) -> bool:
        return bool(self.deck or self.pile)

    def turn_up(self) -> None:
        card = self._top()
        self.record.turned_up(card)
        self.pools[-1][card] -= 1
        self.pile.append(card)

    def draw(self, seat: int) -> None:
        card = self._top()
        self.record.drew(seat)
        self.draws[seat].append(card)
        self.drawn[seat].append(len(self.pools) - 1)
        self.cards[seat].append(card)
        self.hands[seat].append(card)

    def show(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.shown[seat].append((card, len(self.drawn[seat])))
        if card in self.known[seat]:
            self.known[seat].remove(card)
        else:
            self.record.show(seat, card, self.draws)
            self._follow()

    def lack(self, seat: int) -> None:
        """The seat proves to hold none of some cards: of those drawn unseen, for the known ones all can see."""
        unseen = Counter(self.hands[seat]) - Counter(self.known[seat])
        kinds = tuple(kind for kind in range(KINDS) if not unseen[kind] and self.random.random() < 0.7)
        self.record.lack(seat, kinds)
        gone = Counter(kind for kind, _ in self.shown[seat]) + Counter(self.known[seat])
        self.lacked[seat] += [(kind, len(self.drawn[seat]), gone[kind]) for kind in kinds]

    def check(self) -> None:
        """The truth is one of the worlds that the record allows."""
        record = self.record
        drawn_from: dict[int, Counter[int]] = {shuffle: Counter() for shuffle in record.pools}
        for seat, hand in enumerate(self.hands):
            draws, origins, shown = self.draws[seat], record.drawn[seat], record.shown[seat]
            assert len(draws) == len(origins)
            assert origins == sorted(origins)
            for kind, origin in zip(draws, origins, strict=True):
                drawn_from[origin][kind] += 1
            gone: Counter[int] = Counter()
            for place, (kind, before) in enumerate([*shown, (-1, 0)]):
                for kinds, limit, earlier in record.lacked[seat]:
                    assert 0 < limit <= len(draws)
                    assert earlier <= len(shown)
                    if earlier == place:
                        held = Counter(draws[:limit]) - gone
                        assert not any(held[lacked] for lacked in kinds)
                if place < len(shown):
                    gone[kind] += 1
                    assert draws[:before].count(kind) >= gone[kind]
            assert Counter(hand) == Counter(draws) - gone + Counter(self.known[seat])
        for shuffle, pool in record.pools.items():
            assert min(pool) >= 0
            rest = Counter(self.deck) if shuffle == record.shuffle else Counter()
            assert +Counter(dict(enumerate(pool))) == +(drawn_from[shuffle] + rest)


@pytest.mark.slow
@settings(deadline=None, max_examples=100, derandomize=True)
@given(
    st.integers(2, 5),
    st.lists(st.integers(0, KINDS - 1), min_size=4, max_size=24),
    st.integers(0, 2**32),
    st.sampled_from([0.25, 0.45, 0.6]),
)
def test_the_truth_is_always_among_the_worlds_it_allows(
    players: int, cards: list[int], seed: int, shows: float
) -> None:
    """However long the game, and whatever hands prove to lack."""
    random = Random(seed)
    world = Deck(players, cards, random)
    for _ in range(150):
        seat = random.randrange(players)
        if random.random() < 0.15:
            world.lack(seat)
        elif random.random() < shows and world.hands[seat]:
            world.show(seat, random.choice(world.hands[seat]))
        elif world.any_card():
            if random.random() < 0.2:
                world.turn_up()
            else:
                world.draw(seat)
        world.check()
        if random.random() < 0.1:
            check_laid_out(world, random.choice([None, *range(players)]))


def check_laid_out(world: Deck, seat: int | None) -> None:
    """A determinized world is one that the record allows, and keeps the seat's own draws."""
    own = [] if seat is None else world.draws[seat]
    draws, deck = determinize_deck(world.record, seat, own, Seeded(derive(bytes(16), world.random.random().hex())))
    other = Deck(len(draws), [], world.random)
    other.record, other.draws, other.deck, other.known = world.record, draws, deck, world.known
    shown = [Counter(kind for kind, _ in notes) for notes in world.record.shown]
    other.hands = [
        list((Counter(drawn) - gone + Counter(known)).elements())
        for drawn, gone, known in zip(draws, shown, world.known, strict=True)
    ]
    other.check()
    assert [len(hand) for hand in other.hands] == [len(hand) for hand in world.hands]
    assert len(deck) == len(world.deck)
    assert seat is None or draws[seat] == world.draws[seat]


@settings(deadline=None, max_examples=100, derandomize=True)
@given(st.integers(0, 2**32))
def test_the_record_depends_on_what_all_saw_and_on_nothing_else(seed: int) -> None:
    """Two worlds that differ in cards nobody showed have equal records, however the seats' own notes differ."""
    random = Random(seed)
    cards = [kind for kind in range(KINDS) for _ in range(3)]
    world = Deck(3, cards, random)
    for _ in range(60):
        seat = random.randrange(3)
        if random.random() < 0.4 and world.hands[seat]:
            world.show(seat, random.choice(world.hands[seat]))
        elif world.any_card():
            world.draw(seat)
    record = world.record
    swapped = record.copy()
    places = [
        (seat, place)
        for seat in range(3)
        for place, origin in enumerate(record.drawn[seat])
        if origin == record.shuffle and not record.shown[seat]
    ]
    draws = [kept[:] for kept in world.draws]
    kinds = [draws[seat][place] for seat, place in places]
    random.shuffle(kinds)
    for (seat, place), kind in zip(places, kinds, strict=True):
        draws[seat][place] = kind
    assert record.follows(world.draws) == swapped.follows(draws)
    for seat in range(3):
        both = set(world.draws[seat]) & set(draws[seat])
        if both and not record.shown[seat]:
            kind = min(both)
            record.show(seat, kind, world.draws)
            swapped.show(seat, kind, draws)
    assert (record.pools, record.drawn, record.shown) == (swapped.pools, swapped.drawn, swapped.shown)


def fresh(*cards: int, players: int = 2) -> DeckKnowledge:
    return DeckKnowledge(players, KINDS, 0, list(cards))


def test_a_card_shown_is_struck_out_where_one_shuffle_alone_can_have_held_it() -> None:
    record = fresh(0, 1, 2)
    record.drew(0)
    record.drew(0)
    draws = [[1, 0], []]
    record.show(0, 0, draws)
    assert (record.pools, record.drawn, record.shown) == ({0: [0, 1, 1, 0, 0]}, [[0], []], [[], []])
    assert draws == [[1], []]


def test_a_card_that_two_shuffles_can_have_held_is_noted_until_it_follows() -> None:
    record = fresh(0, 1)
    record.drew(0)
    record.drew(1)
    record.renew([1, 0, 1, 1, 0])
    record.drew(0)
    draws = [[0, 2], [1]]
    record.show(0, 0, draws)
    assert record.shown == [[(0, 2)], []]
    assert record.drawn == [[0, 1], [0]]
    # Seat 1 shows its only card, so of the first shuffle the seats held 0 and 1: both are told.
    record.show(1, 1, draws)
    assert record.drawn[1] == []
    assert record.shown == [[(0, 2)], []]
    # The second shuffle's 0 turns up on the table: the note is of the first, as the next card shown brings out.
    record.turned_up(0)
    record.drew(0)
    draws[0].append(3)
    record.show(0, 3, draws)
    assert record.shown == [[], []]
    assert record.drawn == [[1], []]
    assert draws == [[2], []]


def test_what_one_seat_alone_can_hold_becomes_known() -> None:
    record = fresh(3, 4)
    record.drew(0)
    record.drew(1)
    record.renew([1, 0, 0, 0, 0])
    draws = [[3], [4]]
    assert record.follows(draws) == []
    record.show(0, 3, draws)
    assert record.follows(draws) == [(1, [4])]
    assert draws == [[], []]
    assert record.drawn == [[], []]
    assert list(record.pools) == [1]


def test_who_has_shown_all_draws_from_a_shuffle_holds_none_of_it() -> None:
    """Two equal cards that only the first shuffle can have held: what is left of it is with the other seat."""
    record = fresh(0, 0, 3, 4)
    for seat in (0, 0, 1, 1):
        record.drew(seat)
    draws = [[0, 0], [3, 4]]
    record.renew([0, 1, 1, 0, 0])
    record.drew(0)
    draws[0].append(1)
    record.show(0, 0, draws)
    assert record.shown == [[(0, 3)], []]
    record.show(0, 0, draws)
    assert (record.shown, record.drawn, draws) == ([[], []], [[1], [0, 0]], [[1], [3, 4]])
    assert record.follows(draws) == [(1, [3, 4])]


@pytest.mark.slow
def test_a_card_known_to_be_there_is_the_one_that_was_shown_later() -> None:
    """All of the second shuffle went to one seat, between notes of the first and of later."""
    record = fresh(0, 0, 1, 1)
    for seat in (0, 0, 1, 1):
        record.drew(seat)
    draws = [[0, 1], [0, 1]]
    record.show(0, 0, draws)
    record.renew([1, 0, 1, 0, 0])
    for kind in (0, 2):
        record.drew(0)
        draws[0].append(kind)
    record.show(0, 0, draws)
    assert record.shown == [[(0, 2), (0, 4)], []]
    record.renew([1, 0, 0, 0, 0])
    assert record.follows(draws) == [(0, [2])]
    assert (record.shown, record.drawn) == ([[(0, 2)], []], [[0, 0], [0, 0]])
    expected: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for first, second in product(permutations([0, 0, 1, 1]), permutations([0, 2])):
        hand = Counter(first[:2])
        if hand[0] and (hand - Counter([0]) + Counter(second))[0]:
            rest = hand + Counter(second) - Counter([0, 0])
            expected[tuple(sorted(rest.elements())), tuple(sorted(first[2:]))] += 1
    chance, found = Seeded(derive(bytes(16), "known to be there")), Counter[tuple[tuple[int, ...], ...]]()
    for _ in range(2_000):
        laid, _ = determinize_deck(record, None, [], chance)
        rest = Counter(laid[0]) - Counter([0]) + Counter([2])
        found[tuple(sorted(rest.elements())), tuple(sorted(laid[1]))] += 1
    statistic, freedom = chi_square(found, expected)
    assert len(expected) == 2
    assert statistic < critical(freedom)


def test_a_grey_card_makes_all_that_was_known_useless() -> None:
    """K-63."""
    record = fresh(0, 1, 2)
    record.drew(0)
    record.forget()
    record.renew([1, 1, 1, 0, 0])
    assert record.drawn == [[], []]
    assert record.pools == {1: [1, 1, 1, 0, 0]}


def test_notes_are_kept_where_a_hand_may_have_had_two_to_show() -> None:
    """Until all of it is shown, or only one card of the kind is left."""
    record = fresh(0, 0, 1, 2)
    draws = [[0, 0, 1], []]
    for _ in range(3):
        record.drew(0)
    record.show(0, 0, draws)
    assert (record.drawn, record.shown) == ([[0, 0, 0], []], [[(0, 3)], []])
    record.show(0, 1, draws)
    assert (record.drawn, record.shown) == ([[0, 0], []], [[(0, 2)], []])
    record.show(0, 0, draws)
    assert (record.pools, record.drawn, record.shown) == ({0: [0, 0, 1, 0, 0]}, [[], []], [[], []])


@pytest.mark.slow
@pytest.mark.parametrize("size", mostly_slow([2, 3]))
def test_what_is_left_of_a_hand_that_showed_a_card_is_as_likely_as_in_a_full_count(size: int) -> None:
    """Of every order of the deck that can have gone so: the kind that is left, for a hand of two; both, of three."""
    cards = [0, 0, 0, 1, 1, 2]
    record, draws = fresh(*cards), [[0, 1, 2][:size], []]
    for _ in range(size):
        record.drew(0)
    record.show(0, 0, draws)
    orders = [list(order[:size]) for order in permutations(cards) if 0 in order[:size]]
    expected = Counter(tuple(sorted((Counter(order) - Counter([0])).elements())) for order in orders)
    chance = Seeded(derive(bytes(16), "showed a card", size))
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(4_000):
        laid = Counter(determinize_deck(record, 1, [], chance)[0][0]) - Counter(kind for kind, _ in record.shown[0])
        found[tuple(sorted(laid.elements()))] += 1
    statistic, freedom = chi_square(found, expected)
    assert statistic < critical(freedom)


def test_what_a_hand_lacked_goes_with_the_draws_that_it_is_about() -> None:
    record = fresh(0, 0, 1, 2)
    draws = [[0, 1], []]
    record.lack(0, (2,))
    assert record.lacked == [[], []], "an empty hand lacks everything"
    record.drew(0)
    record.lack(0, (1, 2))
    record.lack(0, (3,))
    assert record.lacked[0] == [((1, 2, 3), 1, 0)]
    record.drew(0)
    record.show(0, 1, draws)  # only the second draw can have been it
    assert (record.drawn[0], record.shown[0], record.lacked[0]) == ([0], [], [((1, 2, 3), 1, 0)])
    assert draws[0] == [0]
    record.show(0, 0, draws)
    assert (record.drawn[0], record.lacked[0]) == ([], [])


def test_cards_that_no_hand_keeps_stay_in_the_deck() -> None:
    record = fresh(0, 1, 1, 2, 3)
    for seat in (0, 1, 1):
        record.drew(seat)
    for number in range(50):
        draws, deck = determinize_deck(record, 0, [1], Seeded(derive(bytes(16), number)), barred=(2, 3))
        assert draws[0] == [1]
        assert sorted(draws[1]) == [0, 1]
        assert sorted(deck) == [2, 3]
    with pytest.raises(ValueError, match="no world"):
        determinize_deck(record, 0, [1], Seeded(bytes(16)), barred=(1, 2, 3))


def test_a_copy_stays_as_it_was() -> None:
    record = fresh(0, 1, 2)
    clone = record.copy()
    record.drew(0)
    record.turned_up(2)
    record.renew([1, 0, 0, 0, 0])
    assert (clone.shuffle, clone.pools, clone.drawn) == (0, {0: [1, 1, 1, 0, 0]}, [[], []])


@pytest.mark.parametrize("cards", [[], [0], [4, 4, 1, 0, 4]])
def test_counting_there_and_back(cards: list[int]) -> None:
    assert uncounted(counted(cards, KINDS, 0)) == sorted(cards)
    assert counted([card + 7 for card in cards], KINDS, 7) == counted(cards, KINDS, 0)

"""Seeded randomness in named streams, and its test doubles."""

from __future__ import annotations

import pickle
from collections import Counter
from copy import deepcopy
from itertools import islice, permutations

import pytest

from engine.chance import Chance, Seeded, derive, fractions, mix
from tests.engine.doubles import Highest, Lowest, Scripted

SEED = bytes(range(16))


def numbers(chance: Chance, stream: str, count: int = 20, bound: int = 1000) -> list[int]:
    return [chance.below(stream, bound) for _ in range(count)]


def test_equal_seeds_give_equal_numbers_and_others_do_not() -> None:
    assert numbers(Seeded(SEED), "die") == numbers(Seeded(SEED), "die")
    assert numbers(Seeded(SEED), "die") != numbers(Seeded(SEED[::-1]), "die")


def test_the_numbers_are_what_they_always_were() -> None:
    """Recorded games are replayed from their seeds: another sequence would make them unreadable."""
    assert numbers(Seeded(SEED), "die", 8, 6) == [5, 5, 5, 1, 1, 1, 0, 1]
    assert numbers(Seeded(SEED), "travel deck", 4, 10**6) == [850514, 540314, 282773, 846642]
    assert derive(SEED, "bot", 3).hex() == "46c9807d923ebe2bf33a52feaa99d890"


def test_no_stream_shifts_another() -> None:
    alone = numbers(Seeded(SEED), "die")
    chance = Seeded(SEED)
    beside = []
    for number in range(20):
        numbers(chance, "travel deck", number)
        beside += numbers(chance, "die", 1)
        numbers(chance, "die ", 3)
    assert beside == alone


def test_streams_differ() -> None:
    streams = ["die", "travel deck", "event deck", "red chits", "blue chits", "die/0", "die/1"]
    assert len({tuple(numbers(Seeded(SEED), stream)) for stream in streams}) == len(streams)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 60, 1000])
def test_all_numbers_below_a_bound_come_up_about_equally(bound: int) -> None:
    count = 200 * min(bound, 60)
    seen = Counter(numbers(Seeded(SEED), "many", count, bound))
    assert min(seen) >= 0
    assert max(seen) < bound
    if bound <= 60:
        assert set(seen) == set(range(bound))
        assert all(abs(times - 200) < 80 for times in seen.values())


def test_numbers_that_would_favour_some_are_drawn_again() -> None:
    """Of 2**64 numbers those above the last whole multiple of the bound are left out."""
    bound = (1 << 63) + 1
    found = numbers(Seeded(SEED), "large", 60, bound)
    assert max(found) < bound
    chance = Seeded(SEED)
    numbers(chance, "large", 60, bound)
    assert chance._drawn["large"] > 90, "about half of all draws are thrown away at this bound"


def test_a_copy_goes_on_alike_and_apart() -> None:
    chance = Seeded(SEED)
    numbers(chance, "die", 5)
    clone = chance.copy()
    assert numbers(chance, "die") == numbers(clone, "die")
    numbers(chance, "die", 3)
    assert numbers(chance, "die") != numbers(clone, "die")


def test_a_pickled_or_deep_copied_source_goes_on_alike_and_apart() -> None:
    chance = Seeded(SEED)
    numbers(chance, "die", 5)
    others = [deepcopy(chance), pickle.loads(pickle.dumps(chance))]
    rest = numbers(chance, "die")
    for other in others:
        assert numbers(other, "die") == rest
        assert numbers(other.copy(), "deck") == numbers(Seeded(SEED), "deck")


def test_every_order_of_a_shuffle_comes_up_about_equally() -> None:
    chance = Seeded(SEED)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(2400):
        items = [1, 2, 3, 4]
        chance.shuffle("deck", items)
        seen[tuple(items)] += 1
    assert set(seen) == set(permutations([1, 2, 3, 4]))
    assert all(50 < times < 160 for times in seen.values())


def test_a_die() -> None:
    chance = Seeded(SEED)
    assert Counter(chance.roll("die") for _ in range(300)).keys() == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("length", [0, 1, 15, 65])
def test_a_seed_of_the_wrong_length(length: int) -> None:
    with pytest.raises(ValueError, match=rf"16 to 64 bytes, not {length}"):
        Seeded(bytes(length))


def test_seeds_for_purposes() -> None:
    paths = [("a",), ("b",), ("a", "b"), ("a", 1), ("a", 2), (1, "a")]
    derived = [derive(SEED, *path) for path in paths]
    assert len(set(derived)) == len(paths)
    assert {len(seed) for seed in derived} == {16}
    assert derive(SEED, "a") == derived[0] != derive(SEED[::-1], "a")


def test_the_doubles_at_either_end() -> None:
    assert numbers(Lowest(), "x", 3) == [0, 0, 0]
    assert numbers(Highest(), "x", 3) == [999, 999, 999]
    assert (Lowest().roll("x"), Highest().roll("x")) == (1, 6)
    unmoved = [1, 2, 3]
    Highest().shuffle("x", unmoved)
    assert unmoved == [1, 2, 3]
    assert (Lowest().copy().below("x", 5), Highest().copy().below("x", 5)) == (0, 4)


def test_a_script() -> None:
    chance = Scripted({"die": [2, 0], "deck": [7]}, Highest())
    assert [chance.below("die", 6), chance.below("deck", 9), chance.below("die", 6)] == [2, 7, 0]
    assert chance.below("die", 6) == 5, "used up: the other source"
    assert chance.below("unscripted", 3) == 2
    assert Scripted({}).below("x", 3) == 0, "lowest by default"


def test_a_copied_script_goes_on_apart() -> None:
    chance = Scripted({"die": [1, 2, 3]})
    assert chance.below("die", 6) == 1
    clone = chance.copy()
    assert numbers(chance, "die", 2, 6) == numbers(clone, "die", 2, 6) == [2, 3]


@pytest.mark.parametrize("number", [6, -1])
def test_a_script_that_cannot_be(number: int) -> None:
    with pytest.raises(ValueError, match=rf"'die' says {number}, but 0 to 5"):
        Scripted({"die": [number]}).below("die", 6)


def test_fractions_go_on_without_end_and_never_repeat_a_block() -> None:
    drawn = list(islice(fractions(Seeded(SEED), "cards"), 10_000))
    assert len(set(drawn)) > 9_990
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert abs(sum(drawn) / len(drawn) - 0.5) < 0.02
    assert drawn == list(islice(fractions(Seeded(SEED), "cards"), 10_000))


def test_every_order_is_mixed_equally_often() -> None:
    random = fractions(Seeded(SEED), "cards")
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(6_000):
        items = [1, 2, 3]
        mix(random, items)
        found[tuple(items)] += 1
    assert set(found) == set(permutations([1, 2, 3]))
    assert all(850 < count < 1150 for count in found.values())

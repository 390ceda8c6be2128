"""The balanced format keeps its bounds in a field that stays as it is and in one that changes."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats import Balanced, Block, Field, PlayedBlock
from arena.formats.balanced import most_owed
from arena.formats.tally import WIDEST
from tests.arena.formats.field_driver import GAME, Driver

SEED = bytes(range(16))
SEEDS = st.binary(min_size=16, max_size=16)
ALL = (2, 3, 4, 5, 6)


def names(number: int) -> tuple[str, ...]:
    return tuple(f"bot{each:03}" for each in range(number))


@st.composite
def fields(draw: st.DrawFn, most: int = 30) -> Field:
    """Some bots and some player counts that they are enough for."""
    number = draw(st.integers(2, most))
    counts = draw(st.sets(st.integers(2, min(6, number)), min_size=1))
    return Field(names(number), tuple(sorted(counts)))


def rounds(field: Field, seed: bytes = SEED) -> Iterator[list[Block]]:
    format = Balanced(seed)
    number = 0
    while True:
        blocks = format.draw(number, field)
        format.on_round(number, field, blocks)
        yield blocks
        number += 1


def first_blocks(number: int, field: Field, seed: bytes = SEED) -> Iterator[Block]:
    for blocks in rounds(field, seed):
        yield from blocks[:number]
        number -= len(blocks)
        if number <= 0:
            return


def spread(numbers: Mapping[str, int] | Mapping[int, int] | Mapping[tuple[str, str], int]) -> int:
    return max(numbers.values()) - min(numbers.values())


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(fields(), SEEDS)
def test_every_block_boundary_of_a_field_that_stays_keeps_the_bounds(field: Field, seed: bytes) -> None:
    bots, counts, _ = field
    had = {count: Counter(dict.fromkeys(bots, 0)) for count in counts}
    met = {count: dict.fromkeys(combinations(bots, 2), 0) for count in counts}
    games = dict.fromkeys(counts, 0)
    for block in first_blocks(150, field, seed):
        count = len(block.bots)
        had[count].update(block.bots)
        games[count] += count
        for one, other in combinations(sorted(block.bots), 2):
            met[count][one, other] += 1
        assert spread(had[count]) <= 1
        assert spread(met[count]) <= WIDEST == 4
        assert spread(games) <= max(counts), "games per count differ by more than one block"


@pytest.mark.slow
@given(fields(), SEEDS)
@settings(max_examples=12, deadline=None)
def test_a_round_is_the_fewest_blocks_with_every_bot_in_one_at_every_count(field: Field, seed: bytes) -> None:
    made = rounds(field, seed)
    drawn: Counter[int] = Counter()
    had: Counter[tuple[str, int]] = Counter()
    for number in (1, 2, 3):
        for block in next(made):
            drawn[len(block.bots)] += 1
            had.update((bot, len(block.bots)) for bot in block.bots)
        assert dict(drawn) == {count: -(-len(field.bots) * number // count) for count in field.counts}
        assert min(had[bot, count] for bot in field.bots for count in field.counts) == number


@pytest.mark.slow
@pytest.mark.parametrize(("number", "players"), [(10, 5), (12, 6), (13, 6), (8, 5)])
def test_meetings_stay_bounded_where_groups_leave_each_other_little_choice(number: int, players: int) -> None:
    field = Field(names(number), (players,))
    met = dict.fromkeys(combinations(field.bots, 2), 0)
    for block in first_blocks(400, field):
        for one, other in combinations(sorted(block.bots), 2):
            met[one, other] += 1
        assert spread(met) <= WIDEST


def test_seatings_are_drawn_afresh() -> None:
    firsts = [block.bots for block in first_blocks(100, Field(names(4), (4,)))]
    assert len({tuple(bots) for bots in firsts}) > 10, "24 orders of four bots there are"


@pytest.mark.slow
@given(fields(20), SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_round_depends_on_seed_number_field_and_what_was_noted_alone(field: Field, seed: bytes) -> None:
    once, again = Balanced(seed), Balanced(seed)
    bigger = Field((*field.bots, "new"), field.counts)
    for number in range(3):
        blocks = once.draw(number, field)
        once.draw(number + 5, bigger)
        once.draw(number, bigger)
        assert once.draw(number, field) == blocks
        assert again.draw(number, field) == blocks, "other draws before it change nothing"
        played = [PlayedBlock(block.bots, [GAME] * (len(block.bots) - place % 2)) for place, block in enumerate(blocks)]
        for format in (once, again):
            format.on_round(number, field, blocks)
            format.on_results(number, played)
    assert once.draw(3, bigger) == again.draw(3, bigger)


def test_rounds_and_seeds_differ() -> None:
    field = Field(names(12), (4,))
    assert Balanced(SEED).draw(0, field) != Balanced(SEED).draw(1, field)
    assert Balanced(SEED).draw(0, field) != Balanced(bytes(16)).draw(0, field)


@pytest.mark.slow
@given(fields(), st.integers(0, 600), SEEDS)
@settings(max_examples=12, deadline=None)
def test_due_is_what_a_tournament_of_that_field_alone_gives_every_bot(field: Field, games: int, seed: bytes) -> None:
    had: Counter[tuple[str, int]] = Counter()
    played = 0
    for block in first_blocks(games, field, seed):
        if played >= games:
            break
        played += len(block.bots)
        had.update((bot, len(block.bots)) for bot in block.bots)
    fewest = {count: min(had[bot, count] for bot in field.bots) for count in field.counts}
    assert Balanced(SEED).due(field, games) == fewest


def test_a_newcomer_has_its_share_first_and_then_the_others() -> None:
    driver = Driver(names(6), ALL, SEED)
    for _ in range(7):
        driver.play(driver.draw())
    driver.change(join=["bot005@2"], leave=["bot005"])
    blocks = driver.draw()
    mine = [block for block in blocks if "bot005@2" in block.bots]
    assert Counter(len(block.bots) for block in mine[:35]) == dict.fromkeys(ALL, 7)
    assert blocks[:35] == mine[:35]
    assert sum(len(block.bots) for block in blocks[:35]) == 140
    assert 60 <= sum(len(block.bots) for block in blocks[35:]) <= 80, "what the others need to be as far"
    had = Counter((bot, len(block.bots)) for block in blocks for bot in block.bots)
    assert set(had.values()) <= {6, 7, 8}, "some were one ahead before, and some are now"
    driver.play(blocks)
    assert not driver.unfair()


def test_a_round_behind_a_join_may_end_when_the_newcomer_leaves_again() -> None:
    driver = Driver(names(6), ALL, SEED)
    for _ in range(3):
        driver.play(driver.draw())
    blocks: list[Block] = []
    for version in range(2, 8):
        old = next(bot for bot in driver.bots if bot.startswith("bot005"))
        assert version == 2 or driver.end(blocks, len(blocks) // 2, [old]), "the others are even among each other"
        driver.change(join=[f"bot005@{version}"], leave=[old])
        blocks = driver.draw()
        assert all(f"bot005@{version}" in block.bots for block in blocks[:15])
        assert not driver.unfair()
    driver.format.on_round(driver.number, driver.field, blocks[: len(blocks) // 2])
    assert not driver.format.may_end(driver.bots), "or the newcomer would have more than the others since it came"


def test_several_newcomers_meet_each_other_as_often_as_they_meet_others() -> None:
    driver = Driver(names(9), (3,), SEED)
    for _ in range(12):
        driver.play(driver.draw())
    driver.change(join=["new1", "new2", "new3"])
    blocks = driver.draw()
    together = Counter(len({"new1", "new2", "new3"}.intersection(block.bots)) for block in blocks)
    assert together[1] > 0
    assert together[2] > 0
    driver.play(blocks)
    assert not driver.unfair()


def test_a_version_that_returns_has_what_it_lacks() -> None:
    driver = Driver(names(8), (2, 4), SEED)
    for _ in range(3):
        driver.play(driver.draw())
    driver.change(leave=["bot000"])
    for _ in range(6):
        driver.play(driver.draw())
    driver.change(join=["bot000"])
    blocks = driver.draw()
    first = [block for block in blocks if "bot000" in block.bots][:12]
    assert blocks[:12] == first, "three blocks of nine at each of two counts it has had already"
    assert "bot000" not in blocks[12].bots


def test_blocks_that_are_left_out_are_made_up() -> None:
    driver = Driver(names(8), (3,), SEED)
    for number in range(12):
        driver.play(driver.draw(), "bot007" if number == 2 else None)
    assert "bot007" not in driver.bots
    lost = Counter(bot for block in driver.played if not block.is_whole for bot in block.bots if bot in driver.bots)
    assert max(lost.values()) > 1, "or nothing is made up here"
    had = {bot: driver.since[0, 3].blocks[bot] for bot in driver.bots}
    assert spread(had) <= 1


EVENTS = ("none", "join", "change", "leave", "return", "suspend")
HISTORIES = st.lists(st.tuples(st.sampled_from(EVENTS), st.randoms(use_true_random=False)), min_size=3, max_size=9)


def check(driver: Driver, history: Sequence[tuple[str, Random]]) -> None:
    """Play a history, and look at the bounds at every round's end."""
    gone: list[str] = []
    fewest = min(driver.counts)
    for number, (event, random) in enumerate(history):
        blocks = driver.draw()
        cut = False
        if event == "suspend" and len(driver.bots) - len(driver.failing) > fewest:
            living = [bot for bot in driver.bots if bot not in driver.failing]
            driver.play(blocks, random.choice(living), random.randint(0, len(blocks)))
        elif event in ("none", "suspend"):
            driver.play(blocks)
        else:
            join = [f"new{number}{each}" for each in range(random.choice([1, 1, 2, 3]))]
            if event in ("return", "leave"):
                join = [gone.pop(random.randrange(len(gone)))] if event == "return" and gone else []
            most = len(driver.bots) + len(join) - fewest
            leave = random.sample(driver.bots, min(random.choice([1, 1, 2]), most, len(driver.bots) - 1))
            leave = leave if event in ("change", "leave") else []
            cut = driver.end(blocks, random.randint(0, len(blocks)), leave)
            assert cut or not driver.unfair()
            driver.change(leave=leave)
            gone += leave
            assert not driver.unfair()
            assert cut or not driver.waiting(2)
            driver.change(join=join)
            continue
        assert not driver.unfair()
        assert not driver.waiting(2), "nobody has no block at a count in two rounds in a row"


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(fields(9), SEEDS, HISTORIES)
def test_small_fields_that_change_keep_the_bounds(field: Field, seed: bytes, history: list[tuple[str, Random]]) -> None:
    check(Driver(field.bots, field.counts, seed), history)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(fields(40), SEEDS, HISTORIES)
def test_fields_that_change_keep_the_bounds(field: Field, seed: bytes, history: list[tuple[str, Random]]) -> None:
    check(Driver(field.bots, field.counts, seed), history[:6])


@pytest.mark.slow
@settings(max_examples=5, deadline=None)
@given(st.integers(60, 200), st.sampled_from(ALL), SEEDS, HISTORIES)
def test_large_fields_that_change_keep_the_bounds(
    number: int, count: int, seed: bytes, history: list[tuple[str, Random]]
) -> None:
    check(Driver(names(number), (count,), seed), history[:5])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "players", "number_of_blocks"), [(60, 4, 400), (120, 6, 300), (200, 2, 1500), (200, 5, 300)]
)
def test_large_fields_keep_the_bounds(number: int, players: int, number_of_blocks: int) -> None:
    field = Field(names(number), (players,))
    had = Counter(dict.fromkeys(field.bots, 0))
    met = dict.fromkeys(combinations(field.bots, 2), 0)
    for place, block in enumerate(first_blocks(number_of_blocks, field)):
        had.update(block.bots)
        for one, other in combinations(sorted(block.bots), 2):
            met[one, other] += 1
        if place % 20 == 0:
            assert spread(had) <= 1
            assert spread(met) <= WIDEST


def test_what_a_newcomer_is_owed_is_less_in_a_large_field() -> None:
    assert most_owed(Field(names(6), ALL)) == 32
    assert most_owed(Field(names(1000), ALL)) == 4


LARGE = """
import resource
from itertools import islice
from tests.arena.formats.test_balanced import ALL, Field, names, rounds

resource.setrlimit(resource.RLIMIT_CPU, (20, 20))  # seconds; far more than it takes, far less than trying everything
made = rounds(Field(names(1000), ALL))
print(sum(len(block.bots) for blocks in islice(made, 3) for block in blocks))
"""


@pytest.mark.slow
@pytest.mark.process
def test_a_thousand_bots_are_drawn_at_once() -> None:
    ended = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, "it took more than 20 seconds of a processor's time"
    assert ended.stdout.split() == ["15000"]

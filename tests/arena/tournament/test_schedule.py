"""The schedule keeps its three bounds at every block boundary, and is a pure function of what it is given."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game.spec import GameSpec
from arena.ledger import BlockRecord
from tests.arena.tournament.drawing import Drawing, balanced, rounds, whole_blocks

SEED = bytes(range(16))
SEEDS = st.binary(min_size=16, max_size=16)


def bots(number: int) -> list[str]:
    return [f"bot{each:02}" for each in range(number)]


def games(number: int, names: list[str], counts: list[int], seed: bytes = SEED) -> list[GameSpec]:
    return list(islice(balanced(names, counts, seed).specs(), number))


def blocks(number: int, drawing: Drawing) -> list[BlockRecord]:
    return list(islice(drawing.blocks(), number))


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    """Some bots and some player counts that they are enough for."""
    number = draw(st.integers(2, 30))
    counts = draw(st.sets(st.integers(2, min(6, number)), min_size=1))
    return bots(number), sorted(counts)


def spread(numbers: Counter[str] | dict[tuple[str, str], int] | dict[int, int]) -> int:
    return max(numbers.values()) - min(numbers.values())


class Meetings:
    """How often pairs have met, and between which numbers, in a few steps a meeting."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._met = dict.fromkeys(pairs, 0)
        self._pairs = Counter(self._met.values())
        """How many have met how often."""

    def of(self, group: Iterable[str]) -> None:
        for pair in combinations(sorted(group), 2):
            self._pairs[self._met[pair]] -= 1
            self._met[pair] += 1
            self._pairs[self._met[pair]] += 1

    @property
    def spread(self) -> int:
        self._pairs = +self._pairs
        return max(self._pairs) - min(self._pairs)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(fields(), SEEDS)
def test_every_block_boundary_keeps_the_bounds(field: tuple[list[str], list[int]], seed: bytes) -> None:
    names, counts = field
    pairs = list(combinations(names, 2))
    played = {count: Counter(dict.fromkeys(names, 0)) for count in counts}
    met = {count: Meetings(pairs) for count in counts}
    number = dict.fromkeys(counts, 0)
    for block in blocks(250, balanced(names, counts, seed)):
        group, count = block.bots, len(block.bots)
        played[count].update(group)
        number[count] += count
        met[count].of(group)
        assert spread(played[count]) <= 1
        assert met[count].spread <= 4
        assert spread(number) <= max(counts), "games per count differ by more than one block"


@pytest.mark.slow
@pytest.mark.parametrize(("number", "players"), [(10, 5), (12, 6), (13, 6), (8, 5)])
def test_meetings_stay_bounded_where_groups_leave_each_other_little_choice(number: int, players: int) -> None:
    names = bots(number)
    met = Meetings(combinations(names, 2))
    for block in blocks(400, balanced(names, [players], SEED)):
        met.of(block.bots)
        assert met.spread <= 4


@pytest.mark.slow
@given(fields(), SEEDS)
@settings(max_examples=15, deadline=None)
def test_a_block_is_one_group_that_plays_once_from_each_rotation(
    field: tuple[list[str], list[int]], seed: bytes
) -> None:
    names, counts = field
    by_block: dict[tuple[int, int], list[GameSpec]] = {}
    for spec in games(100, names, counts, seed):
        by_block.setdefault((spec.players, spec.block), []).append(spec)
    by_block.popitem()  # the last one may be cut off
    for (players, _), block in by_block.items():
        base = block[0].bots
        assert len(set(base)) == players
        assert [spec.rotation for spec in block] == list(range(players))
        assert [spec.bots for spec in block] == [base[turn:] + base[:turn] for turn in range(players)]
        assert [spec.index for spec in block] == list(range(block[0].index, block[0].index + players))


def test_games_are_named_by_what_they_are_and_each_has_its_own_deal() -> None:
    specs = games(300, bots(7), [2, 3, 5])
    assert [spec.index for spec in specs] == list(range(300))
    assert all(spec.id == f"p{spec.players}-b{spec.block:04}-r{spec.rotation}" for spec in specs)
    assert len({spec.id for spec in specs}) == 300
    assert len({spec.seed for spec in specs}) == 300
    assert {len(bytes.fromhex(spec.seed)) for spec in specs} == {16}


def test_it_depends_on_names_counts_and_seed_alone() -> None:
    names = bots(6)
    once = games(200, names, [2, 4, 6])
    assert games(200, names[::-1], [6, 2, 4]) == once
    assert games(200, names, [2, 4, 6], bytes(16)) != once
    assert games(120, names, [2, 4, 6]) == once[:120]


def test_seatings_are_drawn_afresh() -> None:
    firsts = [spec.bots for spec in games(400, bots(4), [4]) if spec.rotation == 0]
    assert len({tuple(seats) for seats in firsts}) > 10, "24 orders of four bots there are"


@pytest.mark.parametrize("asked", [1, 2, 7, 200, 201])
def test_games_are_rounded_up_to_whole_blocks(asked: int) -> None:
    total = whole_blocks(balanced(bots(6), [2, 3, 4, 5, 6], SEED), asked)
    assert asked <= total < asked + 6
    specs = games(total + 1, bots(6), [2, 3, 4, 5, 6])
    assert specs[total].rotation == 0
    earlier = [spec.index for spec in specs[asked:total] if spec.rotation == 0]
    assert not earlier, "fewer whole blocks would have been enough"


@pytest.mark.slow
@given(fields(), SEEDS, st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_a_round_is_the_shortest_prefix_with_every_bot_in_a_block_at_every_count(
    field: tuple[list[str], list[int]], seed: bytes, number: int
) -> None:
    names, counts = field
    total = rounds(balanced(names, counts, seed), number)
    specs = games(total, names, counts, seed)

    def fewest(until: int) -> int:
        seen = Counter((bot, spec.players) for spec in specs[:until] if spec.rotation == 0 for bot in spec.bots)
        return min(seen[bot, count] for bot in names for count in counts)

    last = specs[-1].players
    assert fewest(total) >= number
    assert fewest(total - last) < number


LENGTHS = {
    (2, "2", 300): (300, 2, 6),
    (3, "23", 300): (300, 7, 19),
    (4, "234", 400): (401, 14, 36),
    (7, "23456", 400): (405, 47, 116),
    (8, "25", 400): (400, 18, 49),
    (13, "23456", 400): (405, 78, 201),
    (30, "36", 400): (405, 60, 180),
    (100, "23456", 500): (501, 504, 1500),
}
"""By number of bots, player counts and how many games: the lengths of that many games in whole blocks, of one round and
of three."""


@pytest.mark.parametrize("field", LENGTHS, ids=str)
def test_rounds_have_as_few_games_as_they_can(field: tuple[int, str, int]) -> None:
    number, counts, played = field
    made = balanced(bots(number), [int(count) for count in counts], SEED)
    assert (whole_blocks(made, played), rounds(made, 1), rounds(made, 3)) == LENGTHS[field]


LARGE = """
import resource
from tests.arena.tournament.drawing import balanced, rounds, whole_blocks

resource.setrlimit(resource.RLIMIT_CPU, (20, 20))  # seconds; far more than it takes, far less than trying everything
made = balanced([f"bot{each}" for each in range(1000)], [2, 3, 4, 5, 6], bytes(16))
print(whole_blocks(made, 200), rounds(made, 3))
"""


@pytest.mark.slow
@pytest.mark.process
def test_a_thousand_bots_are_scheduled_at_once() -> None:
    ended = subprocess.run([sys.executable, "-c", LARGE], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, "it took more than 20 seconds of a processor's time"
    assert ended.stdout.split() == ["201", "15000"]


@pytest.mark.slow
def test_what_a_game_costs_to_schedule_does_not_grow_with_those_before_it() -> None:
    """Two bots meet in every game; this took some minutes when all that they had met was gone through each time."""
    assert whole_blocks(balanced(bots(2), [2], SEED), 10_000) == 10_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "players", "number_of_blocks"), [(60, 4, 200), (120, 6, 150), (200, 2, 800), (200, 5, 150)]
)
def test_large_fields_keep_the_bounds(number: int, players: int, number_of_blocks: int) -> None:
    names = [f"bot{each:03}" for each in range(number)]
    played = Counter(dict.fromkeys(names, 0))
    met = Meetings(combinations(names, 2))
    for place, block in enumerate(blocks(number_of_blocks, balanced(names, [players], SEED))):
        played.update(block.bots)
        met.of(block.bots)
        if place % 20 == 0:
            assert spread(played) <= 1
            assert met.spread <= 4

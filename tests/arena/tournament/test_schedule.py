"""The schedule keeps its three bounds at every block boundary, and is a pure function of what it is given."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from hashlib import blake2b
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.ledger import BlockRecord
from arena.match.spec import MatchSpec
from arena.tournament.formats import Balanced, Block, Field
from arena.tournament.formats.grouping import WIDEST
from tests.arena.tournament.drawing import Drawing, balanced, rounds, whole_blocks

SEED = bytes(range(16))
SEEDS = st.binary(min_size=16, max_size=16)


def bots(number: int) -> list[str]:
    return [f"bot{each:02}" for each in range(number)]


def games(number: int, names: list[str], counts: list[int], seed: bytes = SEED) -> list[MatchSpec]:
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


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(fields(), SEEDS)
def test_every_block_boundary_keeps_the_bounds(field: tuple[list[str], list[int]], seed: bytes) -> None:
    names, counts = field
    pairs = list(combinations(names, 2))
    played = {count: Counter(dict.fromkeys(names, 0)) for count in counts}
    met = {count: dict.fromkeys(pairs, 0) for count in counts}
    number = dict.fromkeys(counts, 0)
    for block in blocks(250, balanced(names, counts, seed)):
        group, count = block.bots, len(block.bots)
        played[count].update(group)
        number[count] += count
        for one, other in combinations(sorted(group), 2):
            met[count][one, other] += 1
        assert spread(played[count]) <= 1
        assert spread(met[count]) <= WIDEST == 4
        assert spread(number) <= max(counts), "games per count differ by more than one block"


@pytest.mark.slow
@pytest.mark.parametrize(("number", "players"), [(10, 5), (12, 6), (13, 6), (8, 5)])
def test_meetings_stay_bounded_where_groups_leave_each_other_little_choice(number: int, players: int) -> None:
    names = bots(number)
    met = dict.fromkeys(combinations(names, 2), 0)
    widest = 0
    for block in blocks(800, balanced(names, [players], SEED)):
        for one, other in combinations(sorted(block.bots), 2):
            met[one, other] += 1
        widest = max(widest, spread(met))
    assert widest <= WIDEST


@given(fields(), SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_block_is_one_group_that_plays_once_from_each_rotation(
    field: tuple[list[str], list[int]], seed: bytes
) -> None:
    names, counts = field
    by_block: dict[tuple[int, int], list[MatchSpec]] = {}
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


@given(fields(), SEEDS, st.integers(1, 3))
@settings(max_examples=30, deadline=None)
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


RECORDED = {
    (2, "2", 2, 300): "a7b41b0aac9df9e9",
    (3, "23", 3, 300): "8085efec589edc3b",
    (5, "2345", 5, 300): "5a288728f5d0868c",
    (7, "23456", 7, 300): "253fa797045757e9",
    (8, "23456", 8, 300): "9bce503fa7373438",
    (11, "23456", 11, 300): "78f964085e481689",
    (13, "23456", 13, 300): "cc7f1a1cae7da4f2",
    (19, "23456", 19, 300): "77a0c04d75ac4a92",
    (20, "23456", 20, 300): "4340f2ee0c9df177",
    (24, "23456", 24, 300): "f102155837b7913a",
    (30, "23456", 30, 300): "250b55a03a8483b9",
    (7, "2", 51, 400): "b6cdfdc94597f83e",
    (7, "3", 52, 400): "35e8717186b3fd95",
    (7, "4", 53, 400): "2bf966ed1c692c71",
    (7, "5", 54, 400): "90f2dd71f379aa8d",
    (7, "6", 55, 400): "dba7e3aea8eef0c9",
    (8, "2", 58, 400): "7573db8f24879451",
    (8, "3", 59, 400): "0ca6505937832cab",
    (8, "4", 60, 400): "6c787b38e2e4f188",
    (8, "5", 61, 400): "0b001f3d7581e5e4",
    (8, "6", 62, 400): "229d95c243cb6b40",
    (13, "2", 93, 400): "cc7b6bc76fdbbf6c",
    (13, "3", 94, 400): "59ba6fb2034aef8a",
    (13, "4", 95, 400): "34c3e913de9ac1ef",
    (13, "5", 96, 400): "d99c4d6516e7b079",
    (13, "6", 97, 400): "f4ca4f5c7ad95791",
    (20, "2", 142, 400): "1b898bcb4f524ef6",
    (20, "6", 146, 400): "2dffd23af0c74eff",
    (41, "23456", 5, 500): "bc9c9dad849fd2b5",
    (60, "23456", 6, 500): "f4dfc53f43996b64",
    (60, "6", 1, 120): "f3060fd71d151ab9",
    (50, "2", 3, 500): "41e7f27942c9abcb",
    (60, "4", 9, 250): "3f5e3bfb099419f6",
}
"""By number of bots, player counts, seed and how many blocks: the digest of these, as a slower search through all
exchanges drew them."""


@pytest.mark.slow
@pytest.mark.parametrize("field", RECORDED, ids=str)
def test_blocks_are_those_that_a_search_through_all_exchanges_finds(field: tuple[int, str, int, int]) -> None:
    number, counts, seed, drawn = field
    digest = blake2b(digest_size=8)
    made = balanced(bots(number), [int(each) for each in counts], seed.to_bytes(16, "big"))
    for block in blocks(drawn, made):
        digest.update(repr((len(block.bots), block.number, block.bots)).encode())
    assert digest.hexdigest() == RECORDED[field]


SPECS = {
    (2, "2", 1, 300): ("ca31f47fc6f1df03", 300, 2, 6),
    (3, "23", 2, 300): ("9c903e17d3b04679", 300, 7, 19),
    (4, "234", 3, 400): ("510449fbe59da268", 401, 14, 36),
    (7, "23456", 4, 400): ("f3c773ec9d3a9fe2", 405, 47, 116),
    (8, "25", 5, 400): ("5642f34a9b210dd7", 400, 18, 49),
    (13, "23456", 6, 400): ("e788811c9d06bd6b", 405, 78, 201),
    (30, "36", 7, 400): ("37a2e6d42853eb88", 405, 60, 180),
    (100, "23456", 8, 500): ("8b58f6737e26a2cc", 501, 504, 1500),
}
"""By number of bots, player counts, seed and how many games: the digest of these, and the lengths of that many games in
whole blocks, of one round and of three, as they were drawn before there were formats."""


@pytest.mark.parametrize("field", SPECS, ids=str)
def test_games_are_those_that_were_drawn_before_there_were_formats(field: tuple[int, str, int, int]) -> None:
    number, counts, seed, played = field
    key = seed.to_bytes(16, "big")
    digest = blake2b(digest_size=8)
    for each in games(played, bots(number), [int(count) for count in counts], key):
        digest.update(
            repr((each.id, each.index, each.players, each.block, each.rotation, each.seed, each.bots)).encode()
        )
    made = balanced(bots(number), [int(count) for count in counts], key)
    lengths = (whole_blocks(made, played), rounds(made, 1), rounds(made, 3))
    assert (digest.hexdigest(), *lengths) == SPECS[field]


def test_a_round_is_a_function_of_its_number_and_the_field() -> None:
    field, other = Field(tuple(bots(7)), (2, 3, 4)), Field(tuple(bots(5)), (2, 5))
    once, again = Balanced(SEED), Balanced(SEED)
    forward = [once.round(number, field, []) for number in range(4)]
    assert all(isinstance(block, Block) for drawn in forward for block in drawn)
    assert again.round(3, field, []) == forward[3]
    assert again.round(0, other, []) == Balanced(SEED).round(0, other, [])
    assert [again.round(number, field, []) for number in range(4)] == forward


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
    assert whole_blocks(balanced(bots(2), [2], SEED), 40_000) == 40_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "players", "number_of_blocks"), [(60, 4, 400), (120, 6, 300), (200, 2, 1500), (200, 5, 300)]
)
def test_large_fields_keep_the_bounds(number: int, players: int, number_of_blocks: int) -> None:
    names = [f"bot{each:03}" for each in range(number)]
    played = Counter(dict.fromkeys(names, 0))
    met = dict.fromkeys(combinations(names, 2), 0)
    for place, block in enumerate(blocks(number_of_blocks, balanced(names, [players], SEED))):
        played.update(block.bots)
        for one, other in combinations(sorted(block.bots), 2):
            met[one, other] += 1
        if place % 20 == 0:
            assert spread(played) <= 1
            assert spread(met) <= WIDEST

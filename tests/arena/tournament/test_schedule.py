"""The schedule keeps its three bounds at every block boundary, and is a pure function of what it is given."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.referee.orders import GameOrder
from arena.tournament.schedule import WIDEST, blocks, rounds, schedule, whole_blocks

SEED = bytes(range(16))
SEEDS = st.binary(min_size=16, max_size=16)


def bots(number: int) -> list[str]:
    return [f"bot{each:02}" for each in range(number)]


def games(number: int, names: list[str], counts: list[int], seed: bytes = SEED) -> list[GameOrder]:
    return list(islice(schedule(names, counts, seed), number))


@st.composite
def fields(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    """Some bots and some player counts that they are enough for."""
    number = draw(st.integers(2, 30))
    counts = draw(st.sets(st.integers(2, min(6, number)), min_size=1))
    return bots(number), sorted(counts)


def spread(numbers: Counter[str] | dict[tuple[str, str], int] | dict[int, int]) -> int:
    return max(numbers.values()) - min(numbers.values())


@settings(max_examples=60, deadline=None)
@given(fields(), SEEDS)
def test_every_block_boundary_keeps_the_bounds(field: tuple[list[str], list[int]], seed: bytes) -> None:
    names, counts = field
    pairs = list(combinations(names, 2))
    played = {count: Counter(dict.fromkeys(names, 0)) for count in counts}
    met = {count: dict.fromkeys(pairs, 0) for count in counts}
    number = dict.fromkeys(counts, 0)
    for count, _, group in islice(blocks(names, counts, seed), 250):
        played[count].update(group)
        number[count] += count
        for one, other in combinations(sorted(group), 2):
            met[count][one, other] += 1
        assert spread(played[count]) <= 1
        assert spread(met[count]) <= WIDEST == 4
        assert spread(number) <= max(counts), "games per count differ by more than one block"


@pytest.mark.parametrize(("number", "players"), [(10, 5), (12, 6), (13, 6), (8, 5)])
def test_meetings_stay_bounded_where_groups_leave_each_other_little_choice(number: int, players: int) -> None:
    names = bots(number)
    met = dict.fromkeys(combinations(names, 2), 0)
    widest = 0
    for _, _, group in islice(blocks(names, [players], SEED), 800):
        for one, other in combinations(sorted(group), 2):
            met[one, other] += 1
        widest = max(widest, spread(met))
    assert widest <= WIDEST


@given(fields(), SEEDS)
@settings(max_examples=30, deadline=None)
def test_a_block_is_one_group_that_plays_once_from_each_rotation(
    field: tuple[list[str], list[int]], seed: bytes
) -> None:
    names, counts = field
    by_block: dict[tuple[int, int], list[GameOrder]] = {}
    for order in games(100, names, counts, seed):
        by_block.setdefault((order.players, order.block), []).append(order)
    by_block.popitem()  # the last one may be cut off
    for (players, _), block in by_block.items():
        base = block[0].bots
        assert len(set(base)) == players
        assert [order.rotation for order in block] == list(range(players))
        assert [order.bots for order in block] == [base[turn:] + base[:turn] for turn in range(players)]
        assert [order.order for order in block] == list(range(block[0].order, block[0].order + players))


def test_games_are_named_by_what_they_are_and_each_has_its_own_deal() -> None:
    orders = games(300, bots(7), [2, 3, 5])
    assert [order.order for order in orders] == list(range(300))
    assert all(order.id == f"p{order.players}-b{order.block:04}-r{order.rotation}" for order in orders)
    assert len({order.id for order in orders}) == 300
    assert len({order.seed for order in orders}) == 300
    assert {len(bytes.fromhex(order.seed)) for order in orders} == {16}


def test_it_depends_on_names_counts_and_seed_alone() -> None:
    names = bots(6)
    once = games(200, names, [2, 4, 6])
    assert games(200, names[::-1], [6, 2, 4]) == once
    assert games(200, names, [2, 4, 6], bytes(16)) != once
    assert games(120, names, [2, 4, 6]) == once[:120]


def test_seatings_are_drawn_afresh() -> None:
    firsts = [order.bots for order in games(400, bots(4), [4]) if order.rotation == 0]
    assert len({tuple(seats) for seats in firsts}) > 10, "24 orders of four bots there are"


@pytest.mark.parametrize("asked", [1, 2, 7, 200, 201])
def test_games_are_rounded_up_to_whole_blocks(asked: int) -> None:
    total = whole_blocks(bots(6), [2, 3, 4, 5, 6], SEED, asked)
    assert asked <= total < asked + 6
    orders = games(total + 1, bots(6), [2, 3, 4, 5, 6])
    assert orders[total].rotation == 0
    earlier = [order.order for order in orders[asked:total] if order.rotation == 0]
    assert not earlier, "fewer whole blocks would have been enough"


@given(fields(), SEEDS, st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_a_round_is_the_shortest_prefix_with_every_bot_in_a_block_at_every_count(
    field: tuple[list[str], list[int]], seed: bytes, number: int
) -> None:
    names, counts = field
    total = rounds(names, counts, seed, number)
    orders = games(total, names, counts, seed)

    def fewest(until: int) -> int:
        seen = Counter((bot, order.players) for order in orders[:until] if order.rotation == 0 for bot in order.bots)
        return min(seen[bot, count] for bot in names for count in counts)

    last = orders[-1].players
    assert fewest(total) >= number
    assert fewest(total - last) < number

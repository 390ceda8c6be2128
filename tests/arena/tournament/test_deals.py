"""Who begins is dealt evenly over a block, and cannot be foreseen."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, islice
from math import factorial
from typing import Any

import pytest

from arena.game.game import begin
from arena.game.spec import GameSpec
from arena.ledger import BlockRecord, Dealing, Seeds, VoidRecord
from arena.tournament.identity import dealing_of
from arena.tournament.schedule.deals import first_seat
from arena.tournament.schedule.rounds import specs
from arena.tournament.schedule.void_games import next_attempt
from engine import catalog
from engine.rules import Capabilities
from tests.arena.tournament.drawing import balanced
from tests.engine.fairness import chi_square, critical

SEED = bytes(range(16))
BOTS = [f"bot{number}" for number in range(7)]


def first_bot(name: str, spec: GameSpec) -> int:
    """Start the game, and return the seat that is first."""
    rules = catalog.rules(name)
    state: Any = begin(rules, rules.edition(rules.editions()[0]), spec.players, bytes.fromhex(spec.seed))
    return int(state.table.first)


@pytest.mark.parametrize("name", ["kosmos", "ravensburger"])
def test_in_a_block_every_bot_has_every_place_in_the_order_of_play_once(name: str) -> None:
    games = islice(balanced(BOTS, [2, 3, 4, 5, 6], SEED).specs(), 120)
    blocks = [list(block) for _, block in groupby(games, key=lambda spec: (spec.players, spec.block))][:-1]
    assert {len(block) for block in blocks} == {2, 3, 4, 5, 6}
    for block in blocks:
        orders = []
        for spec in block:
            first = first_bot(name, spec)
            orders.append(spec.bots[first:] + spec.bots[:first])
        for place in zip(*orders, strict=True):
            assert sorted(place) == sorted(block[0].bots)


def test_who_begins_in_a_block_is_any_order_as_often() -> None:
    blocks, players = 4000, 4
    orders: Counter[tuple[int, ...]] = Counter()
    for number in range(blocks):
        games = [GameSpec("", 0, players, number, rotation, "", []) for rotation in range(players)]
        orders[tuple(first_seat(each, SEED) for each in games)] += 1
    assert len(orders) == factorial(players)
    statistic, rows = chi_square(orders, Counter(dict.fromkeys(orders, 1)))
    assert statistic < critical(rows, 4.0)


def test_a_game_that_failed_is_dealt_anew_and_the_same_bot_begins() -> None:
    for spec in specs(BlockRecord(0, 0, 3, BOTS[:5]), Seeds(SEED)):
        void = VoidRecord(spec.id, 1, spec.bots, "", 1, None)
        again = next_attempt(spec, [void], Seeds(SEED))
        assert again.seed != spec.seed
        assert first_bot("kosmos", again) == first_bot("kosmos", spec)


def test_a_new_seed_within_a_block_deals_anew_and_leaves_who_begins_as_even() -> None:
    block = BlockRecord(10, 0, 3, BOTS[:5])
    before, later = (list(specs(block, Seeds(SEED, added))) for added in ([], [(12, SEED[::-1])]))
    assert [one.seed == other.seed for one, other in zip(before, later, strict=True)] == [True] * 2 + [False] * 3
    assert [first_bot("kosmos", each) for each in before] == [first_bot("kosmos", each) for each in later]


def test_with_shared_deals_a_block_has_one_seed_and_every_bot_begins_once() -> None:
    seeds = Seeds(SEED, dealing=Dealing(is_shared=True, is_fresh=True, openings=2))
    first, second = (list(specs(BlockRecord(place, 0, place, BOTS[:5]), seeds)) for place in (0, 5))
    assert len({spec.seed for spec in first}) == 1
    assert first[0].seed != second[0].seed
    assert {(spec.is_fresh, spec.openings) for spec in first} == {(True, 2)}
    begins = [spec.bots[first_bot("kosmos", spec)] for spec in first]
    assert sorted(begins) == BOTS[:5]
    void = VoidRecord(first[0].id, 1, first[0].bots, "", 1, None)
    assert next_attempt(first[0], [void], seeds).seed != first[0].seed


def test_rules_without_chance_get_openings_and_shared_deals() -> None:
    class Still:
        capabilities = Capabilities(chance=False)

    chanceless: Any = Still()
    assert dealing_of(chanceless, None, None) == Dealing(is_shared=True, has_chance=False, openings=4)
    assert dealing_of(chanceless, None, 0) == Dealing(has_chance=False)
    assert dealing_of(chanceless, "own", 6) == Dealing(has_chance=False, openings=6)
    kosmos = catalog.rules("kosmos")
    assert dealing_of(kosmos, None, None) == Dealing()
    assert dealing_of(kosmos, "shared", None) == Dealing(is_shared=True, is_fresh=True)

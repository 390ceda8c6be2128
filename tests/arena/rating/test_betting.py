"""Tests by betting: equal bots are hardly ever called different, however often one looks, and others soon are."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from arena.rating.betting.betting_tests import BettingTests, Observations
from arena.rating.betting.ranking_tests import RankingTests
from benchmarks.stopping import equal_bots


def observed(totals: list[float], games: float = 2.0) -> Observations:
    """Return one observation of each test."""
    number = len(totals)
    return Observations(np.arange(number), np.array(totals), np.full(number, games), np.full(number, games))


@pytest.mark.slow
def test_equal_bots_that_are_looked_at_after_every_block_are_hardly_ever_called_different() -> None:
    found = equal_bots(pairs=1000, blocks=150)
    assert found.by_betting <= 0.05
    assert found.by_ordinary_test > 0.2, "an ordinary test at every look is wrong much more often"


def test_each_test_goes_its_own_way() -> None:
    chance = np.random.RandomState(1)
    rounds = [chance.choice([-2.0, 0.0, 2.0], size=3) for _ in range(50)]
    together = BettingTests(0.1, 3)
    alone = [BettingTests(0.1, 1) for _ in range(3)]
    for totals in rounds:
        together.add(observed(list(totals)))
        for test, total in zip(alone, totals, strict=True):
            test.add(observed([total]))
    for number, test in enumerate(alone):
        assert together.mean(number) == test.mean(0)
        assert together.games(number) == test.games(0) == 100
        for error in (0.9, 0.5, 0.1):
            assert (together.refutations(error)[number] == test.refutations(error)[0]).all()


@pytest.mark.parametrize(("total", "finding"), [(2.0, "better"), (-2.0, "worse"), (0.0, "within"), (0.1, "within")])
def test_what_is_always_the_same_is_found(total: float, finding: str) -> None:
    tests = BettingTests(0.1, 1)
    for _ in range(300):
        tests.add(observed([total]))
        if tests.finding(0, 0.05) != "unknown":
            break
    assert tests.finding(0, 0.05) == finding


@pytest.mark.slow
def test_who_was_chosen_to_play_for_its_results_is_not_called_different() -> None:
    """Equal bots; of all pairs the one that seems most different plays on, as a tournament lets it."""
    wrong = 0
    for seed in range(40):
        chance, tests, bots = Random(seed), RankingTests(0.2, 0.05), "abcde"
        group: tuple[str, ...] = ("a", "b")
        for _ in range(60):
            games = [group, group[1:] + group[:1]]
            tests.add(group, [(seats, chance.sample([0.0, 1.0], 2)) for seats in games])
            group = max(combinations(bots, 2), key=lambda pair: abs(tests.meetings(*pair).difference or 1.0))
        found = {tests.finding(*pair, len(bots)) for pair in combinations(bots, 2)}
        wrong += bool(found & {"better", "worse"})
    assert wrong <= 2


def test_two_bots_are_the_same_either_way_round() -> None:
    tests = RankingTests(0.1, 0.05)
    assert tests.finding("x", "y", 2) == "unknown"
    assert tests.meetings("x", "y") == (0, None)
    block = [(["y", "x", "z"], [0.0, 0.5, 1.0]), (["x", "z", "y"], [0.0, 1.0, 0.5]), (["z", "y", "x"], [1.0, 0.0, 0.5])]
    for _ in range(60):
        tests.add(["y", "x", "z"], block)
    assert (tests.finding("y", "x", 3), tests.finding("x", "y", 3)) == ("better", "worse")
    assert tests.meetings("x", "y") == (180, pytest.approx(-1 / 6))
    assert tests.meetings("y", "x") == (180, pytest.approx(1 / 6))
    assert tests.finding("z", "x", 3) == "worse"

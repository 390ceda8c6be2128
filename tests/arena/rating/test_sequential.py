"""Simulate comparisons of bots whose true difference is known, and see how often the verdict is right."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from statistics import fmean, pvariance

import pytest

from arena.formats.paired import pair_counts
from arena.rating.betting.sequential import Pair, SequentialTest, enough_rounds
from benchmarks.compare import Draw, compared, drawn, finishes, recorded

COUNTS = range(2, 7)
GAMES = pair_counts(COUNTS, opponents=5)
MARGIN = 0.1
EACH = pytest.mark.parametrize(
    "games",
    [
        pytest.param(GAMES, id="2 to 6 players"),
        pytest.param([2], id="2 players", marks=pytest.mark.slow),
        pytest.param([6], id="6 players", marks=pytest.mark.slow),
    ],
)


def verdicts(draw: Draw, trials: int, games: list[int] = GAMES) -> Counter[str]:
    most = enough_rounds(games, MARGIN, 0.05)
    ended = compared(draw, games, MARGIN, most, [random.Random(number) for number in range(trials)])
    return Counter(finding for finding, _ in ended)


@pytest.mark.slow
@EACH
def test_equal_bots_are_hardly_ever_told_apart(games: list[int]) -> None:
    found = verdicts(drawn(0.0), 100, games)
    assert found["better"] + found["worse"] <= 5
    assert found["within"] >= 90


@pytest.mark.slow
@EACH
def test_bots_that_differ_by_the_margin_are_told_apart(games: list[int]) -> None:
    assert verdicts(drawn(MARGIN), 100, games)["better"] >= 90
    assert verdicts(drawn(-MARGIN), 100, games)["worse"] >= 90


@pytest.mark.parametrize("game", sorted(finishes()))
def test_so_it_is_with_the_noise_of_recorded_games(game: str) -> None:
    equal = verdicts(recorded(game, COUNTS, 0.0), 100)
    assert equal["better"] + equal["worse"] <= 5
    assert verdicts(recorded(game, COUNTS, MARGIN), 100)["better"] >= 90


@pytest.mark.parametrize("game", sorted(finishes()))
def test_recorded_games_vary_hardly_more_than_is_assumed_before_the_first(game: str) -> None:
    for count in COUNTS:
        draw = recorded(game, COUNTS, 0.0)
        chance = random.Random(count)
        seen = pvariance(draw(chance, count) for _ in range(2000))
        assumed = (count + 1) / (6 * count * (count - 1))
        assert 0 < seen < 1.2 * assumed


def rarely_fails(chance: random.Random, count: int) -> float:
    """Mean 0: a little better nearly always, and once in a while last instead of first."""
    return -0.95 if chance.random() < 0.05 else 0.05


def suits_one_count(chance: random.Random, count: int) -> float:
    """Mean 0 over all games: much better with two players, worse with more."""
    two = sum(games for games in GAMES if games == 2)
    gain = 0.6 if count == 2 else -0.6 * two / (sum(GAMES) - two)
    return chance.uniform(gain - 0.3, gain + 0.3)


@pytest.mark.parametrize("draw", [rarely_fails, suits_one_count])
def test_no_shape_of_the_noise_makes_equal_bots_differ(draw: Callable[[random.Random, int], float]) -> None:
    found = verdicts(draw, 200)
    assert found["better"] + found["worse"] <= 10


def test_a_great_difference_is_found_in_a_few_rounds() -> None:
    ended = compared(drawn(0.3), GAMES, 0.05, 100, [random.Random(number) for number in range(20)])
    assert fmean(rounds for _, rounds in ended) < 6


@pytest.mark.slow
def test_the_interval_holds_the_truth_and_agrees_with_the_verdict_at_every_look() -> None:
    missed = 0
    for number in range(10):
        chance, test, draw = random.Random(number), SequentialTest(MARGIN, 0.05), drawn(0.06)
        widest = (-1.0, 1.0)
        left_out = False
        for _ in range(12):
            test.add([Pair(draw(chance, count), count) for count in GAMES])
            low, high = test.interval()
            assert widest[0] <= low <= high <= widest[1]
            widest = (low, high)
            left_out |= not low <= 0.06 <= high
            assert (test.verdict == "better") == (low > 0)
            assert (test.verdict == "worse") == (high < 0)
            if test.verdict == "within":
                assert -MARGIN <= low < high <= MARGIN
        missed += left_out
    assert missed <= 1


def test_a_test_without_games_knows_nothing() -> None:
    test = SequentialTest(MARGIN, 0.05)
    test.add([])
    assert (test.verdict, test.difference, test.pairs) == ("unknown", None, 0)
    assert test.interval() == pytest.approx((-1, 1), abs=1e-6)


def test_the_difference_is_the_mean_over_games() -> None:
    test = SequentialTest(MARGIN, 0.05)
    test.add([Pair(1.0, 2), Pair(0.0, 6)])
    assert test.difference == pytest.approx(0.25)
    assert test.pairs == 2


@pytest.mark.parametrize("difference", [-1.0, 0.0, 1.0])
def test_it_ends_when_every_pair_is_the_same(difference: float) -> None:
    """Nothing varies, and the greatest differences there are."""
    test = SequentialTest(0.05, 0.05)
    for _ in range(200):
        test.add([Pair(difference, 2)])
    assert test.verdict == {-1.0: "worse", 0.0: "within", 1.0: "better"}[difference]


def test_a_finer_margin_needs_more_rounds() -> None:
    rounds = [enough_rounds(GAMES, margin, 0.05) for margin in (0.2, 0.1, 0.05)]
    assert rounds == sorted(rounds)
    assert rounds[2] > 3 * rounds[1]

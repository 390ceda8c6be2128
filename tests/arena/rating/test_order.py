"""Who is ahead of whom: skills and errors of differences that hold, also where bots never met."""

from __future__ import annotations

import math
import random
from itertools import combinations, pairwise

import pytest

from arena.rating import OrderEstimate, SkillDifference
from arena.rating.order import _inverse


def games_of_two(
    skills: dict[str, float], pairs: list[tuple[str, str]], seed: int
) -> list[tuple[list[str], list[int]]]:
    chance = random.Random(seed)
    found = []
    for one, other in pairs:
        wins = chance.random() < 1 / (1 + math.exp(skills[other] - skills[one]))
        found.append(([one, other], [1, 2] if wins else [2, 1]))
    return found


def test_nothing_is_known_of_bots_without_a_game() -> None:
    estimate = OrderEstimate()
    difference = estimate.difference("a", "b")
    assert (difference.mean, round(difference.error, 9)) == (0, round(math.sqrt(2), 9))
    assert difference.above(0) == 0.5
    estimate.add([(["a", "c"], [1, 2])])
    assert estimate.difference("a", "b").mean > 0
    assert estimate.difference("a", "b").error < math.sqrt(2)


def test_more_games_make_it_surer_and_ties_draw_together() -> None:
    few, many, tied = OrderEstimate(), OrderEstimate(), OrderEstimate()
    few.add([(["a", "b"], [1, 2])] * 4)
    many.add([(["a", "b"], [1, 2])] * 40)
    tied.add([(["a", "b"], [1, 1])] * 40)
    assert 0.5 < few.difference("a", "b").above(0) < many.difference("a", "b").above(0)
    assert tied.difference("a", "b").mean == 0
    assert tied.difference("a", "b").within(0.5) > few.difference("a", "b").within(0.5)


def test_the_most_likely_skill_is_found() -> None:
    """Of 300 games one wins 200: the prior is hardly felt, and the log-odds are those of 2 to 1."""
    estimate = OrderEstimate()
    estimate.add([(["a", "b"], [1, 2])] * 200 + [(["a", "b"], [2, 1])] * 100)
    difference = estimate.difference("a", "b")
    assert difference.mean == pytest.approx(math.log(2), abs=0.01)
    assert difference.error == pytest.approx(1 / math.sqrt(300 * 2 / 9), abs=0.005)


def test_the_margin_is_a_share_of_wins() -> None:
    assert OrderEstimate().margin(0.05) == pytest.approx(math.log(55 / 45))
    assert SkillDifference(1.0, 0.5).above(1.0) == 0.5
    assert SkillDifference(0.0, 1.0).within(1.0) == pytest.approx(0.6827, abs=1e-4)


def rms(estimate: OrderEstimate, skills: dict[str, float], pairs: list[tuple[str, str]]) -> float:
    """How far differences are off, in errors."""
    off = []
    for one, other in pairs:
        difference = estimate.difference(one, other)
        off.append((difference.mean - (skills[one] - skills[other])) / difference.error)
    return math.sqrt(sum(each * each for each in off) / len(off))


def test_errors_hold_along_a_chain_in_which_only_neighbours_meet() -> None:
    """Where each rating's error is kept by itself, those far apart in the chain are off by several of them."""
    offs = []
    for seed in range(40):
        chance = random.Random(seed)
        skills = {f"b{number:03}": chance.gauss(0, 1) for number in range(10)}
        estimate = OrderEstimate()
        for part in range(4):
            estimate.add(games_of_two(skills, [*pairwise(skills)] * 8, 10 * seed + part))
        offs.append(rms(estimate, skills, list(combinations(skills, 2))))
    assert 0.85 < sum(offs) / len(offs) < 1.15


@pytest.mark.slow
def test_errors_of_neighbours_hold_in_a_field_too_large_to_be_fitted_at_once() -> None:
    chance = random.Random(0)
    skills = {f"b{number:03}": chance.gauss(0, 1) for number in range(200)}
    estimate = OrderEstimate()
    everybody = list(skills)
    for seed in range(6):
        pairs = [(bot, other) for bot in skills for other in chance.sample(everybody, 3) if bot != other]
        estimate.add(games_of_two(skills, pairs, seed))
    for seed in range(20):
        order = sorted(skills, key=lambda bot: -estimate.skill(bot))
        near = [(order[place], order[place + chance.randint(1, 4)]) for place in range(len(order) - 4)]
        estimate.add(games_of_two(skills, near, 100 + seed))
    order = sorted(skills, key=lambda bot: -estimate.skill(bot))
    assert 0.8 < rms(estimate, skills, list(pairwise(order))) < 1.2
    far = [(order[place], order[place + 100]) for place in range(100)]
    assert 0.7 < rms(estimate, skills, far) < 1.5


def test_a_game_of_many_says_less_than_all_of_its_pairs() -> None:
    whole, pairs = OrderEstimate(), OrderEstimate()
    whole.add([(list("abcd"), [1, 2, 3, 4])] * 10)
    pairs.add([([one, other], [1, 2]) for one, other in combinations("abcd", 2)] * 10)
    assert whole.difference("a", "b").error > 1.2 * pairs.difference("a", "b").error


def test_matrices_are_inverted() -> None:
    chance = random.Random(0)
    rows = [[chance.random() for _ in range(7)] for _ in range(7)]
    matrix = [[sum(a * b for a, b in zip(one, other, strict=True)) + (one is other) for other in rows] for one in rows]
    inverse = _inverse(matrix)
    for here in range(7):
        for there in range(7):
            product = sum(matrix[here][each] * inverse[each][there] for each in range(7))
            assert product == pytest.approx(float(here == there), abs=1e-9)

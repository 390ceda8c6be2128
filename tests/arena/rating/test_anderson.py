"""Anderson acceleration: a slow iteration comes to rest in a few rounds, at the same point."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from arena.rating.anderson import AndersonAcceleration
from arena.rating.gaussian_tails import Floats
from arena.rating.joint_fit import JointFit
from tests.arena.rating.fields import LUCK, simulated

REST = np.array([0.3, -0.2, 0.1, 0.0, 0.5])


def linear(slowest: float) -> Callable[[Floats], Floats]:
    """An iteration with one slow direction, whose rounds leave that part of the error there."""
    turned = np.linalg.qr(np.random.default_rng(1).normal(size=(5, 5)))[0]
    matrix = turned @ np.diag([slowest, 0.3, 0.2, 0.1, 0.05]) @ turned.T
    return lambda point: REST + matrix @ (point - REST)


def rounds(iteration: Callable[[Floats], Floats], start: Floats, *, accelerated: bool = True) -> int:
    """How many rounds it takes until one changes nothing by more than a millionth."""
    acceleration, point = AndersonAcceleration(), start
    for number in range(1000):
        after = iteration(point)
        if np.abs(after - point).max() < 1e-6:
            assert np.abs(point - REST).max() < 1e-3
            return number
        point = acceleration.next(point, after) if accelerated else after
    raise AssertionError("it does not come to rest")


@pytest.mark.parametrize("slowest", [0.8, 0.95, -0.95, 0.99])
def test_a_slow_iteration_comes_to_rest_soon(slowest: float) -> None:
    start = REST + 0.02
    assert rounds(linear(slowest), start) <= 12
    assert rounds(linear(slowest), start, accelerated=False) > 30


def test_far_from_the_end_it_does_not_interfere() -> None:
    acceleration = AndersonAcceleration()
    for before, after in ((REST, REST + 0.06), (REST + 0.06, REST + 0.2)):
        assert acceleration.next(before, after) is after


def test_it_forgets_what_was_misleading() -> None:
    acceleration = AndersonAcceleration()
    assert acceleration.next(REST, REST + 0.01) == pytest.approx(REST + 0.01)
    assert acceleration.next(REST + 0.01, REST + 0.019) == pytest.approx(REST + 0.1)  # 0.01, 0.009, ...: 0.1 in all
    worse = REST + 0.1 - 0.04
    assert acceleration.next(REST + 0.1, worse) is worse
    assert acceleration.next(worse, worse + 0.01) == pytest.approx(REST + 0.1 - 0.04 + 0.04 / 5)


def test_it_does_not_jump() -> None:
    acceleration = AndersonAcceleration()
    acceleration.next(REST, REST + 0.01)
    found = acceleration.next(REST + 0.01, REST + 0.01 + 0.01 * (1 - 1e-9))
    assert np.abs(found - (REST + 0.01)).max() == pytest.approx(0.5)


def test_a_large_field_with_few_games_is_fitted_in_few_rounds() -> None:
    chance = random.Random(1)
    skills = {f"b{number:03}": chance.gauss(0, LUCK) for number in range(100)}
    fit = JointFit(sorted(skills))
    fit.add(simulated(skills, 3000, (2, 3, 4, 5, 6), 1))
    assert fit.rounds <= 20

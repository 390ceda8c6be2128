"""A fit comes to rest whatever the results are, and where it rests depends on the games alone."""

from __future__ import annotations

import itertools
import logging
import math
import random
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from arena.rating import SYSTEMS, RatingInput, rate
from arena.rating.joint import fit as joint_fit
from arena.rating.joint.deviations import DEVIATION, GREATEST_SPREAD
from arena.rating.joint.fit import JointFit
from arena.rating.joint.gaussian_tails import repeated_result
from tests.arena.rating.fields import LUCK, simulated
from tests.arena.rating.histories import game, history
from tests.engine.plays import DEPTH

ROUNDS = 150
"""No fit of a small history takes more."""
NORMAL = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))


def normal(x: np.ndarray) -> np.ndarray:
    """Return the standard normal distribution function, fast, by linear interpolation."""
    steps = np.linspace(-12, 12, 24_001)
    return np.asarray(np.interp(x, steps, NORMAL(steps)))


def fitted(bots: Sequence[str], *parts: Sequence[RatingInput]) -> JointFit:
    fit = JointFit(bots)
    for part in parts:
        fit.add(part)
        assert fit.rounds <= ROUNDS
    return fit


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 30 * DEPTH, 10))
def test_a_fit_rests_at_one_place_wherever_it_starts(first: int, caplog: pytest.LogCaptureFixture) -> None:
    for seed in range(first, first + 10):
        shape, bots, games = history(seed)
        half = len(games) // 2
        at_once, in_parts = fitted(bots, games), fitted(bots, games[half:], games[:half])
        assert at_once.mean == pytest.approx(in_parts.mean, abs=1e-6), (seed, shape)
        assert at_once.overall_covariance() == pytest.approx(in_parts.overall_covariance(), abs=1e-5), (seed, shape)
    assert not caplog.records


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (10, 0), (60, 0), (1000, 0), (30, 2)])
def test_two_bots_are_rated_as_numerical_integration_does(wins: int, losses: int) -> None:
    games = [game("ab", (1, 2), number) for number in range(wins)]
    games += [game("ab", (2, 1), number) for number in range(losses)]
    margin = fitted("ab", games).counts[2].approximation.margin / (math.sqrt(2) * LUCK)
    gaps = np.linspace(-80, 80, 32_001)
    scaled = gaps / (math.sqrt(2) * LUCK)
    logs = -(gaps**2) / (4 * DEVIATION**2)
    for count, chance in ((wins, NORMAL(scaled - margin)), (losses, NORMAL(-scaled - margin))):
        logs += count * np.log(np.maximum(chance, 1e-300))
    weights = np.exp(logs - logs.max())
    assert rate(games)[0].values["rating"] == pytest.approx(25 + (weights @ gaps) / weights.sum() / 2, abs=0.02)


def test_a_chain_is_rated_as_numerical_integration_does() -> None:
    """Of three bots, b always beats c, and a always beats b, which it meets less often."""
    games = [game(pair, (1, 2), number) for pair, count in (("ab", 5), ("bc", 50)) for number in range(count)]
    fit = fitted("abc", games)
    prior = fitted("abc", games)._prior
    steps = np.arange(-70, 70, 0.5)
    one, other = np.meshgrid(steps, steps, indexing="ij")
    differences = np.array([[1, -1, 0], [0, 1, -1]])
    skills = np.linalg.inv(prior)
    precision = np.linalg.inv(differences @ skills @ differences.T)
    logs = -(precision[0, 0] * one**2 + 2 * precision[0, 1] * one * other + precision[1, 1] * other**2) / 2
    for count, gap in ((5, one), (50, other)):
        logs += count * np.log(np.maximum(NORMAL(gap / (math.sqrt(2) * LUCK)), 1e-300))
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means = np.array([(weights * one).sum(), (weights * other).sum()])
    assert fit.mean == pytest.approx(skills @ differences.T @ precision @ means, abs=0.05)


@pytest.mark.parametrize("orders", [{"abc": 1}, {"abc": 60}, {"abc": 10, "acb": 10}, {"abc": 120, "acb": 120}])
def test_a_winner_of_all_games_of_three_is_rated_as_numerical_integration_does(orders: dict[str, int]) -> None:
    games = [game(order, (1, 2, 3), number) for order, count in orders.items() for number in range(count)]
    fit = fitted("abc", games)
    margin = fit.counts[3].approximation.margin
    luck, shares = np.polynomial.hermite_e.hermegauss(40)
    steps = np.arange(-60, 90, 0.5)
    one, other = np.meshgrid(steps, steps, indexing="ij")
    differences = np.array([[1, -1, 0], [0, 1, -1]])
    skills = np.linalg.inv(fit._prior)
    precision = np.linalg.inv(differences @ skills @ differences.T)
    logs = -(precision[0, 0] * one**2 + 2 * precision[0, 1] * one * other + precision[1, 1] * other**2) / 2
    for order, count in orders.items():
        at = {"a": one + other, "b": other, "c": np.zeros_like(one)}
        ahead, behind = ((at[before] - at[after] - margin) / LUCK for before, after in itertools.pairwise(order))
        chance = sum(
            share * normal(ahead - drawn) * normal(behind + drawn)
            for drawn, share in zip(luck, shares / shares.sum(), strict=True)
        )
        logs += count * np.log(np.maximum(chance, 1e-300))
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    means = np.array([(weights * one).sum(), (weights * other).sum()])
    assert fit.mean == pytest.approx(skills @ differences.T @ precision @ means, abs=0.06)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("count", [1, 2, 60, 1000])
@pytest.mark.parametrize("mean", [-40.0, 0.0, 25.0])
def test_games_that_end_alike_move_a_difference_as_numerical_integration_does(
    tied: bool, count: int, mean: float
) -> None:
    margin, variance, luck = 2.0, 139.0, math.sqrt(2) * LUCK
    gaps = np.linspace(-160, 160, 64_001)
    upper = NORMAL((margin - gaps) / luck)
    chance = upper - NORMAL((-margin - gaps) / luck) if tied else 1 - upper
    logs = count * np.log(np.maximum(chance, 1e-300)) - (gaps - mean) ** 2 / (2 * variance)
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    expected = float(weights @ gaps)
    found, left = repeated_result(
        np.array([mean]), np.array([variance]), np.array([float(count)]), margin, luck, np.array([tied])
    )
    assert found[0] == pytest.approx(expected, abs=1e-3)
    assert left[0] == pytest.approx(float(weights @ (gaps - expected) ** 2), rel=1e-3)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("bots", [1, 6, 12])
def test_sure_results_of_every_size_come_to_rest(players: int, bots: int, caplog: pytest.LogCaptureFixture) -> None:
    names = [f"b{number:02}" for number in range(bots)]
    games = []
    for number in range(60):
        seated = [names[(number + place) % bots] for place in range(min(players, bots))]
        games.append(game(seated, [1 + names.index(bot) for bot in seated], number))
    fit = fitted(names, games if bots > 1 else [])
    assert list(fit.mean) == sorted(fit.mean, reverse=True)
    assert not caplog.records


@pytest.mark.slow
def test_a_thousand_bots_of_which_one_wins_all_come_to_rest(caplog: pytest.LogCaptureFixture) -> None:
    names = [f"b{number:04}" for number in range(1000)]
    chance = random.Random(1)
    games = [game([names[0], *chance.sample(names[1:], 3)], [1, 2, 3, 4], number) for number in range(3000)]
    fit = fitted(names, games)
    assert fit.mean.argmax() == 0
    assert not caplog.records


def test_spreads_that_nothing_bounds_are_as_great_as_those_of_skills_at_most() -> None:
    names = "abcde"
    games = [game(names[:players], range(1, players + 1), number) for number in range(60) for players in (2, 3, 5)]
    fit = fitted(names, games)
    assert max(fit.spreads.values()) <= GREATEST_SPREAD


def test_more_sure_games_never_make_a_winner_worse() -> None:
    rated = [
        rate([game("ab", (1, 2), number) for number in range(wins)])[0].values["rating"] for wins in (5, 28, 60, 61)
    ]
    assert rated == sorted(rated)


@pytest.mark.slow
def test_a_table_that_runs_ends_where_all_games_at_once_do() -> None:
    for seed in range(6):
        shape, bots, games = history(seed)
        running = SYSTEMS["trueskill"].running(bots)
        for number, each in enumerate(games):
            running.add(each.bots, each.ranks)
            if number % 70 == 0:
                running.values(bots[0])
        for row in rate(games, bots=bots):
            assert running.values(row.bot)["mu"] == pytest.approx(row.values["mu"], abs=5e-3), (seed, shape)


def test_the_last_point_of_a_course_is_the_table() -> None:
    games = [game("abc", (1, 2 + number % 2, 3 - number % 2), number) for number in range(120)]
    courses: list[float] = []
    found = SYSTEMS["trueskill"].rate(games, "abc", lambda _, values: courses.append(values["a"]["rating"]))
    assert courses[-1] == found.values["a"]["rating"]
    assert courses[-2] == pytest.approx(
        SYSTEMS["trueskill"].rate(games[: 120 * 23 // 24], "abc").values["a"]["rating"], abs=5e-3
    )


def test_a_fit_that_does_not_come_to_rest_says_so_in_the_log_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(joint_fit, "_MOST_ROUNDS", 1)
    JointFit("ab").add([game("ab", (1, 2), number) for number in range(60)])
    assert [record.getMessage().partition(" still ")[0] for record in caplog.records] == ["ratings of 2 bots"]
    assert logging.getLogger("arena.rating").handlers, "without one, Python prints it on stderr"


@pytest.mark.process
@pytest.mark.slow
def test_nothing_is_printed_where_nobody_asked_for_the_log() -> None:
    lines = (
        "from arena.rating import RatingInput, rate",
        "from arena.rating.joint import fit",
        "fit._MOST_ROUNDS = 1",
        "rate([RatingInput('ab', (1, 2), ({}, {}), (2, n)) for n in range(60)])",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_half_way_is_gone_where_the_whole_way_is_too_far() -> None:
    """Three of four bots never win against the first: together their games pull it too far at once."""
    games = simulated({"a": 60.0, "b": 0.0, "c": 1.0, "d": -1.0}, 400, [4, 3], 5)
    assert fitted("abcd", games).rounds < 100

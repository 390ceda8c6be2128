"""Held-out calibration: what is held out, what is counted, and that ratings which are too sure are found out."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from arena.rating import RatingInput, held_out
from arena.rating.held_out import (
    Forecast,
    Forecasts,
    HeldOutCalibration,
    compared,
    held_out_calibration,
    held_out_forecasts,
    joint_forecaster,
)
from tests.arena.rating.fields import simulated

GAMES = simulated({bot: 1.5 * number for number, bot in enumerate("abcdef")}, 900, [2, 3, 4], 1)


@pytest.fixture(scope="module")
def found() -> HeldOutCalibration:
    calibration = held_out_calibration(GAMES)
    assert calibration is not None
    return calibration


@pytest.mark.slow
def test_ratings_of_games_that_are_as_the_model_says_are_calibrated(found: HeldOutCalibration) -> None:
    assert found.games == len(GAMES)
    assert found.blocks == len({game.block for game in GAMES})
    assert found.pairs == sum(math.comb(len(game.bots), 2) for game in GAMES) == sum(each.pairs for each in found.bins)
    assert found.rated == pytest.approx(0.8 * len(GAMES), rel=0.02)
    assert found.is_calibrated
    assert found.brier.value + 2 * found.brier.error < 0.25
    assert found.log_loss.value + 2 * found.log_loss.error < math.log(2)
    assert [each.low for each in found.bins] == sorted(each.low for each in found.bins)
    for each in found.bins:
        assert each.low <= each.forecast <= each.high
    large = [each for each in found.bins if each.pairs >= 30]  # a few pairs may all come from blocks that agree
    assert sum(each.pairs for each in large) > 0.98 * found.pairs
    for each in large:
        assert abs(each.observed.value - each.forecast) < 4 * each.observed.error


@pytest.mark.slow
def test_forecasts_that_are_too_sure_are_found_out(found: HeldOutCalibration) -> None:
    def too_sure(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
        known = joint_forecaster(games, bots)

        def forecast(one: str, other: str, players: int) -> float:
            odds = known(one, other, players) / (1 - known(one, other, players))
            return odds**2 / (1 + odds**2)

        return forecast

    sure = held_out_calibration(GAMES, too_sure)
    assert sure is not None
    assert not sure.is_calibrated
    assert sure.observed.value < sure.forecast
    assert sure.brier.value > found.brier.value
    assert sure.log_loss.value > found.log_loss.value


def test_no_game_is_forecast_by_games_of_its_block() -> None:
    known: list[set[tuple[int, int]]] = []
    forecast_by: Counter[int] = Counter()

    def note(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
        assert bots == [*"abcdef"]
        known.append({game.block for game in games})
        number = len(known) - 1

        def forecast(one: str, other: str, players: int) -> float:
            forecast_by[number] += 1
            return 0.5

        return forecast

    (forecasts,) = held_out_forecasts(GAMES, [note]) or []
    everything = {game.block for game in GAMES}
    assert len(known) == held_out.FOLDS
    left = [everything - blocks for blocks in known]
    assert sum(map(len, left)) == len(everything) == len(set().union(*left))
    for count in (2, 3, 4):
        shares = [sum(block[0] == count for block in blocks) for blocks in left]
        assert max(shares) - min(shares) <= 1, "each number of players is dealt evenly"
    assert sum(forecast_by.values()) == len(forecasts.results)
    assert forecasts.of_blocks(np.ones(len(forecasts.results))).sum() == pytest.approx(len(GAMES))
    assert compared(forecasts).brier.value == pytest.approx(0.25, abs=0.02), "ties cost nothing then"


@pytest.mark.slow
def test_the_order_of_games_makes_no_difference(found: HeldOutCalibration) -> None:
    again = held_out_calibration(random.Random(1).sample(GAMES, len(GAMES)))
    assert again is not None
    assert again.brier == pytest.approx(found.brier, abs=1e-6)
    assert again.observed == pytest.approx(found.observed, abs=1e-6)


def test_long_tournaments_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    rated: list[int] = []

    def note(games: Sequence[RatingInput], bots: Sequence[str]) -> Forecast:
        rated.append(len(games))
        return lambda one, other, players: 0.5

    monkeypatch.setattr(held_out, "MOST_RATED", 1500)
    (forecasts,) = held_out_forecasts(GAMES, [note]) or []
    assert len(rated) == 2
    assert forecasts.games == pytest.approx(0.4 * len(GAMES), rel=0.05)
    monkeypatch.setattr(held_out, "MOST_GAMES", 450)
    held_out_forecasts(GAMES, [note])
    assert sum(rated[2:]) <= 1500
    assert max(rated[2:]) == pytest.approx(0.8 * 450, rel=0.05)


def test_figures_are_weighted_by_game() -> None:
    forecasts = Forecasts(
        probabilities=np.array([0.8, 0.1, 0.5, 0.6]),
        results=np.array([1.0, 0.5, 0.0, 0.0]),
        weights=np.array([1 / 3, 1 / 3, 1 / 3, 1.0]),
        blocks=np.array([0, 0, 0, 1]),
        games=2,
        rated=8,
    )
    found = compared(forecasts)
    assert found.brier.value == pytest.approx(((0.04 + 0.16 + 0.25) / 3 + 0.36) / 2)
    assert found.log_loss.value == pytest.approx(
        ((-math.log(0.8) - math.log(0.1 * 0.9) / 2 + math.log(2)) / 3 - math.log(0.4)) / 2
    )
    assert found.forecast == pytest.approx(((0.8 + 0.9 + 0.5) / 3 + 0.6) / 2)
    assert found.observed.value == pytest.approx(((1 + 0.5 + 0) / 3 + 0) / 2)
    assert [(each.pairs, each.observed.value) for each in found.bins] == [(1, 0), (1, 0), (1, 1), (1, 0.5)]
    assert found.bins[0].observed.error == math.inf, "one block says nothing of how much blocks differ"


def test_a_few_blocks_are_too_few() -> None:
    assert held_out_calibration(GAMES[:12]) is None
    assert held_out_calibration([]) is None

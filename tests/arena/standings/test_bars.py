"""Bars and places never contradict each other: two bars meet exactly if the bots may be at one place."""

from __future__ import annotations

from itertools import combinations

import msgspec
import numpy as np
import pytest

from arena.rating.joint.rank_bands import rank_bands
from arena.rating.joint.systems import JointTrueSkill
from arena.standings.bars import place_bars
from arena.standings.rows import LeaderboardRow
from tests.arena.standings.test_leaderboard_text import row

COLUMNS = JointTrueSkill.columns


def rows(seed: int, bots: int) -> list:
    """A table of bots about as far apart as their errors are large, of which some hang together."""
    random = np.random.default_rng(seed)
    ratings = np.sort(random.normal(25, 3, bots))[::-1]
    factors = random.normal(0, 0.5, (bots, bots)) + np.diag(random.uniform(0.2, 2, bots))
    covariance = factors @ factors.T / bots
    bands = rank_bands(ratings, covariance)
    errors = np.sqrt(np.diag(covariance))
    return [of(f"b{at}", ratings[at], errors[at], bands[at]) for at in range(bots)]


def of(bot: str, rating: float, error: float, band: tuple[int, int]) -> LeaderboardRow:
    return msgspec.structs.replace(row(bot, band=band), values={"rating": rating, "error": error})


@pytest.mark.parametrize("bots", [2, 3, 8, 20])
def test_bars_meet_exactly_where_places_do(bots: int) -> None:
    apart = 0
    for seed in range(20):
        table = rows(seed, bots)
        bars = place_bars(table, COLUMNS)
        assert all(low <= middle <= high for low, middle, high in bars)
        for (one, bar), (other, behind) in combinations(zip(table, bars, strict=True), 2):
            assert (bar[0] <= behind[2]) == (one.band.worst >= other.band.best), (seed, one.bot, other.bot)
            apart += one.band.worst < other.band.best
    assert apart, "a test in which no two bots are apart shows little"


def test_one_that_contradicts_no_place_is_the_interval_of_the_rating() -> None:
    table = [of("a", 30.0, 1.0, (1, 1)), of("b", 20.0, 1.0, (2, 2))]
    assert place_bars(table, COLUMNS) == [COLUMNS.ends(each.values) for each in table]

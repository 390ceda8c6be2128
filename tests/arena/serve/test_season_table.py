"""Versions that are no better count together with those before them."""

from __future__ import annotations

import pytest

from arena.serve.season_table import VersionRating, season_rating

FIRST = VersionRating("ada", 20.0, 0.5)


def test_a_version_that_may_be_the_same_bot_counts_with_the_one_before() -> None:
    found = season_rating([FIRST, VersionRating("ada@2", 21.0, 1.0)], 4.0)
    assert found is not None
    assert found.rating == pytest.approx(20.2)
    assert found.error < 0.5
    assert found.versions == ("ada", "ada@2")


@pytest.mark.parametrize("rating", [10.0, 30.0])
def test_a_version_that_is_surely_another_stands_alone(rating: float) -> None:
    assert season_rating([FIRST, VersionRating("ada@2", rating, 1.0)], 4.0) == (rating, 1.0, ("ada@2",))


def test_nobody_is_rated_without_games() -> None:
    assert season_rating([], 4.0) is None

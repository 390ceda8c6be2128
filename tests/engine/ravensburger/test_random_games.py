"""Random games over editions that nobody wrote; those over the named ones are played for every game alike."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.rules import Data
from tests.engine.plays import random_play
from tests.engine.ravensburger.checks import COUNTS, check_offers, check_sizes, check_whole, start
from tests.engine.ravensburger.strategies import edition_data

pytestmark = pytest.mark.slow


@settings(deadline=None, max_examples=50, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edition_data(), st.sampled_from(COUNTS), st.integers(0, 2**32))
def test_every_edition_that_is_allowed_can_be_played(data: Data, players: int, seed: int) -> None:
    """R-01 to R-03, R-05, R-19, R-39: other boards, cards and parameters end too, and lose nothing."""
    state = start(data, players, "editions", seed)
    for _ in random_play(state, Random(seed), limit=100_000):
        check_sizes(state)
        check_offers(state)
        check_whole(state)
    assert state.table.round <= data["parameters"]["max_rounds"]

"""Random games over editions that nobody wrote; those over the named ones are played for every game alike."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.kosmos.edition import max_rounds
from engine.rules import Data
from tests.engine.kosmos.checks import COUNTS, Chits, check_offers, check_sizes, check_whole, random_play, start
from tests.engine.kosmos.strategies import edition_data

pytestmark = pytest.mark.slow


@settings(deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edition_data(), st.sampled_from(COUNTS), st.integers(0, 2**32))
def test_every_edition_that_is_allowed_can_be_played(data: Data, players: int, seed: int) -> None:
    """K-02, K-03, K-06, K-25: other parameters, boards, event decks and chit mixes end too, and lose nothing."""
    state = start(data, players, "editions", seed)
    random = Random(seed)
    offers = [list(state.actions())]
    chits = Chits(state)
    for _, events in random_play(state, random):
        check_sizes(state)
        check_whole(state)
        chits.see(state, events)
        offers.append(list(state.actions()))
    assert state.table.round <= max_rounds(data, players)
    for actions in offers[:: max(1, len(offers) // 30)]:
        check_offers(actions)  # type: ignore[arg-type]

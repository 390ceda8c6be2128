"""Ten thousand random games over all editions and player counts, and some over editions that nobody wrote."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Data
from engine.kosmos.game import KosmosState
from tests.engine.kosmos.checks import (
    COUNTS,
    EDITIONS,
    KOSMOS,
    Chits,
    check_offers,
    check_sizes,
    check_whole,
    random_play,
    snapshot,
    start,
)
from tests.engine.kosmos.strategies import edition_data

pytestmark = pytest.mark.slow

GAMES = 10_000
PIECES = 10
EACH = GAMES // (len(EDITIONS) * len(COUNTS) * PIECES)
MAX_ROUNDS = 100


def play_through(state: KosmosState, random: Random) -> None:
    chits = Chits(state)
    check_whole(state)
    offers = random.random() < 0.1  # looked at in one game of ten, as it takes long
    for number, (_, events) in enumerate(random_play(state, random)):
        check_sizes(state)
        chits.see(state, events)
        if number % 16 == 0:
            check_whole(state)
        if offers:
            check_offers(list(state.actions()))
    check_whole(state)


@pytest.mark.parametrize("piece", range(PIECES))
@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_games_end_and_lose_nothing(edition: str, players: int, piece: int) -> None:
    """K-01 to K-04, K-25, K-49, K-84: cards, coins and chits are kept, every list has two actions, games end."""
    data = KOSMOS.edition(edition)
    for number in range(piece * EACH, (piece + 1) * EACH):
        random = Random(f"{edition} {players} {number}")
        state = start(data, players, "random", edition, players, number)
        play_through(state, random)
        assert state.table.round <= MAX_ROUNDS
        assert sorted(set(state.ranks()))[0] == 1
        assert all(set(row) == {"days", "arrived", "cities", "gold"} for row in state.scores())


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_copies_are_independent(edition: str, players: int) -> None:
    """Every earlier copy of a game stays as it was, and goes on as the game itself did."""
    state = start(KOSMOS.edition(edition), players, "copies", edition, players)
    kept: list[tuple[KosmosState, str]] = [(state.copy(), snapshot(state))]
    history: list[tuple[int, Any]] = []
    for index, events in random_play(state, Random(f"copies {edition} {players}")):
        history.append((index, events))
        kept.append((state.copy(), snapshot(state)))
    assert [number for number, (copy, then) in enumerate(kept) if snapshot(copy) != then] == []
    for number in range(0, len(kept), max(1, len(kept) // 8)):
        copy = kept[number][0].copy()
        for index, events in history[number:]:
            assert copy.play(index) == events
        assert snapshot(copy) == snapshot(state)
        assert snapshot(kept[number][0]) == kept[number][1]


@settings(deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edition_data(), st.sampled_from(COUNTS), st.integers(0, 2**32))
def test_every_edition_that_is_allowed_can_be_played(data: Data, players: int, seed: int) -> None:
    """K-02, K-03, K-06, K-25: other knobs, boards, event decks and chit mixes end too, and lose nothing."""
    state = start(data, players, "editions", seed)
    random = Random(seed)
    offers = [list(state.actions())]
    chits = Chits(state)
    for _, events in random_play(state, random):
        check_sizes(state)
        check_whole(state)
        chits.see(state, events)
        offers.append(list(state.actions()))
    assert state.table.round <= data["knobs"]["max_rounds"]
    for actions in offers[:: max(1, len(offers) // 30)]:
        check_offers(actions)

"""Ten thousand random games over both editions and all player counts, and some over editions that nobody wrote."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.game import Data
from engine.ravensburger.game import RavensburgerState
from tests.engine.plays import random_play
from tests.engine.ravensburger.checks import (
    COUNTS,
    EDITIONS,
    check_offers,
    check_sizes,
    check_whole,
    start,
)
from tests.engine.ravensburger.positions import edition
from tests.engine.ravensburger.strategies import edition_data

pytestmark = pytest.mark.slow

GAMES = 10_000
PIECES = 10
EACH = GAMES // (len(EDITIONS) * len(COUNTS) * PIECES)
WHOLE = 4
"""One game of so many is played to its end by players in a hurry, the others for some rounds by all sorts."""
MAX_ROUNDS = 200


def choose(state: RavensburgerState, random: Random, hurry: float) -> int:
    """Any action, but with that probability one that brings the pawn nearer to the goal, or allowed into it."""
    actions = state.actions()
    if random.random() < hurry:
        seat = state.to_act
        here = -1 if seat is None else state.table.square[seat]
        ways = [
            [i for i, a in enumerate(actions) if a["do"] == "leap" or (a["do"] == "play" and a.get("to", -1) > here)],
            [i for i, a in enumerate(actions) if a["do"] in ("discard", "event")],
        ]
        for found in ways:
            if found:
                return random.choice(found)
    return random.randrange(len(actions))


def play_through(state: RavensburgerState, random: Random, hurry: float) -> None:
    check_whole(state)
    for number in range(10_000):
        if state.to_act is None:
            break
        state.play(choose(state, random, hurry))
        check_sizes(state)
        if number % 64 == 0:
            check_offers(state)
            check_whole(state)
    check_whole(state)


@pytest.mark.parametrize("piece", range(PIECES))
@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("name", EDITIONS)
def test_random_games_end_and_lose_nothing(name: str, players: int, piece: int) -> None:
    """R-01, R-03, R-19, R-52, R-53: cards are kept, every list has two actions, games end."""
    home = 0
    data = edition(name)
    for number in range(piece * EACH, (piece + 1) * EACH):
        random = Random(f"{name} {players} {number}")
        whole = number % WHOLE == 0
        rounds = MAX_ROUNDS if whole else random.randint(1, 50)
        state = start(
            data | {"knobs": data["knobs"] | {"max_rounds": rounds}}, players, "random", name, players, number
        )
        play_through(state, random, 0.9 if whole else random.random())
        assert state.to_act is None
        assert 1 <= state.table.round <= rounds
        assert min(state.ranks()) == 1
        arrived = sum(row["arrived"] for row in state.scores())
        assert arrived == 1 or (arrived == 0 and state.table.round == rounds)
        home += arrived
    assert home >= EACH / WHOLE / 2


@settings(deadline=None, max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(edition_data(), st.sampled_from(COUNTS), st.integers(0, 2**32))
def test_every_edition_that_is_allowed_can_be_played(data: Data, players: int, seed: int) -> None:
    """R-01 to R-03, R-05, R-19, R-39: other boards, cards and knobs end too, and lose nothing."""
    state = start(data, players, "editions", seed)
    for _ in random_play(state, Random(seed), limit=100_000):
        check_sizes(state)
        check_offers(state)
        check_whole(state)
    assert state.table.round <= data["knobs"]["max_rounds"]

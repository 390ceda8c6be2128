"""Leduc poker between five policies whose expected values are computed exactly: the score rating finds them.

The games are played here, by OpenSpiel alone, so that what is tested is the rating and nothing else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.random import RandomState

from arena.rating import SYSTEMS, RatingInput, Ratings, ScoreRating
from engine.rules import Score

pyspiel = pytest.importorskip("pyspiel")
CHIPS = Score("chips", "chips", zero_sum=True)
BLOCKS = 300
"""Of two games each, for each pair of bots."""
FOLD, CALL, RAISE = 0, 1, 2


def states(state: Any) -> Iterator[Any]:
    if not state.is_terminal():
        if not state.is_chance_node():
            yield state
        for action in state.legal_actions():
            yield from states(state.child(action))


def tight(state: Any) -> list[tuple[int, float]]:
    """Raise with a pair or a king, fold the rest to a raise, else call."""
    cards = state.information_state_tensor(state.current_player())  # two numbers for the seat, six for each card
    own, public = np.argmax(cards[2:8]) // 2, cards[8:14]
    is_strong = own == 2 or (any(public) and np.argmax(public) // 2 == own)
    wanted = (RAISE, CALL) if is_strong else (FOLD, CALL)
    legal = state.legal_actions()
    choice = next(action for action in wanted if action in legal)
    return [(action, float(action == choice)) for action in legal]


class Leduc(NamedTuple):
    policies: dict[str, Any]
    values: dict[str, float]
    """By bot: what it wins on average against another one, drawn at random, in either seat."""


@pytest.fixture(scope="module")
def leduc() -> Leduc:
    game = pyspiel.load_game("leduc_poker")
    tables: dict[str, dict[str, list[tuple[int, float]]]] = {"uniform": {}, "call": {}, "tight": {}}
    for state in states(game.new_initial_state()):
        key, legal = state.information_state_string(), state.legal_actions()
        if key not in tables["uniform"]:
            tables["uniform"][key] = [(action, 1 / len(legal)) for action in legal]
            tables["call"][key] = [(action, float(action == CALL)) for action in legal]
            tables["tight"][key] = tight(state)
    policies = {name: pyspiel.TabularPolicy(table) for name, table in tables.items()}
    for name, iterations in {"cfr3": 3, "cfr60": 60}.items():
        solver = pyspiel.CFRSolver(game)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        policies[name] = solver.tabular_average_policy()
    won = dict.fromkeys(policies, 0.0)
    for first, second in itertools.permutations(policies, 2):
        found = pyspiel.expected_returns(game.new_initial_state(), [policies[first], policies[second]], -1, True)
        won[first] += found[0] / 8
        won[second] += found[1] / 8
    return Leduc(policies, won)


def play(seats: list[Any], chance: RandomState) -> list[float]:
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
        else:
            outcomes = list(seats[state.current_player()].action_probabilities(state).items())
        actions, shares = zip(*outcomes, strict=True)
        state.apply_action(int(chance.choice(actions, p=np.array(shares) / sum(shares))))
    return list(state.returns())


@pytest.fixture(scope="module")
def games(leduc: Leduc) -> list[RatingInput]:
    chance = RandomState(2)
    found = []
    for block, pair in enumerate([*itertools.combinations(leduc.policies, 2)] * BLOCKS):
        for bots in (pair, pair[::-1]):
            won = play([leduc.policies[bot] for bot in bots], chance)
            ranks = [1 + sum(other > each for other in won) for each in won]
            found.append(RatingInput(bots, ranks, [{"chips": each} for each in won], (2, block)))
    return found


@pytest.fixture(scope="module")
def rated(leduc: Leduc, games: list[RatingInput]) -> Ratings:
    return ScoreRating(CHIPS).rate(games, leduc.policies)


@pytest.mark.slow
def test_ratings_are_the_exact_values_within_their_errors(leduc: Leduc, rated: Ratings) -> None:
    missed = {
        bot: (rated.values[bot]["score"] - value) / rated.values[bot]["error"] for bot, value in leduc.values.items()
    }
    assert max(map(abs, missed.values())) < 3
    assert sum(each**2 for each in missed.values()) < 13, "chi squared of 4 degrees of freedom"
    assert sum(leduc.values.values()) == pytest.approx(0, abs=1e-9)


@pytest.mark.slow
def test_no_band_puts_two_bots_in_the_wrong_order(leduc: Leduc, rated: Ratings) -> None:
    order = sorted(leduc.values, key=lambda bot: -leduc.values[bot])
    for place, bot in enumerate(order, start=1):
        assert rated.bands[bot].best <= place <= rated.bands[bot].worst
    assert sum(band.worst - band.best for band in rated.bands.values()) <= 8, "it does tell bots apart"


@pytest.mark.slow
def test_ranks_tell_another_tale(leduc: Leduc, games: list[RatingInput], rated: Ratings) -> None:
    by_rank = SYSTEMS["trueskill"].rate(games, leduc.policies)
    assert rated.differences is not None
    assert by_rank.differences is not None
    turned = []
    for one, other in itertools.permutations(leduc.policies, 2):
        chips, ranks = (each.differences.difference(one, other) for each in (rated, by_rank))
        if chips.mean > 3 * chips.error and ranks.mean < -3 * ranks.error:
            turned.append((one, other))
            assert leduc.values[one] > leduc.values[other]
    assert turned

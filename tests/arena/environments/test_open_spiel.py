"""OpenSpiel's own judges over every game of the catalog, and what the adapter promises beyond them."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts, random_agent
from open_spiel.python.observation import make_observation

from arena.environments import open_spiel as adapter
from arena.environments import tree
from arena.environments.tree import payoffs
from engine import catalog
from engine.rules import EditionError
from tests.arena.environments.worlds import CASES, GAMES, QUICK_CASES, Tally, pairs

SHORT = 30
"""Decisions after which games for slow players end."""
LONG = 150
"""As many for OpenSpiel's own test, which takes the longer for a decision the more there were before."""


def load(name: str, **params: Any) -> Any:
    return pyspiel.load_game(adapter.PREFIX + name, params)


def advance(state: Any, random: Random, decisions: int) -> Any:
    """Go on at random, chance included, for so many decisions and to the next one or the end."""
    while not state.is_terminal() and (decisions > 0 or state.is_chance_node()):
        decisions -= not state.is_chance_node()
        state.apply_action(random.choice(state.legal_actions()))
    return state


def follow(game: Any, numbers: Sequence[int], indexes: Sequence[int]) -> Any:
    """The state of a game whose chance and choices are known."""
    state, drawn, chosen = game.new_initial_state(), iter(numbers), iter(indexes)
    while (move := next(drawn if state.is_chance_node() else chosen, None)) is not None:
        if state.is_chance_node():
            state.apply_action(move)
            continue
        node, choice = state.node, game.setup.form.choice(state.actions())
        while state.node is node:
            step = choice.toward(move)
            choice.take(step)
            state.apply_action(step)
    return state


@pytest.mark.slow
@CASES
def test_random_simulation(name: str, players: int) -> None:
    """OpenSpiel's own test with clones, serialization, masks, observations, returns: of two, a whole random game."""
    limit = {} if players == 2 else {"max_decisions": LONG}
    pyspiel.random_sim_test(load(name, players=players, **limit), num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
@GAMES
def test_random_simulation_in_every_other_edition(name: str) -> None:
    for edition in catalog.installed()[name].editions()[1:]:
        game = load(name, edition=edition, max_decisions=LONG)
        pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def search(game: Any, seed: int) -> ismcts.ISMCTSBot:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    return ismcts.ISMCTSBot(game, evaluator, 2.0, 6, random_state=np.random.RandomState(seed))


@pytest.mark.slow
@CASES
def test_information_set_search_plays_every_seat(name: str, players: int) -> None:
    """OpenSpiel's own bot, which checks that a world drawn anew has the same information state."""
    game = load(name, players=players, max_decisions=SHORT)
    bots = [search(game, seat) for seat in range(players)]
    state = advance(game.new_initial_state(), Random(1), 0)
    asked = []
    while not state.is_terminal():
        if state.is_chance_node():
            advance(state, Random(len(asked)), 0)
            continue
        seat = state.current_player()
        asked.append(seat)
        action = bots[seat].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert len(asked) >= SHORT  # some decisions take more than one step
    assert set(asked) == set(range(players))


@GAMES
def test_a_search_with_its_own_randomness_comes_out_the_same(name: str) -> None:
    game = load(name, players=3, max_decisions=SHORT)
    state = advance(game.new_initial_state(), Random(2), 9)

    def policy(seed: bytes) -> list[tuple[int, float]]:
        bot = search(game, 5)
        bot.set_resampler(adapter.resampler(seed))
        return [(int(action), float(share)) for action, share in bot.get_policy(state)]

    assert policy(bytes(16)) == policy(bytes(16))


@pytest.mark.slow
@CASES
def test_a_world_drawn_anew_is_the_same_to_its_seat_and_another_to_the_rest(name: str, players: int) -> None:
    game = load(name, players=players)
    resample = adapter.resampler(b"worlds drawn anew")
    differ = 0
    for number in range(12):
        state = advance(game.new_initial_state(), Random(number), 5 * number)
        seat = state.current_player()
        if seat < 0:
            continue
        world = resample(state, seat)
        assert world.current_player() == seat
        assert world.legal_actions() == state.legal_actions()
        assert world.actions() == state.actions()
        assert world.information_state_string(seat) == state.information_state_string(seat)
        assert world.observation_string(seat) == state.observation_string(seat)
        assert world.observation_tensor(seat) == state.observation_tensor(seat)
        differ += any(world.observation_string(other) != state.observation_string(other) for other in range(players))
        again = pickle.loads(pickle.dumps(world))
        assert str(again) == str(world)
        assert again.information_state_string(seat) == state.information_state_string(seat)
        advance(world, Random(number), 10)
    assert differ >= 3


@pytest.mark.slow
@CASES
def test_what_a_seat_cannot_tell_apart_is_equal_to_it(name: str, players: int) -> None:
    """Pairs of games: equal in all that a seat was sent, or not; its strings and numbers say the same."""
    game = load(name, players=players)
    random = Random(f"twins {name} {players}")
    tally = Tally()
    for number, (first, second) in enumerate(pairs(name, players, random, 600)):
        if tally.enough and number > 30:
            break
        if number > 30 and not tally.wants(first, second):
            continue
        one, two = (follow(game, played.chance.numbers, played.indexes) for played in (first, second))
        for seat in range(players):
            equal = first.sent[seat] == second.sent[seat]
            assert (one.information_state_string(seat) == two.information_state_string(seat)) == equal
            if equal:
                check_equal(one, two, seat)
                tally.add(first, second, seat)
    assert tally.enough, "too few pairs hid anything"


def check_equal(one: Any, two: Any, seat: int) -> None:
    assert one.observation_string(seat) == two.observation_string(seat)
    assert one.observation_tensor(seat) == two.observation_tensor(seat)
    assert one.legal_actions(seat) == two.legal_actions(seat)
    assert one.view(seat) == two.view(seat)
    assert one.events(seat) == two.events(seat)


@pytest.mark.slow
@CASES
def test_chance_is_what_the_engine_draws(name: str, players: int) -> None:
    """With the same numbers and choices, the tree stands where the engine does, having asked for the same numbers."""
    game = load(name, players=players)
    for first, _ in pairs(name, players, Random(f"chance {name} {players}"), 40):
        state = follow(game, first.chance.numbers, first.indexes)
        assert [state.view(seat) for seat in range(players)] == [first.state.view(seat) for seat in range(players)]
        assert list(state.actions()) == list(first.state.actions())
        again, bounds = game.new_initial_state(), []
        for move in state.history():
            if again.is_chance_node():
                outcomes = again.chance_outcomes()
                bounds.append(len(outcomes))
                assert outcomes == [(number, 1 / bounds[-1]) for number in range(bounds[-1])]
            again.apply_action(move)
        assert bounds == first.chance.bounds


@pytest.mark.slow
@GAMES
def test_a_chance_node_in_the_middle_of_a_move_shows_only_who_chose(name: str) -> None:
    game = load(name, players=3)
    seen = 0
    for number in range(10):
        state = advance(game.new_initial_state(), Random(number), 0)
        while not state.is_terminal() and seen < 5 * (number + 1):
            before = state.clone()
            state.apply_action(Random(state.move_number()).choice(state.legal_actions()))
            if state.is_chance_node():
                check_chance(before, state)
                seen += 1
            advance(state, Random(state.move_number()), 0)
    assert seen >= 3


def check_chance(before: Any, after: Any) -> None:
    seat = before.current_player()
    assert after.legal_actions() == list(range(len(after.chance_outcomes())))
    for reader in range(3):
        same = after.information_state_string(reader) == before.information_state_string(reader)
        assert same == (reader != seat)
    with pytest.raises(ValueError, match="chance node"):
        after.resample_from_infostate(seat, lambda: 0.5)


@GAMES
def test_a_node_reaches_every_outcome_and_no_other(name: str) -> None:
    rules = catalog.installed()[name]
    node = tree.root(tree.TreeGame(name, 2, rules.edition(rules.editions()[0])))
    assert node.asked is not None
    assert node.view(0) is None
    for outcome in (-1, node.asked[1]):
        with pytest.raises(IndexError, match="outcome"):
            node.child(outcome)
    assert all(node.child(outcome).moves == (outcome,) for outcome in range(node.asked[1]))
    while node.to_act is None:
        node = node.child(0)
    with pytest.raises(IndexError):
        node.child(10**6)


@QUICK_CASES
def test_returns_follow_from_the_ranks(name: str, players: int) -> None:
    state = advance(load(name, players=players).new_initial_state(), Random(players), 100_000)
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.returns() == payoffs(state.node.state.ranks())
    assert sum(state.returns()) == pytest.approx(0)
    assert any(state.returns())


def test_payoffs() -> None:
    assert payoffs([1, 2]) == [1, -1]
    assert payoffs([2, 1, 3]) == [0, 1, -1]
    assert payoffs([1, 1, 3]) == [0.5, 0.5, -1]
    assert payoffs([1, 1, 1, 1]) == [0, 0, 0, 0]


@GAMES
def test_a_game_ends_after_so_many_decisions(name: str) -> None:
    game = load(name, max_decisions=7)
    assert game.max_game_length() == 7 * (12 if game.setup.form.actions.kind == "steps" else 1)
    state = advance(game.new_initial_state(), Random(3), 100)
    assert state.is_terminal()
    assert state.node.decisions == 7
    assert state.returns() == payoffs(state.node.state.ranks())
    assert state.legal_actions() == []


@pytest.mark.slow
@GAMES
def test_a_reinforcement_learning_loop(name: str) -> None:
    """OpenSpiel's environment on the observation tensor."""
    world = rl_environment.Environment(load(name, players=3, max_decisions=SHORT))
    world.seed(1)
    agents = [random_agent.RandomAgent(seat, world.action_spec()["num_actions"]) for seat in range(3)]
    step = world.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert step.observations["info_state"][seat][0] == 0, "part of the view was left out"
        step = world.step([agents[seat].step(step).action])
    assert sum(step.rewards) == pytest.approx(0)


@pytest.mark.slow
@GAMES
def test_a_spectator_sees_no_actions_and_no_hand(name: str) -> None:
    game = load(name, players=3)
    state = advance(game.new_initial_state(), Random(4), 20)
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    spectator = make_observation(game, kind)
    spectator.set_from(state, player=state.current_player())
    assert spectator.string_from(state, player=0) == tree.canonical(state.view(None))
    assert "actions" not in spectator.dict
    assert not spectator.dict["steps"].any()
    for kind in (
        pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS),
        pyspiel.IIGObservationType(perfect_recall=False, public_info=False),
    ):
        with pytest.raises(ValueError, match="public"):
            make_observation(game, kind)


@GAMES
def test_words_for_actions_tell_them_apart(name: str) -> None:
    state = advance(load(name, players=2).new_initial_state(), Random(5), 6)
    words = [state.action_to_string(action) for action in state.legal_actions()]
    assert len(set(words)) == len(words)
    assert [state.string_to_action(text) for text in words] == state.legal_actions()


@GAMES
def test_parameters_that_are_wrong(name: str) -> None:
    most = catalog.installed()[name].players[1]
    with pytest.raises(ValueError, match=f"{name} is for"):
        load(name, players=most + 1)
    with pytest.raises(EditionError):
        load(name, edition="no such edition")


def test_every_game_is_registered_once() -> None:
    names = [adapter.PREFIX + name for name in catalog.installed()]
    assert adapter.register() == names
    assert set(names) <= set(pyspiel.registered_names())

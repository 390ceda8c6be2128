"""PettingZoo's own judges over every game of the catalog, and what the adapter promises beyond them."""

from __future__ import annotations

import pickle
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine import catalog
from engine.adapters.pettingzoo import ILLEGAL, ArenaEnv, env
from engine.adapters.tree import TooManyActions, payoffs
from engine.catalog import UnknownRules
from engine.rules import EditionError
from tests.engine.adapters.worlds import CASES, GAMES, QUICK_GAMES, Numbers, Played, Tally, pairs

theirs = pytest.mark.filterwarnings(
    # Said of every environment whose observations have a mask but for those that ship with PettingZoo.
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    # Said of agents that are done: nothing is legal any more.
    r"ignore:Action mask numpy array is all zeros \(no legal actions\):UserWarning",
)


@pytest.mark.slow
@theirs
@CASES
def test_api(name: str, players: int) -> None:
    """PettingZoo's own test, with the usual wrappers and without."""
    api_test(env(name, players), num_cycles=100)
    api_test(ArenaEnv(name, players), num_cycles=30)


@pytest.mark.slow
@CASES
def test_seeds(name: str, players: int) -> None:
    """PettingZoo's own test: equal seeds make equal games."""
    seed_test(lambda: env(name, players), num_cycles=100)


@pytest.mark.slow
@theirs
@GAMES
def test_api_in_every_edition(name: str) -> None:
    for edition in catalog.installed()[name].editions():
        api_test(env(name, edition=edition), num_cycles=100)


def play(world: Any, random: Random, steps: int = 100_000) -> list[tuple[str, int]]:
    """Act at random until nobody is left."""
    made: list[tuple[str, int]] = []
    for agent in world.agent_iter(steps):
        observation, _, terminated, truncated, _ = world.last()
        action = None
        if not (terminated or truncated):
            action = random.choice(np.flatnonzero(observation["action_mask"]).tolist())
            made.append((agent, action))
        world.step(action)
    return made


@pytest.mark.slow
@CASES
def test_rewards_follow_from_the_ranks(name: str, players: int) -> None:
    world = ArenaEnv(name, players)
    world.reset(seed=players)
    rewards: dict[str, float] = {}
    random = Random(1)
    for agent in world.agent_iter():
        observation, reward, terminated, truncated, info = world.last()
        assert not truncated
        if not terminated:
            assert reward == 0
            world.step(random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            continue
        rewards[agent] = reward
        assert not observation["action_mask"].any()
        assert info["view"] == world.view(agent)
        world.step(None)
    assert world.agents == []
    assert [rewards[agent] for agent in world.possible_agents] == payoffs(world.game_state.ranks())
    assert any(rewards.values())


@pytest.mark.slow
@CASES
def test_an_agent_gets_what_its_seat_gets(name: str, players: int) -> None:
    """View, actions and events, in data and in numbers; the others are shown no actions."""
    world = ArenaEnv(name, players)
    for first, _ in pairs(name, players, Random(f"told {name} {players}"), 40):
        events: dict[str, list[Any]] = {agent: [] for agent in world.possible_agents}
        world.reset(options={"chance": Numbers(first.chance.numbers, Random(0))})
        for index in first.indexes:
            events[world.agent_selection] += world.infos[world.agent_selection]["events"]
            world.step(index)
        agent = world.agent_selection
        seat = world.possible_agents.index(agent)
        check_shown(world, first, agent, seat)
        events[agent] += world.infos[agent]["events"]
        assert events[agent] == first.heard[seat]
        for other in set(world.possible_agents) - {agent}:
            assert world.actions(other) == ()
            assert not world.observe(other)["actions"].any()
            assert not world.observe(other)["action_mask"].any()
            assert world.infos[other] == {}


def check_shown(world: ArenaEnv, played: Played, agent: str, seat: int) -> None:
    offer = list(played.state.actions())
    view = played.state.view(seat)
    info = world.infos[agent]
    assert (info["view"], info["actions"]) == (view, offer) == (world.view(agent), list(world.actions(agent)))
    observation = world.observe(agent)
    assert observation["action_mask"].tolist() == [1] * len(offer) + [0] * (world.max_actions - len(offer))
    for form, numbers, value in (
        (world.encoders.view, observation["observation"], view),
        *((world.encoders.action, row, action) for row, action in zip(observation["actions"], offer, strict=False)),
    ):
        assert numbers[0] == 0, "part of it was left out"
        assert form.read(numbers) == value


@pytest.mark.slow
@CASES
def test_what_a_seat_cannot_tell_apart_is_equal_to_it(name: str, players: int) -> None:
    world = ArenaEnv(name, players)
    tally = Tally()
    for number, (first, second) in enumerate(pairs(name, players, Random(f"twins {name} {players}"), 600)):
        if tally.enough and number > 30:
            break
        if number > 30 and not tally.wants(first, second):
            continue
        shown = []
        for played in (first, second):
            world.reset(options={"chance": Numbers(played.chance.numbers, Random(0))})
            for index in played.indexes:
                world.step(index)
            shown.append([(world.observe(agent), world.infos[agent]) for agent in world.possible_agents])
        for seat in range(players):
            if first.sent[seat] != second.sent[seat]:
                continue
            tally.add(first, second, seat)
            (one, told), (two, same) = shown[0][seat], shown[1][seat]
            assert told == same
            assert one.keys() == two.keys()
            assert all((one[part] == two[part]).all() for part in one)
    assert tally.enough, "too few pairs hid anything"


@pytest.mark.slow
@GAMES
def test_seeds_fix_this_game_and_the_next(name: str) -> None:
    one, two = env(name, 3), env(name, 3)
    games_of_one = []
    for seed in (5, None, None):
        one.reset(seed=seed)
        two.reset(seed=seed)
        assert play(one, Random(1)) == play(two, Random(1))
        games_of_one.append(one.unwrapped.game_state.view(None))
    assert games_of_one[0] != games_of_one[1] != games_of_one[2]
    one.reset(seed=6)
    two.reset(seed=7)
    assert [one.unwrapped.view(agent) for agent in one.agents] != [two.unwrapped.view(agent) for agent in two.agents]
    fresh = [env(name, 3) for _ in range(2)]
    for world in fresh:
        world.reset()
    games = [play(world, Random(1)) for world in fresh]
    assert games[0] != games[1], "without a seed, chance is not the same every time"


@pytest.mark.slow
@QUICK_GAMES
def test_a_pickled_or_deep_copied_environment_goes_on_alike_and_apart(name: str) -> None:
    world = ArenaEnv(name, 3)
    world.reset(seed=4)
    for _ in range(20):
        world.observe(world.agent_selection)
        world.step(0)
    others = [deepcopy(world), pickle.loads(pickle.dumps(world))]
    seen = [world.observe(agent) for agent in world.agents]
    then = [play(world, Random(1)), world.game_state.view(None)]
    for other in others:
        for agent, observation in zip(other.agents, seen, strict=True):
            assert all((observation[part] == found).all() for part, found in other.observe(agent).items())
        assert [play(other, Random(1)), other.game_state.view(None)] == then


def test_the_numbers_of_an_action_are_not_those_of_one_that_had_its_identity() -> None:
    world = ArenaEnv("kosmos", 3)
    world.reset(seed=4)
    first, second = world.actions(world.agent_selection)[:2]
    numbers = world.encoders.action.write
    world._rows[id(second)] = first, numbers(first).tobytes()
    rows = world.observe(world.agent_selection)["actions"]
    assert [row.tolist() for row in rows[:2]] == [numbers(first).tolist(), numbers(second).tolist()]


@pytest.mark.slow
@GAMES
def test_an_illegal_action(name: str) -> None:
    bare = ArenaEnv(name)
    with pytest.raises(ValueError, match="reset"):
        bare.view(None)
    bare.reset(seed=1)
    agent = bare.agent_selection
    before = bare.view(agent)
    for action in (len(bare.actions(agent)), -1, None):
        with pytest.raises(IndexError):
            bare.step(action)
    assert (bare.agent_selection, bare.view(agent)) == (agent, before)
    wrapped = env(name)
    wrapped.reset(seed=1)
    wrapped.step(wrapped.action_space(agent).n - 1)
    assert wrapped.rewards[agent] == ILLEGAL
    assert all(wrapped.terminations.values())


@QUICK_GAMES
def test_a_game_is_truncated_after_so_many_decisions(name: str) -> None:
    world = ArenaEnv(name, 3, max_decisions=9)
    world.reset(seed=2)
    for _ in range(9):
        assert not any(world.truncations.values())
        world.step(0)
    assert all(world.truncations.values())
    assert not any(world.terminations.values())
    assert list(world.rewards.values()) == payoffs(world.game_state.ranks())
    assert play(world, Random(0)) == []
    assert world.agents == []


@QUICK_GAMES
def test_what_is_rendered_is_what_everybody_sees(name: str) -> None:
    world = ArenaEnv(name, 3, render_mode="ansi")
    silent = ArenaEnv(name, 3)
    for each in (world, silent):
        each.reset(seed=3)
    rules = catalog.installed()[name]
    lines = 0
    for _ in range(40):
        events = world.game_state.copy().play(0)
        world.step(0)
        expected = [rules.words(event.what) for event in events if event.to is None]
        assert world.render() == "\n".join(expected)
        lines += len(expected)
    assert lines
    assert silent.render() is None
    with pytest.raises(ValueError, match="ansi"):
        ArenaEnv(name, render_mode="human")


@pytest.mark.slow
@QUICK_GAMES
def test_settings_that_are_wrong(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} is for"):
        ArenaEnv(name, catalog.installed()[name].players[1] + 1)
    with pytest.raises(EditionError):
        ArenaEnv(name, edition="no such edition")
    with pytest.raises(TooManyActions, match="max_actions"):
        ArenaEnv(name, max_actions=1).reset(seed=1)


def test_a_game_that_is_not_there() -> None:
    with pytest.raises(UnknownRules):
        env("no such game")

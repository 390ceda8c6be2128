"""PettingZoo's own judges over every game of the catalog, and what the adapter promises beyond them."""

from __future__ import annotations

import pickle
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from arena.environments.pettingzoo import ArenaEnv, env
from arena.environments.stepped import ILLEGAL
from arena.environments.tree import payoffs
from arena.features import Form
from engine import catalog
from engine.catalog import UnknownRules
from engine.rules import EditionError
from tests.arena.environments.worlds import CASES, GAMES, QUICK_GAMES, Numbers, Played, Tally, pairs

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


def choose(world: ArenaEnv, index: int) -> None:
    """Take all steps of an action."""
    choice, agent, decisions = world.game.choice, world.agent_selection, world.game.decisions
    while world.game.decisions == decisions:
        assert world.agent_selection == agent
        step = choice.toward(index)
        assert world.observe(agent)["action_mask"][step] == 1
        world.step(step)


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
            choose(world, index)
        agent = world.agent_selection
        seat = world.possible_agents.index(agent)
        check_shown(world, first, agent, seat)
        events[agent] += world.infos[agent]["events"]
        assert events[agent] == first.heard[seat]
        for other in set(world.possible_agents) - {agent}:
            assert world.actions(other) == ()
            assert not world.observe(other)["action_mask"].any()
            assert world.infos[other] == {}


def check_shown(world: ArenaEnv, played: Played, agent: str, seat: int) -> None:
    offer = list(played.state.actions())
    view = played.state.view(seat)
    info = world.infos[agent]
    assert (info["view"], info["actions"]) == (view, offer) == (world.view(agent), list(world.actions(agent)))
    observation, form = world.observe(agent), world.setup.form
    assert observation["observation"][0] == 0, "part of the view was left out"
    assert observation["observation"][: form.width].tolist() == form.encode(view).tolist()
    first = {form.choice(offer).toward(index) for index in range(len(offer))}
    assert {*np.flatnonzero(observation["action_mask"]).tolist()} == first


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
                choose(world, index)
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
        choose(world, 0)
    others = [deepcopy(world), pickle.loads(pickle.dumps(world))]
    seen = [world.observe(agent) for agent in world.agents]
    then = [play(world, Random(1)), world.game_state.view(None)]
    for other in others:
        for agent, observation in zip(other.agents, seen, strict=True):
            assert all((observation[part] == found).all() for part, found in other.observe(agent).items())
        assert [play(other, Random(1)), other.game_state.view(None)] == then


@QUICK_GAMES
def test_masks_are_the_legal_actions(name: str) -> None:
    """By steps that the masks allow each action is reached, and no other."""
    world, random = ArenaEnv(name, 3), Random(7)
    world.reset(seed=7)
    for _ in range(60):
        ways: list[list[int]] = [[]]
        reached = []
        while ways:
            taken = ways.pop()
            choice, index = world.setup.form.choice(world.game.actions), None
            for step in taken:
                index = choice.take(step)
            if index is None:
                ways += [[*taken, step] for step in np.flatnonzero(choice.mask).tolist()]
            else:
                reached.append(index)
        assert sorted(reached) == [*range(len(world.game.actions))]
        choose(world, random.choice(reached))


@pytest.mark.slow
@GAMES
def test_an_illegal_action(name: str) -> None:
    bare = ArenaEnv(name)
    with pytest.raises(ValueError, match="reset"):
        bare.view(None)
    bare.reset(seed=1)
    agent = bare.agent_selection
    before = bare.view(agent)
    illegal = np.flatnonzero(bare.observe(agent)["action_mask"] == 0)[0]
    for action in (illegal, -1, None):
        with pytest.raises(ValueError, match=r"step|act"):
            bare.step(action)
    assert (bare.agent_selection, bare.view(agent)) == (agent, before)
    wrapped = env(name)
    wrapped.reset(seed=1)
    wrapped.step(int(illegal))
    assert wrapped.rewards[agent] == ILLEGAL
    assert all(wrapped.terminations.values())


@QUICK_GAMES
def test_a_game_is_truncated_after_so_many_decisions(name: str) -> None:
    world = ArenaEnv(name, 3, max_decisions=9)
    world.reset(seed=2)
    for _ in range(9):
        assert not any(world.truncations.values())
        choose(world, 0)
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
        choose(world, 0)
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
    with pytest.raises(ValueError, match="the form was made for"):
        ArenaEnv(name, 2, form=Form.of("openspiel:leduc_poker"))


def test_a_game_that_is_not_there() -> None:
    with pytest.raises(UnknownRules):
        env("no such game")

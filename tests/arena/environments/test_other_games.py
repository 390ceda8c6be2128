"""The toolkits' own judges over a plug-in's game without ids or vocabulary, and over games of a library."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from arena.environments import environment_id, open_spiel
from arena.environments.gymnasium import SelfPlayVectorEnv
from arena.environments.pettingzoo import ArenaEnv, env
from arena.environments.tree import TooManyActions
from engine import catalog

sys.path.append(str(Path(__file__).parents[2] / "plugin" / "skull"))
from skull import RULES as SKULL

GAMES = pytest.mark.parametrize(
    "name", ["skull", "openspiel:leduc_poker", "openspiel:connect_four", "openspiel:kuhn_poker"]
)
judged = pytest.mark.filterwarnings(
    # Said of every environment whose observations have a mask but for those that ship with PettingZoo.
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    # Said of agents that are done: nothing is legal any more.
    r"ignore:Action mask numpy array is all zeros \(no legal actions\):UserWarning",
    # What a number without bounds, a fixed seat and a missing renderer are for.
    "ignore:.*WARN:UserWarning",
)


@pytest.fixture(autouse=True, scope="module")
def skull_is_installed() -> Iterator[None]:
    catalog._catalog().rules["skull"] = SKULL
    yield
    del catalog._catalog().rules["skull"]


@judged
@GAMES
def test_the_judges_pass(name: str) -> None:
    api_test(env(name), num_cycles=60)
    api_test(ArenaEnv(name), num_cycles=30)
    seed_test(lambda: env(name), num_cycles=60)
    check_env(gymnasium.make(environment_id(name)).unwrapped, skip_render_check=True)


@pytest.mark.slow
def test_open_spiel_passes_a_game_of_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "installed", lambda: {"skull": SKULL})
    assert open_spiel.register() == ["python_arena_skull"]
    game = pyspiel.load_game("python_arena_skull", {"players": 3})
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_each_action_has_a_row_where_it_has_no_id() -> None:
    world, random = ArenaEnv("skull", 3), Random(1)
    world.reset(seed=1)
    for _ in range(30):
        agent = world.agent_selection
        offer, observation = world.actions(agent), world.observe(agent)
        assert np.flatnonzero(observation["action_mask"]).tolist() == [*range(len(offer))]
        rows, seat = observation["actions"], world.game.seat
        encoded = world.setup.form.actions.encode(offer, world.setup.order(seat))
        assert (rows[: len(offer)] == encoded).all()
        assert not rows[len(offer) :].any()
        assert len({row.tobytes() for row in rows[: len(offer)]}) == len(offer), "rows tell actions apart"
        world.step(random.randrange(len(offer)))


def test_what_such_a_game_cannot() -> None:
    with pytest.raises(TooManyActions, match="max_actions"):
        ArenaEnv("skull", max_actions=1).reset(seed=1)
    with pytest.raises(ValueError, match="neither ids nor a vocabulary"):
        SelfPlayVectorEnv("skull")

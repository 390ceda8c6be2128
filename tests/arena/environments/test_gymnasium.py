"""Gymnasium's own judge over every game of the catalog and some of a library, opponents, and many games at once."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import arena.environments
from arena.client import Bot
from arena.entrants import EntrantError
from arena.environments import environment_id
from arena.environments.gymnasium import SeatEnv, SelfPlayVectorEnv
from arena.environments.stepped import ILLEGAL
from arena.environments.tree import payoffs
from tests.arena.environments.worlds import GAMES, QUICK_GAMES
from tests.shell import Shell

LIBRARY = pytest.mark.parametrize("name", ["openspiel:leduc_poker", "openspiel:connect_four", "openspiel:kuhn_poker"])
# Gymnasium's judge asks what a number without bounds, a fixed seat and a missing renderer are for.
judged = pytest.mark.filterwarnings("ignore:.*WARN:UserWarning")


def play(world: Any, random: Random, seed: int | None = None) -> tuple[list[Any], float]:
    """One game at random: the numbers that were seen, and the last reward."""
    observation, info = world.reset(seed=seed)
    seen, over, reward = [observation], False, 0.0
    while not over:
        assert reward == 0
        step = random.choice(np.flatnonzero(info["action_mask"]).tolist())
        observation, reward, terminated, truncated, info = world.step(step)
        seen.append(observation)
        over = terminated or truncated
    assert not info["action_mask"].any()
    return seen, reward


@judged
@pytest.mark.slow
@GAMES
def test_the_judge_passes_our_games(name: str) -> None:
    check_env(gymnasium.make(f"arena/{name}-v0").unwrapped, skip_render_check=True)


@judged
@LIBRARY
def test_the_judge_passes_games_of_a_library(name: str) -> None:
    assert environment_id(name) == f"arena/{name.replace(':', '.')}-v0"
    check_env(gymnasium.make(environment_id(name)).unwrapped, skip_render_check=True)


def test_every_game_has_an_id() -> None:
    assert {"arena/kosmos-v0", "arena/ravensburger-v0"} <= gymnasium.registry.keys()
    assert environment_id("openspiel:phantom_ttt(obstype=reveal-numturns)") == (
        "arena/openspiel.phantom_ttt.obstype.reveal-numturns-v0"
    )


@QUICK_GAMES
def test_masks_are_the_first_steps_of_legal_actions(name: str) -> None:
    world, random = SeatEnv(name, 3), Random(3)
    _, info = world.reset(seed=3)
    for _ in range(40):
        choice = world.game.choice
        assert {*np.flatnonzero(info["action_mask"]).tolist()} == {*np.flatnonzero(choice.mask).tolist()}
        if not choice.steps:
            spellings = [world.setup.form.actions.spell(action) for action in world.actions]
            assert {*np.flatnonzero(choice.mask).tolist()} == {spelling[0] for spelling in spellings} or all(
                spelling[0] == spellings[0][0] for spelling in spellings
            )
        *_, over, long, info = world.step(random.choice(np.flatnonzero(info["action_mask"]).tolist()))
        if over or long:
            _, info = world.reset()


@pytest.mark.slow
@GAMES
def test_seeds_fix_this_game_and_the_next(name: str) -> None:
    one, two = SeatEnv(name, 3), SeatEnv(name, 3)
    games = []
    for seed in (4, None):
        (seen, reward), (again, same) = play(one, Random(1), seed), play(two, Random(1), seed)
        assert np.array_equal(seen, again)
        assert reward == same
        games.append(seen)
    assert not np.array_equal(games[0][-1], games[1][-1])


class Recorder(Bot):
    ended: ClassVar[list[Any]] = []
    seats: ClassVar[list[tuple[int, int]]] = []

    def start(self, start):
        self.seat = start.seat
        self.seats.append((start.seat, start.players))

    def decide(self, game):
        assert game.view["seat"] == game.seat == self.seat
        game.view.clear()  # it is its own copy
        return game.random.randrange(len(game.actions))

    def end(self, ranks, scores):
        self.ended.append(ranks)


def test_an_opponent_is_a_bot_that_starts_decides_and_hears_the_end() -> None:
    world = SeatEnv("kosmos", 3, opponents=[Recorder, lambda game: 0], seat=1)
    Recorder.ended.clear()
    Recorder.seats.clear()
    _, reward = play(world, Random(1), 5)
    assert Recorder.seats == [(2, 3)]
    assert [payoffs(ranks)[1] for ranks in Recorder.ended] == [reward]


@pytest.mark.slow
def test_packaged_bots_play_in_process_and_win() -> None:
    world = gymnasium.make("arena/kosmos-v0", players=2, opponents=["@planner"])
    assert sum(play(world, Random(seed), seed)[1] for seed in range(6)) < -3


def test_a_bot_in_a_file_may_have_modules_beside_it(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "helper.py").write_text(f"NAME = {name!r}\n")
        (tmp_path / name / "bot.py").write_text(
            "from arena.client import run\nfrom helper import NAME\ndef decide(game):\n    decide.name = NAME\n"
            "    return 0\nrun(decide)\n"
        )
        (tmp_path / name / "bot.toml").write_text(f'name = "{name}"\ncommand = "{{python}} bot.py"\n')
    world = SeatEnv("kosmos", 3, opponents=[tmp_path / "one", str(tmp_path / "two")])
    play(world, Random(1), 1)
    assert [getattr(player, "name", None) for player in world._players] == ["one", "two"]


def test_what_cannot_be_an_opponent(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("print\n")
    for opponent, why in ((tmp_path / "silent.py", "arena.client.run"), ("@nobody", "nobody")):
        with pytest.raises(EntrantError, match=why):
            SeatEnv("kosmos", opponents=[opponent])


@pytest.mark.slow
@pytest.mark.process
def test_a_version_of_a_tournament_is_an_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    (tmp_path / "mine.py").write_text("from arena.client import run\nrun(lambda game: 0)\n")
    shell = Shell(tmp_path)
    shell.run("tournament", "mine.py", "@random_bot", "--games", 2, "--seed", 1, "--out", "t")
    shell.close()
    (tmp_path / "mine.py").write_text("from arena.client import run\nrun(lambda game: 1 / 0)\n")
    world = SeatEnv("kosmos", opponents=[(tmp_path / "t", "mine@1")])
    play(world, Random(1), 1)
    with pytest.raises(EntrantError, match="has no bot yours"):
        SeatEnv("kosmos", opponents=[(tmp_path / "t", "yours")])


def test_a_step_that_is_not_allowed_ends_the_game() -> None:
    world = SeatEnv("openspiel:leduc_poker")
    _, info = world.reset(seed=1)
    illegal = np.flatnonzero(info["action_mask"] == 0)[0]
    _, reward, terminated, _, info = world.step(illegal)
    assert (reward, terminated, info["action_mask"].any()) == (ILLEGAL, True, False)
    with pytest.raises(ValueError, match="over"):
        world.step(0)


def test_a_long_game_is_truncated_and_open_events_are_rendered() -> None:
    world = SeatEnv("kosmos", 3, max_decisions=9, render_mode="ansi")
    _, info = world.reset(seed=1)
    long, said = False, ""
    while not long:
        *_, long, info = world.step(np.flatnonzero(info["action_mask"])[0])
        said += world.render()
    assert said


@QUICK_GAMES
def test_many_games_at_once(name: str) -> None:
    world = gymnasium.make_vec(f"arena/{name}-v0", num_envs=4, vectorization_mode="vector_entry_point", players=[2, 3])
    _, info = world.reset(seed=2)
    random, ended = Random(2), 0
    while ended < 3:
        seats = info["seat"]
        steps = [random.choice(np.flatnonzero(mask).tolist()) for mask in info["action_mask"]]
        observation, rewards, terminated, truncated, info = world.step(np.array(steps))
        assert observation in world.observation_space
        assert not truncated.any()
        for row in np.flatnonzero(terminated):
            ended += 1
            assert rewards[row] == info["payoffs"][row, seats[row]]
            assert info["payoffs"][row].any()
        assert not rewards[~terminated].any()


def test_the_vector_environment_is_seeded() -> None:
    one, two = (SelfPlayVectorEnv("openspiel:leduc_poker", 3).reset(seed=7) for _ in range(2))
    assert np.array_equal(one[0], two[0])
    assert arena.environments.environment_id("kosmos") == "arena/kosmos-v0"

"""Measure how fast programs that learn can play, as JSON: `python -m benchmarks.learning [WHEEL]`.

Each interface plays at random on one core for as many steps, in turns with the engine's own two loops: `play` asks for
actions and plays, and `views` also makes the view of the seat to act, without which nobody can choose. Ratios to both
are of the same round; their medians are printed. CPU time is measured. WHEEL was made by `ARENA_COMPILE=1 pip wheel
--no-deps .`; without it, what is measured is this checkout.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

ROOT = Path(__file__).parents[1]
GAMES = ("kosmos", "ravensburger")
PLAYERS = 4
STEPS = 4000
ROUNDS = 5
ROWS = 64


def main(wheel: str | None = None) -> None:
    """Print what is measured, in a process that finds the packages of the wheel before these."""
    with TemporaryDirectory() as folder:
        if wheel is not None:
            zipfile.ZipFile(wheel).extractall(folder)
        place = ROOT if wheel is None else folder
        environment = os.environ | {"PYTHONPATH": f"{place}{os.pathsep}{ROOT}"}
        command = [sys.executable, "-P", "-c", "from benchmarks import learning; learning.measure()"]
        subprocess.run(command, env=environment, check=True)


def measure() -> None:
    """Print a line for each game."""
    from arena.common.machine import COMPILED
    from arena.tournament.workers import collect_seldom

    collect_seldom()
    for name in GAMES:
        rounds = []
        for number in range(ROUNDS + 1):
            found = {what: _speed(loop, name, number) for what, loop in LOOPS.items()}
            if number:  # the first one fills caches
                rounds.append(found)
        rates = {what: round(statistics.median(each[what] for each in rounds)) for what in LOOPS}
        ratios = {
            what: [
                round(statistics.median(each[what] / each[base] for each in rounds), 2) for base in ("play", "views")
            ]
            for what in LOOPS
        }
        print(
            json.dumps({"game": name, "compiled": COMPILED, "steps_per_s": rates, "of_play_and_views": ratios}),
            flush=True,
        )


def _speed(loop: Callable[[str, int], float], name: str, number: int) -> float:
    return STEPS / loop(name, number)


def _engine(name: str, number: int, has_views: bool) -> float:
    from engine import catalog
    from engine.chance import Seeded, derive

    rules = catalog.rules(name)
    edition = rules.edition(rules.editions()[0])
    random, taken, game = Random(number), 0, 0
    began = time.process_time()
    while True:
        state = rules.start(PLAYERS, edition, Seeded(derive(b"learning", number, game)))
        game += 1
        while (seat := state.to_act) is not None:
            if taken == STEPS:
                return time.process_time() - began
            actions = state.actions()
            if has_views:
                state.view(seat)
            state.play(int(random.random() * len(actions)))
            taken += 1


def _play(name: str, number: int) -> float:
    return _engine(name, number, False)


def _views(name: str, number: int) -> float:
    return _engine(name, number, True)


def _drawn(masks: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Return a step of each row that its mask allows, as a model would: one call for all rows."""
    return (masks * random.random(masks.shape, np.float32)).argmax(axis=-1)


def _batch(name: str, number: int) -> float:
    from arena.environments.stepped import usual_form
    from engine import catalog
    from engine.batch import Batch

    rules, form, random = catalog.rules(name), usual_form(name, ""), np.random.default_rng(number)
    edition = rules.edition(rules.editions()[0])
    batch = Batch(rules, edition, form, ROWS, [PLAYERS], bytes([number]), form.actions.count or 0)
    spent = 0.0
    for _ in range(STEPS // ROWS):
        steps = _drawn(batch.masks, random)
        began = time.process_time()
        batch.step(steps)
        spent += time.process_time() - began
    return spent * STEPS / (STEPS // ROWS * ROWS)


def _vector(name: str, number: int) -> float:
    from arena.environments.gymnasium import SelfPlayVectorEnv

    world, random = SelfPlayVectorEnv(name, ROWS, PLAYERS), np.random.default_rng(number)
    _, info = world.reset(seed=number)
    spent = 0.0
    for _ in range(STEPS // ROWS):
        steps = _drawn(info["action_mask"], random)
        began = time.process_time()
        *_, info = world.step(steps)
        spent += time.process_time() - began
    return spent * STEPS / (STEPS // ROWS * ROWS)


def _pettingzoo(name: str, number: int) -> float:
    from arena.environments.pettingzoo import env

    world, random = env(name, players=PLAYERS), np.random.default_rng(number)
    clock = _Clock()
    taken = 0
    for seed in range(STEPS):
        world.reset(seed=seed)
        while world.agents:
            with clock:
                observation, _, termination, truncation, _ = world.last()
            if termination or truncation:
                break
            if taken == STEPS:
                return clock.spent
            step = int(_drawn(observation["action_mask"], random))
            with clock:
                world.step(step)
            taken += 1
    raise AssertionError("games without steps")


class _Clock:
    """Adds up CPU time in pieces, without what it takes to ask for it."""

    def __init__(self) -> None:
        self.spent = self._cost = 0.0
        for _ in range(1000):
            with self:
                pass
        self._cost, self.spent = self.spent / 1000, 0.0

    def __enter__(self) -> None:
        self._began = time.process_time()

    def __exit__(self, *_: object) -> None:
        self.spent += time.process_time() - self._began - self._cost


def _gymnasium(name: str, number: int) -> float:
    from arena.environments.gymnasium import SeatEnv

    world, random = SeatEnv(name, PLAYERS), np.random.default_rng(number)
    _, info = world.reset(seed=number)
    clock = _Clock()
    for _ in range(STEPS):
        step = _drawn(info["action_mask"], random)
        with clock:
            *_, terminated, truncated, info = world.step(step)
            if terminated or truncated:
                _, info = world.reset()
    return clock.spent


def _open_spiel(name: str, number: int) -> float:
    import pyspiel

    import arena.environments.open_spiel  # noqa: F401

    game, random, clock = pyspiel.load_game(f"python_arena_{name}", {"players": PLAYERS}), Random(number), _Clock()
    part, taken = STEPS // 8, 0  # as they take long
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            with clock:
                if is_chance := state.is_chance_node():
                    ways = [outcome for outcome, _ in state.chance_outcomes()]
                else:
                    ways = state.legal_actions()
                    state.observation_tensor(state.current_player())
            if taken == part:
                return clock.spent * STEPS / part
            way = random.choice(ways)
            with clock:
                state.apply_action(way)
            taken += not is_chance


LOOPS: dict[str, Callable[[str, int], float]] = {
    "play": _play,
    "views": _views,
    "batch": _batch,
    "vector": _vector,
    "pettingzoo": _pettingzoo,
    "gymnasium": _gymnasium,
    "open_spiel": _open_spiel,
}
"""Each returns the seconds that so many steps took; choosing them is the caller's time. A step of Gymnasium's includes
those of the opponents, one of OpenSpiel's the chance nodes after it."""


if __name__ == "__main__":
    main(*sys.argv[1:])

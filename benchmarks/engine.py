"""Measure the engine's speed: decisions a second, and the cost of a view, of a copy and of a determinized world.

Four players choose at random in the default edition, on one core. CPU time is measured, which a busy machine disturbs
less. Views and copies are made at every decision of the games, as a referee and a search bot make them, and worlds at
some of them, over whole games: they cost most at the end of long ones.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

from engine import catalog
from engine.chance import Seeded, derive
from engine.rules import State

PLAYERS = 4
GAMES = 40
REPEATS = 5
CALLS = 10
"""How often a call is repeated when it is timed at one decision, so that reading the clock hardly counts."""
WORLD_GAMES = 4
WORLD_STRIDE = 25
"""A world is determinized at one in this many decisions."""
WORLDS_AGAIN = 3
"""How many more worlds are drawn there."""


def engine_figures(name: str) -> dict[str, float]:
    """Return the medians of five runs, each for one core."""
    runs = [one_run(name, run) for run in range(REPEATS)]
    return {figure: round(statistics.median(run[figure] for run in runs), 2) for figure in runs[0]}


def one_run(name: str, run: int) -> dict[str, float]:
    """Return decisions a second (`actions` and `play`), and microseconds for a view, a copy and a world.

    The first world of a view costs more than those drawn from the same view again, as a search bot does.
    """
    first, again = _worlds(name, run)
    return {
        "decisions_per_s": round(_decisions(name, run)),
        "view_us": _cost(name, run, _view),
        "copy_us": _cost(name, run, _copy),
        "determinize_us": first,
        "determinize_again_us": again,
    }


def _view(state: State) -> object:
    return state.view(state.to_act)


def _copy(state: State) -> object:
    return state.copy()


def _games(name: str, run: int) -> Iterator[tuple[State, random.Random]]:
    """Generate games of which no two are alike, not even between runs, so that no cache helps."""
    rules = catalog.rules(name)
    edition = rules.edition(rules.editions()[0])
    for number in range(GAMES):
        seed = derive(b"benchmark", run, number)
        yield rules.start(PLAYERS, edition, Seeded(seed)), random.Random(seed)


def _decisions(name: str, run: int) -> float:
    for _ in _games(name, run):
        break  # the rules and their edition are loaded once, which is not what is measured
    played = 0
    began = time.process_time()
    for state, choice in _games(name, run):
        while state.to_act is not None:
            state.play(choice.randrange(len(state.actions())))
            played += 1
    return played / (time.process_time() - began)


def _cost(name: str, run: int, call: Callable[[State], object]) -> float:
    spent, calls = 0.0, 0
    for state, choice in _games(name, run):
        while state.to_act is not None:
            began = time.process_time()
            for _ in range(CALLS):
                call(state)
            spent += time.process_time() - began
            calls += CALLS
            state.play(choice.randrange(len(state.actions())))
    return spent / calls * 1e6


def _worlds(name: str, run: int) -> tuple[float, float]:
    rules = catalog.rules(name)
    edition = rules.edition(rules.editions()[0])
    first, again, views = 0.0, 0.0, 0
    for number, (state, choice) in enumerate(_games(name, run)):
        if number == WORLD_GAMES:
            break
        decision = 0
        while state.to_act is not None:
            if decision % WORLD_STRIDE == 0:
                view, chance = state.view(state.to_act), Seeded(derive(b"world", run, number, decision))
                began = time.process_time()
                rules.determinize(view, PLAYERS, edition, chance)
                drawn = time.process_time()
                for _ in range(WORLDS_AGAIN):
                    rules.determinize(view, PLAYERS, edition, chance)
                again += time.process_time() - drawn
                first += drawn - began
                views += 1
            state.play(choice.randrange(len(state.actions())))
            decision += 1
    return first / views * 1e6, again / (views * WORLDS_AGAIN) * 1e6

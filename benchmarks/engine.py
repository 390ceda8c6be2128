"""Measure the engine's speed: decisions a second, and the cost of a view and of a copy.

Four players choose at random in the default edition, on one core. CPU time is measured, which a busy machine disturbs
less. Views and copies are made at every decision of the games, as a referee and a search bot make them.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator

from engine.catalog import game
from engine.chance import Seeded, derive
from engine.game import State

PLAYERS = 4
GAMES = 40
REPEATS = 5
CALLS = 10
"""How often a call is repeated when it is timed at one decision, so that reading the clock hardly counts."""


def engine_figures(name: str) -> dict[str, float]:
    """Return decisions a second (`actions` and `play`) and microseconds for a view and a copy; medians of five runs."""
    return {
        "decisions_per_s": round(statistics.median(_decisions(name, run) for run in range(REPEATS))),
        "view_us": round(statistics.median(_cost(name, run, _view) for run in range(REPEATS)), 2),
        "copy_us": round(statistics.median(_cost(name, run, _copy) for run in range(REPEATS)), 2),
    }


def _view(state: State) -> object:
    return state.view(state.to_act)


def _copy(state: State) -> object:
    return state.copy()


def _games(name: str, run: int) -> Iterator[tuple[State, random.Random]]:
    """Generate games of which no two are alike, not even between runs, so that no cache helps."""
    rules = game(name)
    edition = rules.edition(rules.editions()[0])
    for number in range(GAMES):
        seed = derive(b"benchmark", run, number)
        yield rules.start(PLAYERS, edition, Seeded(seed)), random.Random(seed)


def _decisions(name: str, run: int) -> float:
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

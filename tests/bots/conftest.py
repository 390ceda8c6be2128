"""Games between the bots of `bots/` in this process: the engine at one end, each bot's chooser at the other."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from arena import shipped
from arena.client import Bot, Decision, GameStart
from engine import catalog
from engine.chance import Seeded, derive

BOTS = Path(__file__).parents[2] / "bots"


class Played(NamedTuple):
    ranks: list[int]
    scores: list[dict[str, int]]
    choices: list[tuple[int, int]]
    """Seat and index of every decision."""
    phases: set[str]
    """The phases in which something was asked."""
    arrived: list[int]
    """The seats in order of arrival, in games in which several arrive."""


def in_two_hashings(code: str, *words: str) -> list[str]:
    """What this program with `play` prints in two processes that order their sets differently."""
    return [
        subprocess.run(
            [sys.executable, "-c", f"import runpy, sys; play = runpy.run_path({__file__!r})['play']\n{code}", *words],
            env=os.environ | {"PYTHONHASHSEED": hashing},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout
        for hashing in ("1", "2")
    ]


class _ByFunction(Bot):
    def __init__(self, function: Callable[[Decision], int]) -> None:
        self._function = function

    def decide(self, game: Decision) -> int:
        return self._function(game)


def of_function(function: Callable[[Decision], int]) -> Callable[[], Bot]:
    """What makes a bot of a function that is handed to `run`."""
    return lambda: _ByFunction(function)


def player_of(name: str) -> Callable[[], Bot]:
    """What makes a fresh instance of the bot in `bots/<name>.py`, by what it hands to `run`."""
    return bot_at(f"{name}.py")


def bot_at(path: str) -> Callable[[], Bot]:
    """The same of a file of Python in `bots/`."""
    parts = runpy.run_path(str(BOTS / path))
    made = [part for part in parts.values() if isinstance(part, type) and issubclass(part, Bot) and part is not Bot]
    if made:
        return made[0]
    return of_function(parts["decide"])


def play(
    names: Sequence[str],
    seed: int,
    edition: str = "standard",
    game_name: str = "kosmos",
    **makers: Callable[[], Bot],
) -> Played:
    """One whole game of the bots `names`, by seat; an index that is not offered fails the test.

    `makers`: what makes the bots of names that are no file's.
    """
    rules = catalog.rules(game_name)
    resolved = rules.edition(edition)
    state = rules.start(len(names), resolved, Seeded(derive(b"tests/bots games", seed)))
    bots = [(PLAYERS | makers)[name]() for name in names]
    for seat, bot in enumerate(bots):
        bot.random = Random(f"{seed}/{seat}")
        bot.start(GameStart(str(seed), game_name, resolved, seat, len(names), None, seed))
    heard: list[list[Any]] = [[] for _ in names]
    turns = [0] * len(names)
    choices, phases = [], set()
    while (seat := state.to_act) is not None:
        actions, view = state.actions(), state.view(seat)
        turns[seat] += 1
        index = bots[seat].decide(
            Decision(
                str(seed),
                game_name,
                resolved,
                seat,
                len(names),
                turns[seat],
                view,
                actions,
                heard[seat],
                None,
                bots[seat].random,
            )
        )
        assert type(index) is int
        assert 0 <= index < len(actions), f"{names[seat]} answered {index} in phase {view['phase']}: {actions}"
        choices.append((seat, index))
        phases.add(view["phase"])
        heard[seat] = []
        for event in state.play(index):
            for reader, events in enumerate(heard):
                if event.to in (None, reader):
                    events.append(event.what)
    return Played(state.ranks(), state.scores(), choices, phases, state.view(None).get("arrived", []))


NAMES = sorted(path.stem for path in BOTS.glob("*.py"))
PLAYERS = {name: player_of(name) for name in NAMES}


@pytest.fixture
def bot_names() -> list[str]:
    return sorted(shipped.bots())


@pytest.fixture
def bot_in() -> Callable[[str], Callable[[], Bot]]:
    return bot_at


@pytest.fixture
def play_game() -> Callable[..., Played]:
    return play


@pytest.fixture(name="player_of")
def the_player_of() -> Callable[[str], Callable[[], Bot]]:
    return PLAYERS.__getitem__

"""The simple bots: they answer every question of every edition, play the same again, and are as strong as they say."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path
from statistics import mean

import pytest

BOTS = Path(__file__).parents[2] / "bots"
CONFTEST = Path(__file__).with_name("conftest.py")
NAMES = ["greedy", "pairs", "planner", "random_bot", "saboteur", "sprinter"]
ELSEWHERE = ["explorer", "navigator", "strider"]
"""Those that look ahead as long as a clock lets them, or play another game: tested in files of their own."""
ALLOWED = {"arena.client", "collections", "functools", "itertools", "math", "operator", "typing"}
"""What a bot may import: nothing that tells the time, draws numbers or reads files."""


def test_no_bot_is_left_out_here(bot_names):
    assert bot_names == sorted(NAMES + ELSEWHERE)


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["standard", "en", "ru", "nim"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_question_gets_an_answer(play_game, edition, players):
    for shift in range(len(NAMES)):
        seats = [NAMES[(shift + seat) % len(NAMES)] for seat in range(players)]
        played = play_game(seats, shift, edition)
        assert len(played.ranks) == players


@pytest.mark.slow
def test_the_games_above_ask_in_every_phase(play_game):
    phases = {}
    for seed in range(12):
        for edition in ("standard", "ru"):
            played = play_game(NAMES, seed, edition)
            phases |= dict.fromkeys(played.phases)
    assert set(phases) == {"take", "action", "travel", "reroll", "chit", "escape", "limit"}


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("name", NAMES)
def test_plays_the_same_game_again_whatever_the_hashing(name):
    """Two processes that order their sets differently; a third game, from another seed, is another game."""
    code = (
        "import runpy, sys; play = runpy.run_path(sys.argv[1])['play'];"
        "played = play(sys.argv[3:], int(sys.argv[2])); print(played.ranks, played.scores, played.choices)"
    )

    def run(hashing: str, seed: str) -> str:
        seats = [name, "random_bot", name]
        return subprocess.run(
            [sys.executable, "-c", code, str(CONFTEST), seed, *seats],
            env=os.environ | {"PYTHONHASHSEED": hashing},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout

    first = run("1", "1")
    assert run("2", "1") == first
    assert run("1", "2") != first


@pytest.mark.parametrize("name", [*NAMES, "navigator", "strider"])
def test_stands_alone_and_knows_no_clock(name):
    """Each file is copied alone into a cache, and its only chance is the referee's seed."""
    imported = set()
    for node in ast.walk(ast.parse((BOTS / f"{name}.py").read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert imported <= ALLOWED


def finish(play_game, hero: str, others: list[str], games: int) -> float:
    """The mean finish of `hero` among `others`, from 0 (first) to 1 (last), over all seats."""
    results = []
    for seed in range(games):
        seats = others[:]
        place = seed % (len(others) + 1)
        seats.insert(place, hero)
        ranks = play_game(seats, seed).ranks
        own = ranks[place]
        results.append((sum(rank < own for rank in ranks) + (ranks.count(own) - 1) / 2) / len(others))
    return mean(results)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "random_bot"])
def test_beats_random_play(play_game, name):
    assert finish(play_game, name, ["random_bot", "random_bot"], 24) < 0.3


@pytest.mark.slow
def test_planner_is_the_strong_one(play_game):
    assert finish(play_game, "planner", ["sprinter", "greedy", "pairs", "saboteur"], 25) < 0.35
    assert finish(play_game, "planner", ["greedy"], 20) < 0.35


def test_sprinter_is_home_first(play_game):
    games = [play_game(["sprinter", "pairs", "greedy", "saboteur"], seed) for seed in range(12)]
    assert sum(played.arrived[:1] == [0] for played in games) >= 10

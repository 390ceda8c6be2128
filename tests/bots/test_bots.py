"""The simple bots: they answer every question of every edition, play the same again, and are as strong as they say."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from arena.client import Decision, GameStart
from tests.bots.conftest import in_two_hashings
from tests.engine.kosmos.positions import edition as editions
from tests.engine.kosmos.positions import position
from tests.engine.plays import spread_pairs

BOTS = Path(__file__).parents[2] / "bots"
NAMES = ["greedy", "pairs", "planner", "random_bot", "saboteur", "sprinter"]
ELSEWHERE = ["explorer", "learned", "navigator", "strider"]
"""Those that look ahead as long as a clock lets them, or play another game: tested in files of their own."""
ALLOWED = {"arena.client", "collections", "functools", "itertools", "math", "operator", "typing"}
"""What a bot may import: nothing that tells the time, draws numbers or reads files."""


def test_no_bot_is_left_out_here(bot_names):
    assert bot_names == sorted(NAMES + ELSEWHERE)


@pytest.mark.slow
@pytest.mark.parametrize(("edition", "players"), spread_pairs(["standard", "en", "ru", "nim"], [2, 3, 4, 5, 6]))
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
def test_they_play_the_same_games_again_whatever_the_hashing():
    """A line for each bot and seed; games from two seeds are two games."""
    code = """
for name in sys.argv[1:]:
    for seed in (1, 2):
        played = play([name, "random_bot", name], seed)
        print(name, played.ranks, played.scores, played.choices)
"""
    one, other = (text.splitlines() for text in in_two_hashings(code, *NAMES))
    assert one == other
    assert len(set(one)) == 2 * len(NAMES)


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


def finish(play_game, hero: str, others: list[str], games: int, edition: str = "standard") -> float:
    """The mean finish of `hero` among `others`, from 0 (first) to 1 (last), over all seats."""
    results = []
    for seed in range(games):
        seats = others[:]
        place = seed % (len(others) + 1)
        seats.insert(place, hero)
        ranks = play_game(seats, seed, edition).ranks
        own = ranks[place]
        results.append((sum(rank < own for rank in ranks) + (ranks.count(own) - 1) / 2) / len(others))
    return mean(results)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != "random_bot"])
def test_beats_random_play(play_game, name):
    assert finish(play_game, name, ["random_bot", "random_bot"], 24) < 0.3


@pytest.mark.slow
@pytest.mark.parametrize(("players", "least"), [(2, 38), (4, 28)])
def test_the_bot_to_begin_with_beats_random_play_clearly(play_game, bot_in, players, least):
    """What `arena new --lang python` makes; tests/starters plays those in other languages."""
    won = 0
    for seed in range(40):
        seats = ["random_bot"] * players
        seats[seed % players] = "python-bot"
        won += play_game(seats, seed, **{"python-bot": bot_in("python/bot.py")}).ranks[seed % players] == 1
    assert won >= least


@pytest.mark.slow
def test_planner_is_the_strong_one(play_game):
    assert finish(play_game, "planner", ["sprinter", "greedy", "pairs", "saboteur"], 25) < 0.35
    assert finish(play_game, "planner", ["greedy"], 20) < 0.35
    assert finish(play_game, "planner", ["greedy"], 40, "en") < 0.2


@pytest.mark.slow
def test_planner_goes_home_where_the_first_home_wins(play_game):
    """K-82 without the parameter: between two of them no game runs until its last round."""
    games = [play_game(["planner", "planner"], seed, "en") for seed in range(20)]
    assert all(played.arrived for played in games)
    assert any(row["arrived"] and row["days"] > 80 for played in games for row in played.scores)


def at_new_york(player_of, days: list[int], hand: str, gold: int = 1, edition: str = "standard") -> dict:
    """What planner, seat 0 of two, chooses on the last leg."""
    rules = editions(edition)
    state = position(2, rules, phase="travel", at="New York", days=days, hands={0: hand}, gold=[gold, 1])
    bot = player_of("planner")()
    bot.start(GameStart("one", "kosmos", rules, 0, 2, None, 1))
    actions = state.actions()
    decision = Decision("one", "kosmos", rules, 0, 2, 1, state.view(0), actions, [], None, Random(1))
    return actions[bot.decide(decision)]


@pytest.mark.parametrize(
    ("days", "hand", "gold", "does"),
    [
        ([69, 60], "t2 s4 s5", 1, "travel"),  # 80 days
        ([70, 60], "t2 s4 s5", 1, "stay"),  # a day too many, and seat 1 may still be late
        ([70, 60], "t2 s4 s5 balloon", 0, "travel"),  # seat 1 is ahead: a roll of 3 would do
        ([70, 90], "t2 s4 s8 balloon", 0, "stay"),  # seat 1 is late and behind: waiting wins more often
        ([66, 90], "t2 s4 s4 balloon", 1, "travel"),  # needs no roll
        ([78, 60], "t2 s4 s5 balloon", 9, "stay"),  # no roll would do
    ],
)
def test_planner_risks_the_last_leg_of_two_only_where_waiting_is_worse(player_of, days, hand, gold, does):
    """K-82, K-83, K-84: home late is lost; on the way when the last round ends the one with fewer days has won."""
    assert at_new_york(player_of, days, hand, gold)["do"] == does


def test_planner_comes_home_late_where_that_wins(player_of):
    assert at_new_york(player_of, [90, 60], "t2 s4 s5", edition="en")["do"] == "travel"


def test_sprinter_is_home_first(play_game):
    games = [play_game(["sprinter", "pairs", "greedy", "saboteur"], seed) for seed in range(12)]
    assert sum(played.arrived[:1] == [0] for played in games) >= 10

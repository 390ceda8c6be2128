"""The bot that looks ahead: it answers everything, in time, from determinized worlds alone, and plays well."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest

import arena.client
from arena.client import Decision, GameStart
from engine import catalog
from engine.chance import Seeded, derive

FILE = Path(__file__).parents[2] / "bots" / "explorer.py"
PARTS = runpy.run_path(str(FILE))
GLOBALS = PARTS["Explorer"].decide.__globals__
KOSMOS = catalog.rules("kosmos")
STANDARD = KOSMOS.edition("standard")
PHASES = {"take", "action", "travel", "reroll", "chit", "escape", "limit"}


def explorer(walks: int) -> type:
    """The bot with so many walks a decision where there is no clock."""
    return type("Explorer", (PARTS["Explorer"],), {"walks": walks})


@pytest.mark.parametrize("edition", ["standard", "ru"])
@pytest.mark.parametrize("players", [2, 3, *(pytest.param(more, marks=pytest.mark.slow) for more in (4, 5, 6))])
def test_every_question_gets_an_answer(play_game, edition, players):
    seats = ["brief", *["planner", "saboteur", "random_bot", "greedy", "brief"][: players - 1]]
    assert len(play_game(seats, players, edition, brief=explorer(2)).ranks) == players


@pytest.mark.slow
def test_answers_in_every_phase(play_game):
    phases = set()
    for seed in range(12):
        if phases == PHASES:
            break
        phases |= play_game(
            ["brief", "brief", "saboteur"], seed, "ru" if seed % 2 else "standard", brief=explorer(2)
        ).phases
    assert phases == PHASES


@pytest.mark.slow
def test_plays_the_same_again_where_there_is_no_clock(play_game):
    first = play_game(["brief", "planner"], 1, brief=explorer(6))
    assert play_game(["brief", "planner"], 1, brief=explorer(6)) == first


@pytest.mark.slow
def test_is_ahead_of_greedy(play_game):
    finishes = []
    for seed in range(12):
        seats = ["greedy", "brief"] if seed % 2 else ["brief", "greedy"]
        finishes.append(play_game(seats, seed, brief=explorer(16)).ranks[seed % 2] - 1)
    assert mean(finishes) < 0.4


@pytest.mark.slow
def test_a_game_that_it_has_no_sense_of(play_game, monkeypatch):
    monkeypatch.setitem(GLOBALS, "SENSES", {})
    for players in (2, 4):
        seats = ["brief"] + ["random_bot"] * (players - 1)
        assert len(play_game(seats, players, brief=explorer(3)).ranks) == players


class OnlyDeterminize:
    """A game of which nothing can be used but `determinize`, which notes what it was shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[Any, Any]] = []

    def determinize(self, view, players, edition, chance):
        self.shown.append((view, edition))
        return KOSMOS.determinize(view, players, edition, chance)


def decision(clock: dict[str, int] | None) -> Decision:
    state = KOSMOS.start(3, STANDARD, Seeded(derive(b"explorer tests", 1)))
    seat = state.to_act
    return Decision("1", "kosmos", STANDARD, seat, 3, 1, state.view(seat), state.actions(), [], clock, Random(1))


def started(bot: Any, asked: Decision) -> Any:
    bot.random = Random(1)
    bot.start(GameStart("1", "kosmos", STANDARD, asked.seat, 3, asked.clock, 1))
    return bot


def test_knows_nothing_but_what_its_view_allows():
    asked = decision(None)
    bot = started(explorer(20)(), asked)
    bot.rules = rules = OnlyDeterminize()
    bot.decide(asked)
    assert rules.shown
    assert all(view == asked.view and edition == STANDARD for view, edition in rules.shown)


class Clock:
    """Stands in for the module `time`: every walk takes its time, and so long again it waits for a core."""

    def __init__(self, walk: float) -> None:
        self.now = 100.0
        self.walk = walk

    def process_time(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        return 2 * self.now


@pytest.mark.slow
@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize("walk", [0.0004, 0.004])
@pytest.mark.parametrize("move", [10, 50, 250, 1000])
def test_keeps_within_the_time_of_a_decision(monkeypatch, move, walk, platform):
    """That is its own time where what it waits for a core is not charged."""
    clock = Clock(walk)
    monkeypatch.setitem(GLOBALS, "time", clock)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(PARTS["Node"], "is_settled", lambda *_: False)
    asked = decision({"move": move, "bank": 0})
    bot = started(explorer(1)(), asked)

    def timed(*arguments):
        PARTS["Explorer"].walk(bot, *arguments)
        clock.now += clock.walk

    bot.walk = timed
    begun = clock.now
    bot.decide(asked)
    spent = clock.now - begun
    charged = spent if platform == "linux" else 2 * spent
    limit = max(0.9 * move / 1000, walk if platform == "linux" else 2 * walk)
    assert 0 < charged <= limit
    assert charged >= max(PARTS["LEAST"], PARTS["USE"] * (move / 1000 - PARTS["RESERVE"])) - 1e-9


def test_thinks_no_longer_than_until_nothing_can_change_its_choice(monkeypatch):
    thought: list[int] = []

    def choices() -> list[int]:
        thought.append(0)
        dice, state, chosen = Random(1), KOSMOS.start(3, STANDARD, Seeded(derive(b"explorer tests", 1))), []
        for _ in range(12):
            seat, actions = state.to_act, state.actions()
            asked = Decision("1", "kosmos", STANDARD, seat, 3, 1, state.view(seat), actions, [], None, Random(1))
            bot = started(explorer(40)(), asked)

            def counted(*arguments: Any, bot: Any = bot) -> None:
                PARTS["Explorer"].walk(bot, *arguments)
                thought[-1] += 1

            bot.walk = counted
            chosen.append(bot.decide(asked))
            state.play(dice.randrange(len(actions)))
        return chosen

    found = choices()
    monkeypatch.setattr(PARTS["Node"], "is_settled", lambda *_: False)
    assert choices() == found
    assert thought[0] < 0.9 * thought[1] == 0.9 * 12 * 40


def test_a_decision_that_was_settled_early_does_not_shrink_the_reserve(monkeypatch):
    """It has cost nothing of the bank, but one that is thought to its end may."""
    clock = Clock(0.001)
    monkeypatch.setitem(GLOBALS, "time", clock)
    monkeypatch.setattr(PARTS["Node"], "is_settled", lambda self, more: self.visits > 0)
    asked = decision({"move": 70, "bank": 5000})
    bot = started(explorer(1)(), asked)
    kept = bot.reserve.kept
    for _ in range(5):
        bot.decide(asked)
    assert bot.reserve.kept == kept


def test_keeps_in_reserve_what_its_clock_charges_beyond_the_plan():
    """Whatever that is, decisions soon cost next to nothing of the bank, and most of the time is used."""
    for beyond in (0.001, 0.004, 0.02):
        reserve, bank, costs = PARTS["Reserve"](0.05), 5.0, []
        for _ in range(200):
            thought = reserve.time_to_think(bank)
            costs.append(max(0.0, thought + beyond - 0.05))
            bank -= costs[-1]
        assert reserve.kept <= max(PARTS["MARGIN"] * 1.1 * beyond, 1.1 * PARTS["LEAST"])
        assert sum(costs) <= 0.05 * len(costs) * beyond
        assert sum(map(bool, costs)) <= len(costs) / 4


def test_keeps_its_first_reserve_while_the_bank_is_low_and_forgets_another_games_bank():
    first = 0.05 - PARTS["USE"] * (0.05 - PARTS["RESERVE"])
    reserve = PARTS["Reserve"](0.05)
    assert [reserve.time_to_think(0.0) for _ in range(9)] == pytest.approx([0.05 - first] * 9)
    reserve.bank = None
    for _ in range(20):
        reserve.time_to_think(5.0)
    kept = reserve.kept
    assert kept < first / 2
    reserve.bank = None
    assert reserve.time_to_think(4.0) == 0.05 - kept
    reserve.time_to_think(0.0)  # such as after an answer that came too late
    assert reserve.kept == first


def test_says_that_it_looks_at_a_clock(monkeypatch):
    said = {}
    monkeypatch.setattr(arena.client, "run", lambda player, **hello: said.update(hello))
    runpy.run_path(str(FILE), run_name="__main__")
    assert said == {"deterministic": False, "games": []}


def test_imports_only_what_the_engine_shows_to_everybody():
    imported = set()
    for node in ast.walk(ast.parse(FILE.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported |= {f"engine.{alias.name}" if node.module == "engine" else node.module for alias in node.names}
    assert {name for name in imported if name.split(".")[0] in ("arena", "engine")} == {
        "arena.client",
        "engine.catalog",
        "engine.chance",
    }

"""An analysed game: it is kept, goes on where it was broken off, and says how a bot played."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from random import Random

import msgspec
import pytest

from arena.analysis.analysis import (
    AccuracyRecord,
    AnalysedDecision,
    Choice,
    GameAnalysis,
    SeatLosses,
    accuracy_of,
    accuracy_text,
    losses_of,
)
from arena.analysis.playouts import CHANCE, Budget, WeighingTask, weigh
from arena.analysis.run import CACHE, AnalysisCache, Analyst, NoAnalysis
from arena.game.replay import decisions
from engine.rules import State
from tests.arena.analysis.games import of, recorded

BUDGET = Budget(8)


class Broken(ThreadPoolExecutor):
    """Weighs so many decisions, and then fails."""

    left = 10**6

    def submit(self, *args, **kwargs) -> Future:
        self.left -= 1
        if self.left < 0:
            future: Future = Future()
            future.set_exception(KeyboardInterrupt())
            return future
        return super().submit(*args, **kwargs)


@pytest.fixture
def pool():
    with Broken(1) as pool:
        yield pool


def at_random(seed: int = 1):
    random = Random(seed)
    return lambda state: random.randrange(len(state.actions()))


def analyst(name: str, cache: AnalysisCache | None = None, budget: Budget = BUDGET, *names: str) -> Analyst:
    return Analyst(*of(name), budget, names, cache)


@pytest.fixture(scope="module")
def game():
    return recorded("kosmos", at_random())


def test_every_decision_of_a_bot_is_asked_for_as_it_was(game):
    found = list(decisions(game, *of("kosmos")))
    assert [(each.seat, each.step.index) for each in found] == [(step.seat, step.index) for step in game.steps]
    assert [each.turn for each in found if each.seat == 1] == list(range(1, 1 + sum(each.seat == 1 for each in found)))
    assert all(each.state.view(each.seat)["seat"] == each.seat for each in found)
    assert [each.public for each in found] == sorted(each.public for each in found)


def test_an_analysis_that_was_broken_off_goes_on_where_it_was(game, pool, tmp_path: Path):
    whole = list(analyst("kosmos").analyse(game, [0, 1], pool))[-1]
    assert [each.played for each in whole.decisions] == [step.index for step in game.steps]
    assert whole.seats == [0, 1]
    pool.left = 40
    cache = AnalysisCache(tmp_path, writing=True)
    with pytest.raises(KeyboardInterrupt):
        list(analyst("kosmos", cache).analyse(game, [0, 1], pool))
    cache.close()
    pool.left = 10**6
    again = analyst("kosmos", AnalysisCache(tmp_path, writing=True))
    assert len(again.known(game).decisions) == 32
    assert again.known(game).seats == []
    assert len(again.missing(game, [0, 1])) == len(game.steps) - 32
    assert list(again.analyse(game, [0, 1], pool))[-1] == whole
    pool.left = 0
    assert list(again.analyse(game, [0, 1], pool)) == [whole]


def test_one_seat_can_be_analysed_and_later_the_others(game, pool, tmp_path: Path):
    one = analyst("kosmos", AnalysisCache(tmp_path, writing=True))
    found = list(one.analyse(game, [1], pool))[-1]
    assert {each.seat for each in found.decisions} == {1} == set(found.seats)
    both = list(one.analyse(game, [0], pool))[-1]
    assert both.seats == [0, 1]
    assert both.only([1]) == found


def test_what_was_found_holds_for_this_game_and_budget_alone(game, pool, tmp_path: Path):
    cache = AnalysisCache(tmp_path, writing=True)
    one = analyst("kosmos", cache)
    list(one.analyse(game, [0], pool))
    assert one.known(game) is not None
    assert analyst("kosmos", cache, Budget(17)).known(game) is None
    assert analyst("kosmos", cache, BUDGET, "a-bot").known(game) is None
    assert one.known(msgspec.structs.replace(game, seed="00" * 16)) is None
    cache.close()
    (tmp_path / CACHE).write_bytes(b"no database")
    assert analyst("kosmos", AnalysisCache(tmp_path)).known(game) is None


def test_games_without_worlds_are_refused_with_the_reason():
    pytest.importorskip("pyspiel")
    with pytest.raises(NoAnalysis, match=r"openspiel:hearts .* no worlds"):
        analyst("openspiel:hearts")


@pytest.mark.parametrize("name", ["openspiel:connect_four", "openspiel:leduc_poker"])
def test_games_of_other_libraries_are_analysed(name, pool):
    pytest.importorskip("pyspiel")
    game = recorded(name, at_random())
    found = list(analyst(name).analyse(game, [0, 1], pool))[-1]
    assert len(found.decisions) == len(game.steps)
    assert found.unit == ("returns" if "leduc" in name else CHANCE)
    last = found.decisions[-1]
    if name.endswith("four"):
        assert last.choice.value == 1.0 == last.chances[last.seat], "it won at once"
    assert found.results == ([1.0, 0.0] if name.endswith("four") and game.ranks[0] == 1 else found.results)


def test_a_bot_at_random_has_an_accuracy_of_about_nothing_and_one_that_searches_nearly_all(pool):
    pytest.importorskip("pyspiel")
    name = "openspiel:tic_tac_toe"
    one = analyst(name, None, Budget(200))

    def searching(number: int):
        random = Random(number)

        def choose(state: State) -> int:
            count = len(state.actions())
            if state.to_act == 1:
                return random.randrange(count)
            found = weigh(WeighingTask(name, 2, of(name)[1], state.view(0), 0, count, 0, (), str(number)), Budget(200))
            return found.values[0].action

        return choose

    def record(choose) -> AccuracyRecord:
        games = [recorded(name, choose(number)) for number in range(10)]
        return accuracy_of([losses_of(list(one.analyse(game, [0], pool))[-1], 0) for game in games])

    at_will = record(at_random)
    assert abs(at_will.accuracy) < 0.5
    assert record(searching).accuracy > 0.7


def made(lost: float, error: float, random: float = 0.0, value: float = 0.5, unit: str = CHANCE) -> GameAnalysis:
    choices = [Choice(1, "the best", value, lost, error), Choice(0, "the other", value - lost, 0.0, 0.0)]
    decision = AnalysedDecision(0, 0, 1, 0, "a phase", 2, 0, choices, [value - lost, 1 - value + lost], random, 10.0)
    return GameAnalysis("g", ["ant", "bee"], unit, 1.0, BUDGET, [], [0], [0.0, 1.0], [decision], [])


@pytest.mark.parametrize(
    ("lost", "error", "mark"),
    [
        (0.04, 0.001, ""),
        (0.05, 0.001, "inaccuracy"),
        (0.10, 0.04, "mistake"),
        (0.15, 0.04, "blunder"),
        (0.15, 0.08, ""),
    ],
)
def test_a_choice_is_marked_by_what_it_lost_if_that_is_sure(lost, error, mark):
    analysis = made(lost, error)
    assert analysis.mark(analysis.decisions[0]) == mark
    scored = made(20 * lost, 20 * error, unit="points")  # twice the deviation is 20
    assert scored.mark(scored.decisions[0]) == mark


def test_of_what_was_lost_the_rest_was_luck():
    play = losses_of(made(0.2, 0.01, random=-0.2), 0)
    assert (play.lost, play.fall) == ([0.2], 0.5)
    assert play.stakes == [0.4]
    assert play.gained is None, "the other seat was not analysed"
    assert accuracy_of([play]).luck is None
    play = msgspec.structs.replace(play, gained=0.05)  # by mistakes of the other
    record = accuracy_of([play, SeatLosses(dict.fromkeys(play.marks, 0), [0.1, 0.0], [0.3, 0.3], -0.5, 0.0)])
    assert record.accuracy == pytest.approx(0.7)
    assert record.error == pytest.approx(1.96 * (0.08**2 + 0.01**2 + 0.09**2) ** 0.5)
    assert record.luck == pytest.approx(0.7), "of the game that ended worse than it began"
    assert record.lost == pytest.approx(0.15)
    assert record.decisions == 3
    assert accuracy_of([]) is None


def test_an_accuracy_that_says_next_to_nothing_is_not_said():
    marks = dict.fromkeys(("inaccuracy", "mistake", "blunder"), 0)
    assert accuracy_text(accuracy_of([SeatLosses(marks, [0.1], [0.2], 0.0, 0.0)])) == "50 ± 0 %"
    assert accuracy_text(accuracy_of([SeatLosses(marks, [0.5, -0.4], [0.1, 0.1], 0.0, 0.0)])) == "-"
    assert accuracy_text(accuracy_of([SeatLosses(marks, [0.0], [0.0], 0.0, 0.0)])) == "-"
    assert accuracy_text(accuracy_of([SeatLosses(marks, [-0.01] * 400, [0.2] * 400, 0.0, 0.0)])) == "100 ± 0 %"

"""What choices are worth, in positions where that is known."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from arena.analysis.playouts import Budget, Value, WeighingTask, weigh
from engine.chance import Seeded, derive
from engine.rules import State
from tests.arena.analysis.games import of

BUDGET = Budget(200)


def question(game: str, state: State, played: int, *named: int) -> WeighingTask:
    _, edition = of(game)
    seat = state.to_act
    return WeighingTask(game, 2, edition, state.view(seat), seat, len(state.actions()), played, named, "a test")


def after(game: str, *ids: int) -> State:
    """A position of a game of OpenSpiel after actions with these ids."""
    pytest.importorskip("pyspiel")
    rules, edition = of(game)
    state = rules.start(2, edition, Seeded(derive(bytes(16), "a test")))
    for each in ids:
        state.play([action["id"] for action in state.actions()].index(each))
    return state


def action(state: State, number: int) -> int:
    return [each["id"] for each in state.actions()].index(number)


def worth(values: list[Value]) -> dict[int, Value]:
    return {each.action: each for each in values}


def a_winning_move(game: str) -> tuple[State, int]:
    """A state of our own rules in which an action ends the game as a win, and that action."""
    rules, edition = of(game)
    for seed in range(200):
        random = Random(seed)
        state = rules.start(2, edition, Seeded(b"%016d" % seed))
        while (seat := state.to_act) is not None:
            for index in range(len(state.actions())):
                tried = state.copy()
                tried.play(index)
                if tried.to_act is None and tried.ranks()[seat] == 1 and len(state.actions()) > 2:
                    return state, index
            ways = [each["to"] if type(each.get("to")) is int else 0 for each in state.actions()]
            state.play(ways.index(max(ways)) if max(ways) else random.randrange(len(ways)))
    raise AssertionError("none found")


def test_a_move_that_wins_is_found_and_worth_all() -> None:
    state, winning = a_winning_move("ravensburger")
    other = next(index for index in range(len(state.actions())) if index != winning)
    found = weigh(question("ravensburger", state, other), BUDGET)
    assert found.values[0].action == winning
    assert found.values[0].value == 1.0
    assert found.values[0].lost == pytest.approx(1 - worth(found.values)[other].value)
    assert weigh(question("ravensburger", state, winning), BUDGET).values[0].lost == 0


def test_a_threat_is_seen_of_which_playouts_at_random_think_little() -> None:
    state = after("openspiel:connect_four", 0, 3, 1, 4)  # x has 0 and 1 in the lowest row, o 3 and 4
    state.play(action(state, 6))  # x looks away: o wins with 2 or 5, or with 2 alone if x defends at 5
    state.play(action(state, 2))  # o has 2, 3 and 4: only 5 is left to defend
    best = weigh(question("openspiel:connect_four", state, action(state, 0)), Budget(600)).values[0]
    assert best.action == action(state, 5)
    assert best.lost > 3 * best.error


def test_a_score_is_weighed_where_one_is_played_for() -> None:
    """The king in kuhn poker is worth two chips if a bet is called, and minus one if not."""
    for seed in range(100):
        pytest.importorskip("pyspiel")
        rules, edition = of("openspiel:kuhn_poker")
        state = rules.start(2, edition, Seeded(derive(bytes(16), "a deal", seed)))
        state.play(action(state, 1))
        if state.view(1)["text"].startswith("2"):
            break
    fold, call = action(state, 0), action(state, 1)
    found = weigh(question("openspiel:kuhn_poker", state, fold), BUDGET)
    values = worth(found.values)
    assert (values[call].value, values[fold].value) == (2, -1)
    assert (found.values[0].action, found.values[0].lost) == (call, 3)
    assert found.chances == [1, -1]


def test_the_same_label_gives_the_same_result_and_a_named_choice_is_weighed() -> None:
    rules, edition = of("kosmos")
    state = rules.start(2, edition, Seeded(b"%016d" % 3))
    while len(state.actions()) < 5:
        state.play(0)
    asked = question("kosmos", state, 0, 4)
    found = weigh(asked, Budget(60))
    assert {0, 4} <= set(worth(found.values))
    assert weigh(asked, Budget(60)) == found
    assert weigh(asked._replace(label="another"), Budget(60)) != found


def test_a_budget_of_time_ends() -> None:
    rules, edition = of("kosmos")
    state = rules.start(2, edition, Seeded(b"%016d" % 3))
    assert weigh(question("kosmos", state, 0), Budget(seconds=0.01)) is not None


def test_what_is_hidden_changes_nothing() -> None:
    """Two games that only the other seat can tell apart: the analysis of this seat is the same."""
    rules, edition = of("kosmos")
    state = rules.start(2, edition, Seeded(b"%016d" % 3))
    while state.to_act != 0 or len(state.actions()) < 3:
        state.play(0)
    other = rules.determinize(state.view(0), 2, edition, Seeded(b"%016d" % 4))
    assert other.view(1) != state.view(1), "else nothing is shown"
    one, two = (weigh(question("kosmos", each, 1), Budget(60)) for each in (state, other))
    assert msgspec.json.encode(one) == msgspec.json.encode(two)


def test_without_worlds_nothing_is_weighed() -> None:
    pytest.importorskip("pyspiel")
    rules, edition = of("openspiel:hearts")
    state = rules.start(4, edition, Seeded(derive(bytes(16), "a test")))
    seat = state.to_act
    asked = WeighingTask(rules.name, 4, edition, state.view(seat), seat, len(state.actions()), 0, (), "a test")
    assert weigh(asked, BUDGET) is None

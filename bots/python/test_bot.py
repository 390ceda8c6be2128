"""The bot's own tests: `decide` is a plain function, so it can be asked without any referee."""

from random import Random
from types import SimpleNamespace

from bot import decide


def position(phase, *actions):
    return SimpleNamespace(game="kosmos", turn=1, view={"phase": phase}, actions=actions, random=Random(1))


def test_the_quickest_leg_is_travelled():
    slow, quick = ({"do": "travel", "to": "Paris", "days": days} for days in (9, 6))
    assert decide(position("travel", {"do": "stay"}, slow, quick)) == 2


def test_without_a_leg_it_stays():
    assert decide(position("travel", {"do": "stay"}, {"do": "buy", "deck": "travel"})) == 0


def on_the_track(*actions):
    view = {"phase": "turn", "square": [30, 12]}
    return SimpleNamespace(game="ravensburger", seat=1, turn=1, view=view, actions=actions, random=Random(1))


def test_the_longest_stride_is_taken():
    near, far, back = ({"do": "play", "card": "train-4", "to": to} for to in (13, 16, 8))
    assert decide(on_the_track(near, back, far, {"do": "draw", "count": 2})) == 2


def test_no_step_is_taken_back():
    back = {"do": "play", "card": "train-4", "to": 8}
    others = [{"do": "draw", "count": 1}, {"do": "play", "card": "rose"}, {"do": "rose", "to": "coach"}]
    assert {decide(on_the_track(back, *others)) for _ in range(50)} <= {1, 2, 3}


def test_in_a_game_that_it_does_not_know_it_answers_something_allowed():
    unknown = SimpleNamespace(game="another", turn=1, view={}, actions=[{}, {}, {}], random=Random(1))
    assert {decide(unknown) for _ in range(50)} == {0, 1, 2}

"""The bot's own tests: `decide` is a plain function, so it can be asked without any referee."""

from random import Random
from types import SimpleNamespace

from bot import decide


def position(phase, *actions, days=(0, 0), late_first_loses=True, **view):
    return SimpleNamespace(
        game="kosmos",
        edition={"parameters": {"late_first_loses": late_first_loses}},
        seat=0,
        players=len(days),
        turn=1,
        view={"phase": phase, "days": days, **view},
        actions=actions,
        random=Random(1),
    )


def leg(days, to="Paris", die=False):
    return {"do": "travel", "to": to, "days": days, "die": die}


def test_the_quickest_leg_is_travelled_and_a_roll_is_reckoned_at_its_most():
    assert decide(position("travel", {"do": "stay"}, leg(9), leg(6), leg(1, die=True))) == 2


def test_nobody_comes_home_late_where_that_loses():
    home = {"do": "stay"}, leg(6, "London")
    assert decide(position("travel", *home, days=(75, 0))) == 0
    assert decide(position("travel", *home, days=(74, 0))) == 1
    assert decide(position("travel", *home, days=(75, 0, 0))) == 1
    assert decide(position("travel", *home, days=(75, 0), late_first_loses=False)) == 1


def test_low_cards_of_the_kind_that_is_short_are_taken():
    cards = [{"do": "take", "place": "gold", "card": card} for card in ("t2", "s6", "s5")]
    assert decide(position("take", *cards, hand=["t3", "t6", "s8", "submarine"])) == 2


def test_without_a_leg_it_stays():
    assert decide(position("travel", {"do": "stay"}, {"do": "buy", "deck": "travel"})) == 0


def on_the_track(*actions):
    view = {"phase": "turn", "square": [30, 12], "hand": ["coach-2", "train-5", "purse"]}
    return SimpleNamespace(game="ravensburger", seat=1, turn=1, view=view, actions=actions, random=Random(1))


def test_the_longest_stride_is_taken():
    near, far, back = ({"do": "play", "card": "train-4", "to": to} for to in (13, 16, 8))
    assert decide(on_the_track(near, back, far, {"do": "draw", "count": 2})) == 2


def test_no_step_is_taken_back():
    back = {"do": "play", "card": "train-4", "to": 8}
    one, two = ({"do": "draw", "count": count} for count in (1, 2))
    assert decide(on_the_track(back, one, two)) == 2
    assert decide(on_the_track(back, one, two, {"do": "play", "card": "rose"})) == 3


def test_the_rose_lies_where_the_longest_card_is():
    assert decide(on_the_track(*({"do": "rose", "to": mode} for mode in ("steamer", "coach", "train")))) == 2


def test_in_a_game_that_it_does_not_know_it_answers_something_allowed():
    unknown = SimpleNamespace(game="another", turn=1, view={}, actions=[{}, {}, {}], random=Random(1))
    assert {decide(unknown) for _ in range(50)} == {0, 1, 2}

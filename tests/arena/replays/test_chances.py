"""Chances to win from strengths, and the turns at which they changed most."""

from __future__ import annotations

from arena.replays.chances import MOST, WHOLE, final, shares, turning_points


def step(text: int, changes: dict[str, object]) -> list[object]:
    return [0, 0, [text], changes, None]


def test_chances_are_shares_of_a_whole() -> None:
    assert shares([0.0, 0.0]) == [500, 500]
    one, two, none = shares([3.0, 4.0, -900.0])
    assert none == 0
    assert one + two == WHOLE
    assert 2.6 < two / one < 2.8


def test_in_the_end_the_winner_has_all_and_a_tie_is_shared() -> None:
    assert final([2, 1, 3]) == [0, 1000, 0]
    assert final([1, 3, 1]) == [500, 0, 500]


def test_a_turning_point_names_whose_chance_changed_and_the_step_that_says_why() -> None:
    steps = [step(0, {}), step(1, {"at": {"1": 4}}), step(2, {"seats": {"1": {"gold": 2}}}), step(3, {}), step(4, {})]
    turns = [(0, [500, 500]), (3, [300, 700]), (5, [290, 710])]
    [found] = turning_points(turns, steps)
    assert found == {"step": 3, "seat": 1, "before": 500, "after": 700, "why": 1}


def test_the_end_of_a_game_and_no_move_before_it_is_why_a_chance_changed_there() -> None:
    steps = [step(0, {}), step(1, {"at": {"0": 4}}), step(2, {"seats": {"0": {"gold": 2}}}), step(3, {})]
    turns = [(0, [500, 500]), (4, [0, 1000])]
    [found] = turning_points(turns, steps, over=True)
    assert (found["seat"], found["step"], found["why"]) == (1, 4, 3)


def test_only_the_greatest_changes_are_turning_points_and_they_keep_their_order() -> None:
    steps = [step(0, {})] * 20
    turns = [(at, [500 + (at % 2) * 10 * (20 + at), 500 - (at % 2) * 10 * (20 + at)]) for at in range(20)]
    found = turning_points(turns, steps)
    assert len(found) == MOST
    assert [each["step"] for each in found] == sorted(each["step"] for each in found)
    assert min(each["step"] for each in found) > 10

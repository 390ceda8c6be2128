"""Chances to win from strengths."""

from __future__ import annotations

from arena.replays.turning_points import WHOLE, final, shares


def test_chances_are_shares_of_a_whole() -> None:
    assert shares([0.0, 0.0]) == [500, 500]
    one, two, none = shares([3.0, 4.0, -900.0])
    assert none == 0
    assert one + two == WHOLE
    assert 2.6 < two / one < 2.8


def test_in_the_end_the_winner_has_all_and_a_tie_is_shared() -> None:
    assert final([2, 1, 3]) == [0, 1000, 0]
    assert final([1, 3, 1]) == [500, 0, 500]

"""Bots that play for others are told from those that do not."""

from __future__ import annotations

from numpy.random import RandomState

from arena.rating import RatingInput
from arena.reports.collusion import favours
from benchmarks.collusion import Kind, played


def test_who_favours_whom_is_found() -> None:
    found = favours(played(Kind("", bots=8, blocks=120, shift=1.5), RandomState(1)))
    assert (found[0].bot, found[0].beside) == ("b00", "b07")
    assert found[0].gain > 0.05 > -0.05 > found[0].other_gain
    assert found[0].in_words().startswith("b00 is ahead of third bots +")


def test_a_field_without_favours_shows_none() -> None:
    assert favours(played(Kind("", bots=8, blocks=120), RandomState(1))) == []


def test_bots_that_met_too_seldom_are_not_spoken_of() -> None:
    assert favours(played(Kind("", bots=8, blocks=4, shift=9.0), RandomState(1)), 1.0) == []


def test_games_of_two_say_nothing() -> None:
    assert favours([RatingInput(["a", "b"], [1, 2], [{}, {}], (2, 0))], 1.0) == []

"""The tutorials: recorded games that the rules still play, and lessons that stand where they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.game.replay import verify
from arena.play.tutorial import has_tutorial, tutorial
from arena.replays.game_file import read_game
from engine import catalog
from tests.arena.play.tutorials import GAMES, home

MINUTES = 5
WORDS = 200
"""What people read in a minute."""
ACT = 6
"""Seconds that it takes to look at the board and to click."""


class Plain:
    """A game that ships nothing beside its code."""

    name = "plain"


def test_both_games_have_one_and_others_none() -> None:
    assert all(has_tutorial(catalog.rules(game)) for game in GAMES)
    plain: Any = Plain()
    assert not has_tutorial(plain)
    with pytest.raises(FileNotFoundError):
        tutorial(plain)


@pytest.mark.parametrize("game", GAMES)
def test_its_game_was_really_played(game: str) -> None:
    recorded = read_game(home(game) / "tutorial.json")
    assert verify(recorded.record, catalog.rules(game), recorded.edition) == []


@pytest.mark.parametrize("game", GAMES)
def test_its_lessons_follow_the_game_and_take_about_five_minutes(game: str) -> None:
    found = tutorial(catalog.rules(game))
    lessons = found["lessons"]
    steps = [lesson["step"] for lesson in lessons]
    assert steps == sorted(steps)
    assert steps[-1] == len(found["public"]["steps"])
    asked = [lesson for lesson in lessons if lesson["choices"]]
    assert len(asked) >= 8
    for lesson in asked:
        assert 0 <= lesson["chosen"] < len(lesson["choices"]) > 1
        assert lesson["why"]
    pointed = {mark.partition(":")[0] for lesson in lessons for mark in lesson["point"]}
    assert pointed >= {"place", "panel"}
    read = sum(len(lesson["text"].split()) for lesson in lessons) / WORDS * 60
    assert 0.6 * MINUTES * 60 < read + len(lessons) * ACT + len(asked) * ACT < 1.2 * MINUTES * 60
    assert len(json.dumps(found)) < 150_000


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_the_rival_is_told(game: str) -> None:
    found = tutorial(catalog.rules(game))
    assert set(found) == {"table", "title", "about", "seat", "public", "own", "lessons"}
    assert found["own"]["seat"] == found["seat"]

"""Boards of our games: cities at their places, and a board of somebody's own."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import pairwise
from math import hypot

import pytest

from engine import catalog
from engine.atlas import HEIGHT, WIDTH, project
from engine.game import Data
from engine.picture import Illustrated

PARIS, SUEZ, NEW_YORK = project(48.86, 2.35), project(29.97, 32.55), project(40.71, -74.01)
JOURNEY = (
    "London", "Paris", "Brindisi", "Suez", "Bombay", "Calcutta", "Hong Kong", "Yokohama", "San Francisco", "New York",
)  # fmt: skip


def board_of(name: str, edition: Data) -> Data:
    game = catalog.game(name)
    assert isinstance(game, Illustrated)
    board = game.board(edition)
    assert json.loads(json.dumps(board)) == board
    assert (board["width"], board["height"]) == (WIDTH, HEIGHT)
    assert board["land"].startswith("M")
    assert all(0 <= place["x"] <= WIDTH and 0 <= place["y"] <= HEIGHT for place in board["places"])
    assert all(0 <= place < len(board["places"]) for route in board["routes"] for place in route)
    return board


def at(board: Data, place: int) -> tuple[float, float]:
    return board["places"][place]["x"], board["places"][place]["y"]


@pytest.mark.parametrize("edition", catalog.game("kosmos").editions())
def test_the_cities_of_a_race_lie_where_they_are(edition: str) -> None:
    board = board_of("kosmos", catalog.game("kosmos").edition(edition))
    assert [place["name"] for place in board["places"]] == [*JOURNEY, "London"]
    assert [place["kind"] for place in board["places"]] == ["start", *["city"] * 9, "goal"]
    assert (at(board, 1), at(board, 3), at(board, 9)) == (PARIS, SUEZ, NEW_YORK)
    assert [place["x"] for place in board["places"]] == sorted(place["x"] for place in board["places"])
    assert at(board, 10)[0] - at(board, 0)[0] > 800
    assert at(board, 10)[1] == at(board, 0)[1]
    assert board["routes"] == [[city, city + 1] for city in range(10)]


def test_a_city_that_nobody_knows_lies_between_its_neighbours() -> None:
    edition = deepcopy(catalog.game("kosmos").edition("standard"))
    edition["board"]["cities"][2] = "Atlantis"
    board = board_of("kosmos", edition)
    assert board["places"][2]["name"] == "Atlantis"
    assert at(board, 2) == pytest.approx(((PARIS[0] + SUEZ[0]) / 2, (PARIS[1] + SUEZ[1]) / 2), abs=0.1)


@pytest.mark.parametrize("edition", catalog.game("ravensburger").editions())
def test_a_track_leads_from_stage_to_stage(edition: str) -> None:
    data = catalog.game("ravensburger").edition(edition)
    board = board_of("ravensburger", data)
    track = data["board"]
    assert len(board["places"]) == track["goal"] + 1
    kinds = {place["kind"] for place in board["places"]}
    assert kinds == {"start", "goal", "rose", "stage", "spyglass", "handcuffs", None}
    for kind in ("rose", "stage", "spyglass", "handcuffs"):
        assert [square for square, place in enumerate(board["places"]) if place["kind"] == kind] == track[kind]
    stages = {board["places"][square]["name"]: at(board, square) for square in track["stage"]}
    assert list(stages) == track["stage_names"]
    assert (stages["Paris"], stages["Suez"], stages["New York"]) == (PARIS, SUEZ, NEW_YORK)
    assert board["places"][1]["name"] == "square 1"
    assert board["routes"] == [list(range(track["goal"] + 1))]
    apart = [hypot(x - u, y - v) for (x, y), (u, v) in pairwise([at(board, square) for square in range(81)])]
    assert min(apart) > 8.5


@pytest.mark.parametrize("goal", [2, 30, 81, 1000])
def test_a_track_of_another_length_with_other_stages(goal: int) -> None:
    data = deepcopy(catalog.game("ravensburger").edition("standard"))
    middle = goal // 2
    data["board"] = {
        "goal": goal, "rose": [], "spyglass": [], "handcuffs": [], "stage": [middle], "stage_names": ["Atlantis"],
    }  # fmt: skip
    board = board_of("ravensburger", data)
    assert len(board["places"]) == goal + 1
    assert board["places"][middle] | {"x": 0, "y": 0} == {"name": "Atlantis", "x": 0, "y": 0, "kind": "stage"}
    assert len({at(board, square) for square in range(goal + 1)}) == goal + 1

"""Boards of our games: cities at their places, and a board of somebody's own."""

from __future__ import annotations

import json
from copy import deepcopy
from itertools import combinations, pairwise
from math import hypot

import pytest

from engine import catalog
from engine.atlas import HEIGHT, WIDTH, copies, project
from engine.atlas.route import journey
from engine.picture import Illustrated
from engine.rules import Data

PARIS, SUEZ, NEW_YORK = project(48.86, 2.35), project(29.97, 32.55), project(40.71, -74.01)
JOURNEY = (
    "London", "Paris", "Brindisi", "Suez", "Bombay", "Calcutta", "Hong Kong", "Yokohama", "San Francisco", "New York",
)  # fmt: skip
BENDS = {
    "kosmos": set(),
    "ravensburger": {
        ("London", "Paris"),
        ("Paris", "Brindisi"),
        ("Brindisi", "Suez"),
        ("Bombay", "Calcutta"),
        ("Liverpool", "London"),
    },
}
"""Legs with more squares than fit between their cities 9 units apart: a bend there swings back by up to a square."""
EDITIONS = [(name, edition) for name, rules in catalog.installed().items() for edition in rules.editions()]


def board_of(name: str, edition: Data) -> Data:
    rules = catalog.rules(name)
    assert isinstance(rules, Illustrated)
    board = rules.board(edition)
    assert json.loads(json.dumps(board)) == board
    assert (board["width"], board["height"]) == (WIDTH, HEIGHT)
    assert board["land"].startswith("M")
    assert all(0 <= place["x"] <= WIDTH and 0 <= place["y"] <= HEIGHT for place in board["places"])
    assert all(0 <= place < len(board["places"]) for route in board["routes"] for place in route)
    return board


def at(board: Data, place: int) -> tuple[float, float]:
    return board["places"][place]["x"], board["places"][place]["y"]


@pytest.mark.parametrize("edition", catalog.rules("kosmos").editions())
def test_the_cities_of_a_race_lie_where_they_are(edition: str) -> None:
    board = board_of("kosmos", catalog.rules("kosmos").edition(edition))
    assert [place["name"] for place in board["places"]] == [*JOURNEY, "London"]
    assert [place["kind"] for place in board["places"]] == ["start", *["city"] * 9, "goal"]
    assert (at(board, 1), at(board, 3), at(board, 9)) == (PARIS, SUEZ, NEW_YORK)
    assert [place["x"] for place in board["places"]] == sorted(place["x"] for place in board["places"])
    assert at(board, 10)[0] - at(board, 0)[0] > 800
    assert at(board, 10)[1] == at(board, 0)[1]
    assert board["routes"] == [[city, city + 1] for city in range(10)]


def test_a_city_that_nobody_knows_lies_between_its_neighbours() -> None:
    edition = deepcopy(catalog.rules("kosmos").edition("standard"))
    edition["board"]["cities"][2] = "Atlantis"
    board = board_of("kosmos", edition)
    assert board["places"][2]["name"] == "Atlantis"
    assert at(board, 2) == pytest.approx(((PARIS[0] + SUEZ[0]) / 2, (PARIS[1] + SUEZ[1]) / 2), abs=0.1)


@pytest.mark.parametrize("edition", catalog.rules("ravensburger").editions())
def test_a_track_leads_from_stage_to_stage(edition: str) -> None:
    data = catalog.rules("ravensburger").edition(edition)
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


@pytest.mark.parametrize(("name", "edition"), EDITIONS)
def test_every_route_runs_eastwards_but_for_its_bends(name: str, edition: str) -> None:
    board = board_of(name, catalog.rules(name).edition(edition))
    squares = board["places"]
    stops = [at for at, each in enumerate(squares) if each["name"] in (*JOURNEY, "Liverpool")]
    legs = list(pairwise(stops))
    assert [squares[stop]["x"] for stop in stops] == sorted({squares[stop]["x"] for stop in stops})
    bends = set()
    for one, other in (pair for route in board["routes"] for pair in pairwise(route)):
        assert other == one + 1
        back = squares[one]["x"] - squares[other]["x"]
        assert back < 9.1
        if back >= 0:
            begin, end = next(leg for leg in legs if leg[0] <= one < leg[1])
            bends.add((squares[begin]["name"], squares[end]["name"]))
    assert bends == BENDS[name]


@pytest.mark.parametrize("number", [1, 2, 3, 10])
def test_a_track_with_fewer_stages_runs_eastwards_too(number: int) -> None:
    """Liverpool and Paris are on the map twice; which of them is meant follows from what lies before and behind."""
    data = deepcopy(catalog.rules("ravensburger").edition("standard"))
    for names in combinations([*JOURNEY[1:], "Liverpool"], number):
        stages = list(range(10, 10 + 5 * len(names), 5))
        data["board"] |= {"rose": [], "spyglass": [], "handcuffs": [], "stage": stages, "stage_names": list(names)}
        board = board_of("ravensburger", data)
        stops = [board["places"][stop]["x"] for stop in (0, *stages, 80)]
        assert stops == sorted(set(stops)), names
        steps = [max(one - other, 0) for one, other in pairwise(place["x"] for place in board["places"])]
        assert max(steps) < 9.1, names


def test_a_city_at_the_edge_is_drawn_where_the_way_is_shortest() -> None:
    london, liverpool, paris, new_york = (51.51, -0.13), (53.41, -2.99), (48.86, 2.35), (40.71, -74.01)

    def drawn(*stops: tuple[float, float] | None) -> list[float | None]:
        return [None if point is None else point[0] for point in journey(stops)]

    left, right = copies(*liverpool)
    assert (left[0], right[0]) == (47.8, 952.3)
    assert copies(*new_york) == [NEW_YORK]
    assert drawn(london, liverpool, paris, new_york, london) == [54.9, 47.8, 61.2, 773.8, 959.5]
    assert drawn(london, paris, new_york, None, liverpool, london) == [54.9, 61.2, 773.8, None, 952.3, 959.5]
    assert drawn(london, london) == [54.9, 959.5]


@pytest.mark.parametrize("goal", [2, 30, 81, 1000])
def test_a_track_of_another_length_with_other_stages(goal: int) -> None:
    data = deepcopy(catalog.rules("ravensburger").edition("standard"))
    middle = goal // 2
    data["board"] = {
        "goal": goal, "rose": [], "spyglass": [], "handcuffs": [], "stage": [middle], "stage_names": ["Atlantis"],
    }  # fmt: skip
    board = board_of("ravensburger", data)
    assert len(board["places"]) == goal + 1
    assert board["places"][middle] | {"x": 0, "y": 0} == {"name": "Atlantis", "x": 0, "y": 0, "kind": "stage"}
    assert len({at(board, square) for square in range(goal + 1)}) == goal + 1


@pytest.mark.parametrize(("edition", "late"), [("standard", "loses if that took more than 80"), ("en", "however many")])
def test_the_aim_of_two_on_a_journey_is_another(edition: str, late: str) -> None:
    """K-82: whoever is home first wins, and the parameter says whether the days matter."""
    board = board_of("kosmos", catalog.rules("kosmos").edition(edition))
    assert "fewest days" in board["goal"]
    assert list(board["goals"]) == ["2"]
    assert "first wins" in board["goals"]["2"]
    assert late in board["goals"]["2"]

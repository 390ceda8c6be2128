"""The map of the world: where cities lie on it, and how its land is made."""

from __future__ import annotations

import re
from itertools import pairwise
from math import asinh, hypot, radians, tan
from typing import Any

import pytest

from engine.atlas import EAST, HEIGHT, WEST, WIDTH, land, project
from engine.atlas.route import route
from generators import atlas

Ring = list[tuple[float, float]]

CITIES = {
    "London": (51.51, -0.13),
    "Cairo": (30.04, 31.24),
    "Nairobi": (-1.29, 36.82),
    "Nagpur": (21.15, 79.09),
    "Beijing": (39.9, 116.4),
    "Alice Springs": (-23.7, 133.88),
    "Denver": (39.74, -104.99),
    "Brasilia": (-15.79, -47.88),
}
SEAS = {
    "mid Atlantic": (35, -40),
    "mid Pacific": (10, -150),
    "Indian Ocean": (-20, 80),
    "Bering Sea": (58, -178),
    "Caspian Sea": (42, 50.5),
    "Mediterranean": (34, 18),
}


def rings() -> list[Ring]:
    found: list[Ring] = []
    for text in land().splitlines():
        numbers = [float(number) for number in re.findall(r"-?(?:\d+(?:\.\d+)?|\.\d+)", text)]
        x = y = 0.0
        ring: Ring = []
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            ring.append((x, y))
        found.append(ring)
    return found


def winding(point: tuple[float, float], ring: Ring) -> int:
    """How often a ring runs around a point."""
    x, y = point
    found = 0
    for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]]):
        if (y1 <= y) != (y2 <= y) and x1 + (y - y1) / (y2 - y1) * (x2 - x1) > x:
            found += 1 if y2 > y1 else -1
    return found


def is_land(lat: float, lon: float) -> bool:
    """By the fill rule nonzero."""
    return sum(winding(project(lat, lon), ring) for ring in rings()) != 0


def test_the_edges_of_the_map() -> None:
    assert project(0, WEST)[0] == 0
    assert project(0, EAST)[0] == WIDTH
    assert project(76, 0)[1] == 0
    assert project(-55.5, 0)[1] == pytest.approx(HEIGHT, abs=0.6)
    assert 380 < HEIGHT < 420


@pytest.mark.parametrize("city", CITIES)
def test_known_cities_are_where_they_should_be(city: str) -> None:
    """Miller's projection in its other form, on a map that is 398 degrees wide and begins 22 degrees west."""
    lat, lon = CITIES[city]
    unit = 1000 / radians(398)
    north = 1.25 * asinh(tan(0.8 * radians(76)))
    x = unit * radians(lon + 22 if lon > -22 else lon + 382)
    assert project(lat, lon) == pytest.approx((x, unit * (north - 1.25 * asinh(tan(0.8 * radians(lat))))), abs=0.06)


def test_known_places_by_hand() -> None:
    assert project(0, 0) == pytest.approx((22 / 398 * 1000, 242), abs=0.2)
    assert project(51.51, -0.13) == pytest.approx((54.95, 99.8), abs=0.1)
    assert project(51.51, 359.87)[0] - project(51.51, -0.13)[0] == pytest.approx(360 / 398 * 1000, abs=0.2)


def test_a_journey_eastwards_goes_to_the_right() -> None:
    journey = [project(0, lon)[0] for lon in (-0.13, 32.5, 72.8, 139.6, -122.4, -74, 359.87)]
    assert journey == sorted(journey)


@pytest.mark.parametrize("city", CITIES)
def test_cities_lie_on_land(city: str) -> None:
    assert is_land(*CITIES[city])


def test_london_lies_on_land_at_the_end_too() -> None:
    assert is_land(51.51, 359.87)


@pytest.mark.parametrize("sea", SEAS)
def test_seas_are_left_blank(sea: str) -> None:
    assert not is_land(*SEAS[sea])


def test_the_land_is_one_path_within_the_map() -> None:
    assert re.fullmatch(r"(M[\d. -]+l[\d. -]+z\n?)+", land())
    assert 30_000 < len(land()) < 60_000
    assert all(-0.1 <= x <= WIDTH + 0.1 and -0.1 <= y <= HEIGHT + 0.1 for ring in rings() for x, y in ring)


def topology(*arcs: list[list[int]], polygons: list[list[list[int]]]) -> dict[str, Any]:
    """A file as `world-atlas` has it; points in whole degrees, each from the one before."""
    geometry = {"type": "GeometryCollection", "geometries": [{"type": "MultiPolygon", "arcs": polygons}]}
    transform = {"scale": [1, 1], "translate": [0, 0]}
    return {"type": "Topology", "transform": transform, "arcs": list(arcs), "objects": {"land": geometry}}


def test_arcs_are_joined_and_drawn() -> None:
    """Two arcs, one of them run backwards, around a square."""
    square = topology([[60, 0], [0, 20], [20, 0]], [[60, 0], [20, 0], [0, 20]], polygons=[[[0, -2]]])
    assert [sorted(ring) for ring in atlas.rings(square)] == [[(60, 0), (60, 20), (80, 0), (80, 20)]]
    left, right = project(0, 60)[0], project(0, 80)[0]
    top, bottom = project(20, 60)[1], project(0, 60)[1]
    [drawn] = atlas.drawn(next(atlas.rings(square)))
    assert sorted(drawn) == [(left, top), (left, bottom), (right, top), (right, bottom)]
    assert atlas.path(square) == f"M{left:g} {bottom:g}l0 -{bottom - top:g} {right - left:g} 0 0 {bottom - top:g}z"


def test_what_lies_at_the_seam_is_drawn_at_both_ends() -> None:
    square = topology([[0, 0], [0, 20], [10, 0], [0, -20], [-10, 0]], polygons=[[[0]]])
    assert [round(min(ring)[0]) for ring in atlas.drawn(next(atlas.rings(square)))] == [55, 960]


def test_a_ring_across_the_date_line_is_drawn_in_one_piece() -> None:
    ring = [(170.0, 0.0), (170.0, 20.0), (-170.0, 20.0), (-170.0, 0.0)]
    [drawn] = atlas.drawn(ring)
    assert (min(drawn)[0], max(drawn)[0]) == (project(0, 170)[0], project(0, 190)[0])


def test_antarctica_and_specks_are_left_out() -> None:
    assert not list(atlas.drawn([(0.0, -90.0), (0.0, -65.0), (90.0, -65.0)]))
    assert not list(atlas.drawn([(0.0, 0.0), (0.0, 0.2), (0.2, 0.2)]))


def test_lines_lose_the_points_that_hardly_matter() -> None:
    ring = [(0.0, 0.0), (5.0, 0.1), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert atlas.simplified(ring) == [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert atlas.area([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]) == 100


def test_what_lies_outside_is_cut_off() -> None:
    square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    assert sorted(atlas.clipped(square, lambda point: 5 - point[0])) == [(0, 0), (0, 10), (5, 0), (5, 10)]
    assert atlas.clipped(square, lambda point: -1 - point[0]) == []


def test_unknown_places_lie_between_known_ones() -> None:
    assert route([(0, 0), None, (20, 0), (20, 10), None, (20, 0)]) == [
        (0, 0), (10, 0), (20, 0), (20, 10), (20, 5), (20, 0),
    ]  # fmt: skip


@pytest.mark.parametrize("legs", [2, 3, 5, 9])
@pytest.mark.parametrize("end", [(500.0, 200.0), (503.0, 201.0), (512.0, 190.0)])
def test_where_a_way_is_too_short_it_makes_a_bend(legs: int, end: tuple[float, float]) -> None:
    found = route([(500.0, 200.0), *[None] * (legs - 1), end], 8)
    assert (found[0], found[-1]) == ((500, 200), end)
    apart = [hypot(x - u, y - v) for (x, y), (u, v) in pairwise(found)]
    assert apart == pytest.approx([8] * legs, abs=0.2) or hypot(end[0] - 500, end[1] - 200) > 8 * legs
    assert len(set(found[1:])) == legs

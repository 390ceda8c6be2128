"""The script that makes `land.txt` from the land of a `world-atlas` package: `python -m generators.atlas FILE`.

FILE is a TopoJSON file.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import engine.atlas
from engine.atlas import EAST, HEIGHT, WEST, WIDTH, project

Point = tuple[float, float]
Ring = list[Point]

LAND: Final = Path(engine.atlas.__file__).with_name("land.txt")
TOLERANCE: Final = 0.45
"""How far simplification may move a line, in units of the map."""
SMALLEST: Final = 1.2
"""Land with a smaller area, in square units of the map, is left out."""
ANTARCTICA: Final = -60.0
"""Rings south of this latitude are left out."""
SEAM: Final = 0.2
"""The data are cut at 180 degrees. Both sides are extended over the cut by this many degrees, so that no gap shows."""


def rings(topology: dict[str, Any]) -> Iterator[Ring]:
    """Generate the rings of the land in degrees (longitude, latitude): outer rings clockwise, holes anticlockwise."""
    arcs = [list(_decoded(arc, topology["transform"])) for arc in topology["arcs"]]
    for polygon in _polygons(topology["objects"]["land"]):
        for ring in polygon:
            points: Ring = []
            for number in ring:
                arc = arcs[number] if number >= 0 else arcs[~number][::-1]
                points += arc[1:] if points else arc  # an arc begins where the one before it ends
            yield points[:-1]


def _polygons(geometry: dict[str, Any]) -> Iterator[list[list[int]]]:
    for inner in geometry.get("geometries", []):
        yield from _polygons(inner)
    if geometry["type"] == "MultiPolygon":
        yield from geometry["arcs"]
    elif geometry["type"] == "Polygon":
        yield geometry["arcs"]


def _decoded(arc: list[list[int]], transform: dict[str, list[float]]) -> Iterator[Point]:
    """Generate the points of an arc, each of which is stored as its distance from the one before in steps of a grid."""
    (scale_x, scale_y), (left, bottom) = transform["scale"], transform["translate"]
    x = y = 0
    for dx, dy in arc:
        x, y = x + dx, y + dy
        yield x * scale_x + left, y * scale_y + bottom


def drawn(ring: Ring) -> Iterator[Ring]:
    """Generate the copies of a ring on the map: none, one or two, as the map is wider than the world."""
    if max(lat for _, lat in ring) < ANTARCTICA:
        return
    whole = _unrolled(ring)
    for turn in range(-720, 721, 360):
        copy = [(lon + turn, max(lat, -85.0)) for lon, lat in whole]
        for edge in (lambda p: p[0] - WEST, lambda p: EAST - p[0]):
            copy = clipped(copy, edge)
        found = [project(lat, max(lon, WEST)) for lon, lat in copy]
        for edge in (lambda p: p[1], lambda p: HEIGHT - p[1]):
            found = clipped(found, edge)
        found = simplified(found)
        if len(found) > 2 and abs(area(found)) >= SMALLEST:
            yield found


def _unrolled(ring: Ring) -> Ring:
    """Return a ring without jumps from one end of the world to the other; a ring cut there extends over the cut."""
    turn = 0
    found: Ring = []
    for (before, _), (lon, lat) in zip(ring[-1:] + ring[:-1], ring, strict=True):
        if found and abs(lon - before) > 180:
            turn += 360 if lon < before else -360
        found.append((lon + turn, lat))
    if any(abs(lon) > 180 for lon, _ in found):
        return found
    return [(lon + SEAM * ((lon > 179.99) - (lon < -179.99)), lat) for lon, lat in found]


def clipped(ring: Ring, inside: Callable[[Point], float]) -> Ring:
    """Return the part of a ring where `inside`, a linear function, is not negative."""
    found: Ring = []
    for (before, at), point in zip(((p, inside(p)) for p in ring[-1:] + ring[:-1]), ring, strict=True):
        here = inside(point)
        if (at < 0) != (here < 0):
            share = at / (at - here)
            found.append((before[0] + share * (point[0] - before[0]), before[1] + share * (point[1] - before[1])))
        if here >= 0:
            found.append(point)
    return found


def simplified(ring: Ring) -> Ring:
    """Return a ring with the fewest points that stay within `TOLERANCE` of it (Douglas-Peucker)."""
    if len(ring) < 4:
        return ring
    far = max(range(len(ring)), key=lambda n: _distance(ring[n], ring[0], ring[0]))
    return _line(ring[: far + 1])[:-1] + _line([*ring[far:], ring[0]])[:-1]


def _line(points: Ring) -> Ring:
    if len(points) < 3:
        return points
    apart = [_distance(point, points[0], points[-1]) for point in points[1:-1]]
    most = max(apart)
    if most <= TOLERANCE:
        return [points[0], points[-1]]
    middle = apart.index(most) + 1
    return _line(points[: middle + 1])[:-1] + _line(points[middle:])


def _distance(point: Point, one: Point, other: Point) -> float:
    """Return the distance from a point to the line segment between two others."""
    (x, y), (dx, dy) = (point[0] - one[0], point[1] - one[1]), (other[0] - one[0], other[1] - one[1])
    length = dx * dx + dy * dy
    share = min(max((x * dx + y * dy) / length, 0.0), 1.0) if length else 0.0
    return float(((x - share * dx) ** 2 + (y - share * dy) ** 2) ** 0.5)


def area(ring: Ring) -> float:
    """Return the area inside a ring, negative if the ring runs the other way round."""
    pairs = zip(ring, ring[1:] + ring[:1], strict=True)
    return sum(one[0] * other[1] - other[0] * one[1] for one, other in pairs) / 2


def path(topology: dict[str, Any]) -> str:
    """Return the land of a topology as the data of one SVG path, each point relative to the one before.

    Coordinates are rounded to tenths of a unit.
    """
    parts = []
    for ring in rings(topology):
        for found in drawn(ring):
            tenths = [(round(x * 10), round(y * 10)) for x, y in found]
            steps = [(x - u, y - v) for (u, v), (x, y) in itertools.pairwise(tenths)]
            numbers = " ".join(f"{_tenth(dx)} {_tenth(dy)}" for dx, dy in steps if dx or dy)
            parts.append(f"M{_tenth(tenths[0][0])} {_tenth(tenths[0][1])}l{numbers}z")
    return "\n".join(parts)


def _tenth(number: int) -> str:
    """Format a number of tenths as briefly as SVG allows."""
    whole, tenth = divmod(abs(number), 10)
    text = f"{whole or ''}.{tenth}" if tenth else str(whole)
    return f"-{text}" if number < 0 else text


def main(file: str) -> None:
    """Write `land.txt` into `engine/atlas`."""
    text = path(json.loads(Path(file).read_text("utf-8")))
    LAND.write_text(text + "\n", "ascii")
    sys.stdout.write(f"land.txt: {len(text)} bytes for a map of {WIDTH} x {HEIGHT}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

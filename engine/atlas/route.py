"""Positions of all places on a route of which only some are known."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin

from engine.atlas import HEIGHT, WIDTH, Point, copies

MARGIN = 6.0
"""The least distance from a place to the map's edge."""


def journey(stops: Sequence[Sequence[float] | None]) -> list[Point | None]:
    """Return where the stops of a journey around the world are drawn.

    The map shows some stops twice. The first stop is drawn at the map's left end, the last at its right end, and the
    others so that the route is shortest; otherwise it would run back across the map to a city west of the map's edge.

    Args:
        stops: Degrees north and degrees east (-180 to 180) of each stop; None: unknown. The first and the last must be
            known.

    Returns:
        A point for each stop; None for unknown ones.
    """
    known = [copies(*stop) for stop in stops if stop is not None]
    known[0], known[-1] = known[0][:1], known[-1][-1:]
    ways: list[tuple[float, list[Point]]] = [(0.0, known[0])]
    for points in known[1:]:  # the shortest way to each point that a stop can have
        ways = [min((far + abs(point[0] - way[-1][0]), [*way, point]) for far, way in ways) for point in points]
    found = iter(min(ways)[1])
    return [None if stop is None else next(found) for stop in stops]


def route(known: Sequence[Point | None], gap: float = 0.0) -> list[Point]:
    """Return all places of a route in order, with unknown places between the known ones.

    Args:
        known: The points of the places; None: unknown. The first and the last must be known.
        gap: The least distance between two places. Where the route is too short for it, it bends, to the right and to
            the
            left in turn.
    """
    found: list[Point] = []
    stops = [number for number, point in enumerate(known) if point is not None]
    side = 1
    for one, other in itertools.pairwise(stops):
        begin, end = known[one], known[other]
        assert begin is not None
        assert end is not None
        legs = other - one
        found.append(begin)
        if hypot(end[0] - begin[0], end[1] - begin[1]) >= legs * gap:
            found += (_between(begin, end, step / legs) for step in range(1, legs))
        else:
            found += _bend(begin, end, legs, gap, side)
            side = -side
    last = known[-1]
    assert last is not None
    return [(round(x, 1), round(y, 1)) for x, y in [*found, last]]


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def _bend(begin: Point, end: Point, legs: int, gap: float, side: int) -> Iterator[Point]:
    """Generate the points between two ends on an arc of a circle, each `gap` from the next."""
    width = hypot(end[0] - begin[0], end[1] - begin[1])
    along = ((end[0] - begin[0]) / width, (end[1] - begin[1]) / width) if width else (1.0, 0.0)
    across = (-side * along[1], side * along[0])
    # An arc of `legs` chords of that length, each over the angle `turn`, spans legs * gap for 0 and nothing for 2 pi.
    low, high = 0.0, 2 * pi / legs
    for _ in range(40):
        turn = (low + high) / 2
        wide = sin(legs * turn / 2) > width / gap * sin(turn / 2)
        low, high = (turn, high) if wide else (low, turn)
    radius = gap / (2 * sin(high / 2))
    half = legs * high / 2
    for step in range(1, legs):
        angle = step * high - half
        forward = width / 2 + radius * sin(angle)
        aside = radius * (cos(angle) - cos(half))
        x = begin[0] + forward * along[0] + aside * across[0]
        y = begin[1] + forward * along[1] + aside * across[1]
        yield min(max(x, MARGIN), WIDTH - MARGIN), min(max(y, MARGIN), HEIGHT - MARGIN)

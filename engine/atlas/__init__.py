"""A map of the world for eastward journeys: the land as one SVG path, and the position of a place on the map.

The map is a Miller cylindrical projection, cut in the Atlantic and a little wider than the world. It begins west of
Europe, crosses the Pacific once and ends east of Greenwich, so that both ends of a journey around the world are on it.
`generators/atlas.py` made `land.txt` from the free data that `NOTICE.md` names.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import log, pi, radians, tan
from typing import Final

Point = tuple[float, float]

WEST: Final = -22.0
"""The longitude of the left edge, in degrees."""
EAST: Final = 376.0
NORTH: Final = 76.0
SOUTH: Final = -55.5
WIDTH: Final = 1000


def _parallel(lat: float) -> float:
    """Return the map's distance between a parallel and the equator, in radians of the equator."""
    return 1.25 * log(tan(pi / 4 + 0.4 * radians(lat)))


_SCALE: Final = WIDTH / radians(EAST - WEST)
_TOP: Final = _parallel(NORTH)
HEIGHT: Final = round(_SCALE * (_TOP - _parallel(SOUTH)))


def project(lat: float, lon: float) -> Point:
    """Return the position of a place on the map, x to the right and y down.

    Args:
        lat: Degrees north.
        lon: Degrees east. 360 is added to a longitude west of the map's edge. Longitudes from `WEST` to `EAST` are not
            changed, so 0 and 360 are the two ends of a journey around the world.
    """
    if lon < WEST:
        lon += 360
    return round(_SCALE * radians(lon - WEST), 1), round(_SCALE * (_TOP - _parallel(lat)), 1)


def copies(lat: float, lon: float) -> list[Point]:
    """Return every point of the map that shows a place, from left to right: two where the map's ends overlap, else one.

    Args:
        lat: Degrees north.
        lon: Degrees east, from -180 to 180.
    """
    return [project(lat, each) for each in (lon, lon + 360) if WEST <= each <= EAST]


@cache
def land() -> str:
    """Return all land except Antarctica as the data of one SVG path, with the fill rule nonzero."""
    return files(__name__).joinpath("land.txt").read_text("ascii").strip()

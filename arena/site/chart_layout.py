"""What a chart is made of: `charts.html.j2` makes SVG of it, and site.css gives it colours.

Every chart is laid out twice, wide and for a phone; site.css shows the one that fits. Its facts stand in words too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.site.scale import Box, Scale, Tick, beside, cut, text_width

SIZE: Final = 13
"""Of letters."""
TARGET: Final = 24
"""The least width and height of what is pointed at; narrower things are hard to touch."""
MOST_LINES: Final = 6
"""Bots with a colour of their own: site.css has so many."""
_LINE: Final = 17
"""Of a tip: its height."""
_NAMES: Final = 130
"""Room for a name in a tip."""


class Shape(NamedTuple):
    """How a chart is laid out for one width of the page."""

    name: str
    width: int
    names: int
    """Room for a bot's name."""
    ticks: int
    """At most so many on the horizontal axis."""


SHAPES: Final = (Shape("wide", 640, 160, 8), Shape("narrow", 300, 84, 4))


class Fact(NamedTuple):
    """A line of a tip: what is known, its number, and the colour of whose it is (0: nobody's)."""

    name: str
    number: str
    colour: int = 0


class Spot(NamedTuple):
    """A part of a chart that has a tip when it is pointed at or has the focus."""

    box: Box
    words: str
    """The tip for who does not see it."""
    tip: Box
    head: str
    facts: list[Fact]


class Mark(NamedTuple):
    """A place on the chart."""

    x: float
    y: float
    colour: int


class Row(NamedTuple):
    """A bot's interval: rating, mu and mu + 3 sigma, from left to right, and the rating as text."""

    colour: int
    name: str
    y: float
    low: float
    mu: float
    high: float
    rating: str
    spot: Spot


class Line(NamedTuple):
    """A line with its name at the right, which may be moved up or down."""

    colour: int
    path: str
    name: str
    end: float
    """Where the line ends."""
    y: float
    """Where its name stands."""


class Moment(NamedTuple):
    """What is known after so many games: a spot, and a row of the table beside the chart."""

    x: float
    marks: list[Mark]
    spot: Spot
    games: int
    values: list[tuple[float, ...]]
    """For each line: the numbers of the table. Empty: nothing is known yet."""


class Bar(NamedTuple):
    """How often a bot was on one place."""

    place: int
    x: float
    box: Box
    percent: str
    spot: Spot


class Panel(NamedTuple):
    """The bars of one number of players."""

    players: int
    plot: Box
    even: float
    """The height of equal shares."""
    ticks: list[tuple[float, str]]
    bars: list[Bar]


class Chart(NamedTuple):
    """A chart of one shape: its name (and that of its macro), its size, what it is called, and its facts in words."""

    kind: str
    shape: str
    width: float
    height: float
    title: str
    about: str
    plot: Box
    across: Sequence[tuple[float, str]] = ()
    """Ticks of the horizontal axis."""
    down: Sequence[tuple[float, str]] = ()
    rows: Sequence[Row] = ()
    lines: Sequence[Line] = ()
    band: str = ""
    """A surface, as a path."""
    moments: Sequence[Moment] = ()
    panels: Sequence[Panel] = ()

    @property
    def name(self) -> str:
        """Its own name on a page."""
        return f"{self.kind}-{self.shape}"

    @property
    def spots(self) -> list[Spot]:
        """Everything that has a tip, in the order of reading."""
        found = [row.spot for row in self.rows] + [moment.spot for moment in self.moments]
        return found + [bar.spot for panel in self.panels for bar in panel.bars]


def spot_beside(
    box: Box, at: tuple[float, float], frame: tuple[float, float], head: str, facts: list[Fact], words: str = ""
) -> Spot:
    """A spot whose tip lies beside the point `at`; `words`: in place of the tip's own."""
    told = ", ".join(f"{fact.name} {fact.number}" for fact in facts)
    words = words or f"{head}: {told}"
    head = cut(head, SIZE, frame[0] - 28)
    facts = [fact._replace(name=cut(fact.name, SIZE, _NAMES)) for fact in facts]
    numbers = max(text_width(fact.number, SIZE) for fact in facts)
    names = max(text_width(fact.name, SIZE) + (16 if fact.colour else 0) for fact in facts)
    width = 20 + max(text_width(head, SIZE), names + 12 + numbers)
    tip = beside(*at, width, 12 + _LINE * (1 + len(facts)), frame)
    return Spot(box, words, tip, head, facts)


def in_words(spots: Sequence[Spot]) -> str:
    """All that the tips say."""
    return "; ".join(spot.words for spot in spots)


def drawn_ticks(scale: Scale, ticks: Sequence[Tick]) -> list[tuple[float, str]]:
    """Where the ticks are drawn, and their labels."""
    return [(scale.at(tick.value), tick.label) for tick in ticks]

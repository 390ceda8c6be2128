"""Define what a chart consists of. `charts.html.j2` turns it into SVG, and site.css colours it.

Every chart is laid out twice, wide and for a phone, and site.css shows the one that fits. Its facts are also given as
text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.site.scale import Box, Scale, Tick, beside, cut, text_width

SIZE: Final = 13
"""The font size."""
TARGET: Final = 24
"""The least width and height of what can be pointed at. Smaller things are hard to touch."""
MOST_LINES: Final = 6
"""The most bots with a colour of their own, as many as site.css has."""
_LINE: Final = 17
"""The height of a line in a tip."""
_NAMES: Final = 130
"""The room for a name in a tip."""


class Shape(NamedTuple):
    """How a chart is laid out for one width of the page."""

    name: str
    width: int
    names: int
    """The room for a bot's name."""
    ticks: int
    """The most ticks on the horizontal axis."""


SHAPES: Final = (Shape("wide", 640, 160, 8), Shape("narrow", 300, 112, 4))


class Fact(NamedTuple):
    """A line of a tip: a name, a number, and the colour of the bot it belongs to (0 for none)."""

    name: str
    number: str
    colour: int = 0


class Spot(NamedTuple):
    """A part of a chart that shows a tip when it is pointed at or has the focus."""

    box: Box
    words: str
    """The tip as text, for screen readers."""
    tip: Box
    head: str
    facts: list[Fact]


class Mark(NamedTuple):
    """A mark at a point of the chart."""

    x: float
    y: float
    colour: int


class Row(NamedTuple):
    """A bot's interval, `low` to `high` around `middle`, and the rating as text."""

    colour: int
    name: str
    y: float
    low: float
    middle: float
    high: float
    rating: str
    spot: Spot


class Line(NamedTuple):
    """A line with its name at the right, which may be moved up or down to make room."""

    colour: int
    path: str
    name: str
    end: float
    """The height at which the line ends."""
    y: float
    """The height of its name."""
    last: float
    """Where it ends on the horizontal axis: if that is before the plot's right side, a thin line leads to its name."""
    is_single: bool
    """Whether it is one value alone, which is drawn as a dot."""


class Moment(NamedTuple):
    """The values after this many games: a spot, and a row of the table next to the chart."""

    x: float
    marks: list[Mark]
    spot: Spot
    games: int
    values: list[tuple[float, ...]]
    """The numbers in the table for each line, empty if there are none yet."""


class EventMark(NamedTuple):
    """Something that happened at one place of the horizontal axis. `label` is empty if there is no room for it."""

    x: float
    label: str


class Bar(NamedTuple):
    """How often a bot finished on one place."""

    place: int
    x: float
    box: Box
    percent: str
    spot: Spot


class Panel(NamedTuple):
    """The bars for one number of players."""

    players: int
    plot: Box
    even: float
    """The height at which all shares would be equal."""
    ticks: list[tuple[float, str]]
    bars: list[Bar]


class Chart(NamedTuple):
    """A chart in one shape. `kind` is also the name of its macro, and `about` has its facts as text."""

    kind: str
    shape: str
    width: float
    height: float
    title: str
    about: str
    plot: Box
    measure: str = ""
    """What the bots are rated by: the heading of its numbers or of its vertical axis."""
    key: tuple[str, ...] = ()
    """Names of an interval's lower end, middle and upper end."""
    forms: tuple[str, ...] = ()
    """How each number of a moment's values is written in the table beside the chart."""
    across: Sequence[tuple[float, str]] = ()
    """Ticks of the horizontal axis, each with its label."""
    down: Sequence[tuple[float, str]] = ()
    rows: Sequence[Row] = ()
    lines: Sequence[Line] = ()
    band: str = ""
    """A shaded area, as an SVG path."""
    moments: Sequence[Moment] = ()
    panels: Sequence[Panel] = ()
    unit: str = "games played"
    """What the horizontal axis counts."""
    events: Sequence[EventMark] = ()
    dates: Sequence[tuple[float, str]] = ()
    """Where on the horizontal axis days begin."""
    is_centred: bool = False
    """Whether the rating is the middle of its interval, and not the lower end."""

    @property
    def name(self) -> str:
        """A name that is unique on a page."""
        return f"{self.kind}-{self.shape}"

    @property
    def spots(self) -> list[Spot]:
        """Everything that has a tip, in reading order."""
        found = [row.spot for row in self.rows] + [moment.spot for moment in self.moments]
        return found + [bar.spot for panel in self.panels for bar in panel.bars]


def spot_beside(
    box: Box, at: tuple[float, float], frame: tuple[float, float], head: str, facts: list[Fact], words: str = ""
) -> Spot:
    """Return a spot whose tip lies beside the point `at`. `words` replaces the text made of the facts."""
    text = ", ".join(f"{fact.name} {fact.number}" for fact in facts)
    words = words or f"{head}: {text}"
    head = cut(head, SIZE, frame[0] - 28)
    facts = [fact._replace(name=cut(fact.name, SIZE, _NAMES)) for fact in facts]
    numbers = max(text_width(fact.number, SIZE) for fact in facts)
    names = max(text_width(fact.name, SIZE) + (16 if fact.colour else 0) for fact in facts)
    width = 20 + max(text_width(head, SIZE), names + 12 + numbers)
    tip = beside(*at, width, 12 + _LINE * (1 + len(facts)), frame)
    return Spot(box, words, tip, head, facts)


def in_words(spots: Sequence[Spot]) -> str:
    """Return the text of all tips."""
    return "; ".join(spot.words for spot in spots)


def drawn_ticks(scale: Scale, ticks: Sequence[Tick]) -> list[tuple[float, str]]:
    """Return the position and label of each tick."""
    return [(scale.at(tick.value), tick.label) for tick in ticks]

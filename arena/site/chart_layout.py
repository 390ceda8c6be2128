"""Define what a chart consists of, and compute its geometry: ticks, scales, widths of texts, and places for labels.

`charts.html.j2` turns it into SVG, and site.css colours it. Every chart is laid out twice, wide and for a phone, and
site.css shows the one that fits. Its facts are also given as text. Lengths are in units of a chart's view box, which
are CSS pixels when it is shown at its own size.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

_STEPS: Final = (1, 2, 5)
_LARGEST: Final = 1e15
"""The largest value. Beyond it a float has too few digits to tell ticks apart."""
_NARROW: Final = frozenset("fijlrtI.,:;'|!()[]/ -")
_BROAD: Final = frozenset("mwMW@%…")
_EM: Final = {"narrow": 0.42, "plain": 0.65, "capital": 0.8, "broad": 1.02, "square": 1.1}
"""Widths of kinds of letters relative to the font size, in a wide font such as DejaVu Sans."""


class Tick(NamedTuple):
    """A tick of an axis: its value and its label."""

    value: float
    label: str


def nice_ticks(low: float, high: float, most: int, whole: bool = False) -> list[Tick]:
    """Return at most `most` (two or more) ticks from `low` to `high`, at multiples of 1, 2 or 5 times a power of ten.

    The step is the smallest that gives no more than that. If `low` and `high` are (almost) the same, the range is
    widened by a half on each side.

    Args:
        low: The lower end.
        high: The upper end.
        most: The most ticks.
        whole: Put ticks at whole numbers only.

    Raises:
        ValueError: The range has no numbers that ticks can distinguish, or `most` is too small.
    """
    if most < 2:
        raise ValueError(f"an axis has room for two ticks or more, not for {most}")
    if not -_LARGEST <= low <= high <= _LARGEST:
        raise ValueError(f"there are no ticks from {low} to {high}")
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    power = math.floor(math.log10((high - low) / most)) - 1
    while True:
        for factor in _STEPS:
            if whole and power < 0:
                continue
            first, last = _multiples(low, high, factor, power)
            if last - first < most:
                values = [_times(number, factor, power) for number in range(first, last + 1)]
                return [Tick(value, text(value, f".{max(0, -power)}f")) for value in values]
        power += 1


def _multiples(low: float, high: float, factor: int, power: int) -> tuple[int, int]:
    """Return the first and last n for which n * factor * 10 ** power lies from `low` to `high`."""
    slack = 1e-9  # a limit that is a multiple itself counts, although it was rounded
    step = factor * 10.0**power
    return math.ceil(low / step - slack), math.floor(high / step + slack)


def _times(number: int, factor: int, power: int) -> float:
    """Return number * factor * 10 ** power without rounding errors: divide by whole numbers, never multiply by 0.1."""
    return float(number * factor * 10**power) if power >= 0 else number * factor / 10**-power


class Scale(NamedTuple):
    """A linear scale that draws `low` at `start` and `high` at `end`, which may be the smaller of the two."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a value is drawn."""
        return px(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start))


def padded(values: Sequence[float], share: float, least: float) -> tuple[float, float]:
    """Return the range of the values, widened to either side by `share` of it, but by at least `least`."""
    low, high = min(values), max(values)
    room = max(share * (high - low), least)
    return low - room, high + room


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart by at least `gap`, between `low` and `high`, in their order and as little as possible.

    If there is not enough room they are spread evenly.
    """
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    # Without their gaps, places only have to rise: those that do not are put together at their mean.
    blocks: list[tuple[float, int]] = []
    for place, number in enumerate(order):
        mean, size = wanted[number] - place * gap, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, size = (before * many + mean * size) / (many + size), many + size
        blocks.append((mean, size))
    means = [mean for mean, size in blocks for _ in range(size)]
    last = high - gap * max(0, len(wanted) - 1)
    found = [0.0] * len(wanted)
    for place, (number, mean) in enumerate(zip(order, means, strict=True)):
        found[number] = px(max(low, min(mean, last)) + place * gap)
    return found


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Return its right edge."""
        return px(self.x + self.width)

    @property
    def bottom(self) -> float:
        """Return its lower edge."""
        return px(self.y + self.height)


def beside(x: float, y: float, width: float, height: float, frame: tuple[float, float], gap: float = 14) -> Box:
    """Return a box of this size beside the point (x, y), within a frame of this width and height.

    It lies to the right if there is room, else to the left, below or above, else anywhere in the frame.
    """
    across, down = x - width / 2, y - height / 2
    asked = ((x + gap, down), (x - gap - width, down), (across, y + gap), (across, y - gap - height), (across, down))
    for left, top in asked:
        sideways = top == down
        fits = 0 <= left <= frame[0] - width if sideways else 0 <= top <= frame[1] - height
        if fits:
            break
    left, top = max(0, min(left, frame[0] - width)), max(0, min(top, frame[1] - height))
    return Box(px(left), px(top), px(width), px(height))


def text_width(words: str, size: float) -> float:
    """Return the room that a text needs in a wide font."""
    return size * sum(_EM[_kind(char)] for char in words if not unicodedata.combining(char))


def _kind(char: str) -> str:
    if char in _NARROW:
        return "narrow"
    if char in _BROAD:
        return "broad"
    if unicodedata.east_asian_width(char) in "WF":
        return "square"
    return "plain" if char.isascii() and not char.isupper() else "capital"


def cut(words: str, size: float, room: float) -> str:
    """Return as much of a text as fits into `room`, with an ellipsis if it is cut."""
    if text_width(words, size) <= room:
        return words
    while words and text_width(words + "…", size) > room:
        words = words[:-1]
    return words + "…"


def px(value: float) -> float:
    """Return a length rounded to a tenth, which is the same on every machine."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def text(value: float, form: str) -> str:
    """Return a number as text, with a real minus sign and no negative zero."""
    shown = format(value, form)
    return (shown if float(shown) else shown.lstrip("-")).replace("-", "−")


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
    forms: tuple[str, ...] = ()
    """How each number of a moment's values is written in the table beside the chart."""
    across: Sequence[tuple[float, str]] = ()
    """Ticks of the horizontal axis, each with its label."""
    down: Sequence[tuple[float, str]] = ()
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

    @property
    def name(self) -> str:
        """A name that is unique on a page."""
        return f"{self.kind}-{self.shape}"

    @property
    def spots(self) -> list[Spot]:
        """Everything that has a tip, in reading order."""
        return [moment.spot for moment in self.moments] + [bar.spot for panel in self.panels for bar in panel.bars]


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

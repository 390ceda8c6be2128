"""Compute the geometry of charts: ticks, scales, widths of texts, and places for labels and tips.

Lengths are in units of a chart's view box, which are CSS pixels when it is shown at its own size.
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

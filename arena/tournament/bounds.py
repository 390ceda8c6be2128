"""What may be given for each setting of a plan, on the command line and in a file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

MOST: Final = 1_000_000
"""The largest number of seconds, minutes, games or strikes that makes sense and that all who handle it can hold."""


@dataclass(frozen=True)
class NumberBounds:
    """What may be typed for a number: a whole one, or a time in `unit`."""

    low: int
    high: int | None = MOST
    unit: str | None = None
    above: bool = False
    """`low` itself is too little."""

    def allows(self, value: float) -> bool:
        """Whether `value` may be typed."""
        if not math.isfinite(value) or value < self.low or (self.above and value == self.low):
            return False
        return self.high is None or value <= self.high

    def read(self, text: str) -> float:
        """Turn what was typed into a number. Raises `ValueError`, whose text says what is allowed."""
        try:
            value = int(text) if self.unit is None else float(text)
            allowed = self.allows(value)
        except (ValueError, OverflowError):
            allowed = False
        if not allowed:
            raise ValueError(f"{text!r} is not {self}")
        return value

    def takes(self, value: object) -> bool:
        """Whether `value`, read from a file, is such a number."""
        if isinstance(value, bool) or not isinstance(value, int if self.unit is None else int | float):
            return False
        return self.allows(value)

    def __str__(self) -> str:
        """In words."""
        what = "a whole number" if self.unit is None else f"a number of {self.unit}"
        if self.high is None:
            return f"{what} from {self.low}"
        return f"{what} {'above' if self.above else 'from'} {self.low} to {self.high}"


NUMBERS: Final = {
    "rounds": NumberBounds(1),
    "games": NumberBounds(1),
    "minutes": NumberBounds(0, unit="minutes", above=True),
    "seed": NumberBounds(0, None),
    "jobs": NumberBounds(1, 1000),
    "start": NumberBounds(0, unit="seconds", above=True),
    "move": NumberBounds(0, unit="seconds"),
    "bank": NumberBounds(0, unit="seconds"),
    "strikes": NumberBounds(1),
}
"""The settings that are numbers."""
_SWITCHES: Final = ("ponder", "strict", "trace", "fresh")


def refusal(name: str, value: object) -> str | None:
    """Say why a setting cannot have this value, in words for people; None: it can."""
    if name in NUMBERS:
        return None if NUMBERS[name].takes(value) else f"{value!r} is not {NUMBERS[name]}"
    if name in _SWITCHES:
        return None if isinstance(value, bool) else f"{value!r} is not true or false"
    if name == "bots":
        fine = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return None if fine else f"{value!r} is not a list of texts"
    if not isinstance(value, str):
        return f"{value!r} is not a text"
    # Nothing between quotes is a mistake (an unset variable in a script), never a default.
    return None if value.strip() else "nothing is given"

"""What may be given for each setting of a plan: on the command line, in a file and from Python."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, get_args

import msgspec

from arena.common.allowed_words import refused
from arena.common.decoding_words import in_words
from arena.entrants.plan_bot import PlanBot
from arena.formats.options import RESOLVED
from arena.game.clock import OnCrash
from arena.isolation.settings import IsolationPlan, read_isolation

MOST: Final = 1_000_000
"""The largest number of seconds, minutes, games or strikes that makes sense and that all who handle it can hold."""
ON_CRASH: Final[tuple[OnCrash, ...]] = get_args(OnCrash)
"""What a crash can cost."""
_SHARE: Final = "share"
"""The unit of a number from 0 to 1."""
MOST_NOTE: Final = 300
"""The most characters of a note."""


@dataclass(frozen=True)
class NumberBounds:
    """Which numbers a setting takes: whole ones, or times or shares in `unit`."""

    low: int
    high: int | None = MOST
    unit: str | None = None
    above: bool = False
    """`low` itself is too little."""

    def meta(self) -> msgspec.Meta:
        """Return the same bounds for the type of a field, from which its JSON Schema is made."""
        low: dict[str, Any] = {"gt" if self.above else "ge": self.low}
        return msgspec.Meta(**low) if self.high is None else msgspec.Meta(**low, le=self.high)

    def allows(self, value: float) -> bool:
        """Check whether `value` is within the bounds."""
        if (
            (isinstance(value, float) and not math.isfinite(value))
            or value < self.low
            or (self.above and value == self.low)
        ):
            return False
        return self.high is None or value <= self.high

    def read(self, text: str) -> float:
        """Read a number that was typed. Raises `ValueError`, whose text says what is allowed."""
        try:
            value = int(text) if self.unit is None else float(text)
            allowed = self.allows(value)
        except (ValueError, OverflowError):
            allowed = False
        if not allowed:
            raise ValueError(f"{text!r} is not {self}")
        return value

    def takes(self, value: object) -> bool:
        """Check whether `value`, of whatever type, is such a number."""
        if isinstance(value, bool) or not isinstance(value, int if self.unit is None else int | float):
            return False
        return self.allows(value)

    def __str__(self) -> str:
        """Say in words what is allowed."""
        what = (
            "a whole number" if self.unit is None else "a share" if self.unit == _SHARE else f"a number of {self.unit}"
        )
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
    "heads_minutes": NumberBounds(0, unit="minutes", above=True),
    "error": NumberBounds(0, 1, unit=_SHARE, above=True),
    "margin": NumberBounds(0, 1, unit=_SHARE, above=True),
    "groups": NumberBounds(1),
    "blocks": NumberBounds(1),
}
"""The settings that are numbers."""
_SWITCHES: Final = ("ponder", "strict", "trace", "fresh", "leave", "fixed", "build_network")


def refusal(name: str, value: object) -> str | None:
    """Say why a setting cannot have this value, in words for people; None: it can."""
    if name in NUMBERS:
        return None if NUMBERS[name].takes(value) else f"{value!r} is not {NUMBERS[name]}"
    if name in _SWITCHES:
        return None if isinstance(value, bool) else f"{value!r} is not true or false"
    if name == "isolation":
        return _isolation_refusal(value)
    if name == "on_crash":
        return None if value in ON_CRASH else refused(value, ON_CRASH)
    if name == "until":
        return None if value == RESOLVED else refused(value, [RESOLVED])
    if name == "bots":
        return _bots_refusal(value)
    if name in ("pin", "challengers", "contributions", "without_machines"):
        fine = isinstance(value, list) and all(isinstance(each, str) for each in value)
        return None if fine else f"{value!r} is not a list of texts"
    if not isinstance(value, str):
        return f"{value!r} is not a text"
    if name in ("note", "commit", "beacon") and len(value) > MOST_NOTE:
        return f"it has {len(value)} characters, {MOST_NOTE} are allowed"
    # Nothing between quotes is a mistake (an unset variable in a script), never a default.
    return None if value.strip() else "nothing is given"


def _bots_refusal(value: object) -> str | None:
    if not isinstance(value, list):
        return f"{value!r} is not a list"
    for each in value:
        if isinstance(each, str | PlanBot):
            continue
        try:
            read_bot(each)
        except msgspec.ValidationError as error:
            return f"{each!r}: {in_words(error)}; a bot is a text, or a table with name, path, args and env"
    return None


def read_bot(data: object) -> str | PlanBot:
    """Return an entry of `bots`. Raises `msgspec.ValidationError`."""
    return msgspec.convert(data, str | PlanBot)


def _isolation_refusal(value: object) -> str | None:
    try:
        if not isinstance(value, IsolationPlan):
            read_isolation(value)
    except ValueError as error:
        return str(error)
    return None

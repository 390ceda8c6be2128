"""What a setting of a plan is, and what may be given for it: on the command line, in a file and from Python."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from arena.common.allowed_words import refused
from arena.common.decoding_words import in_words
from arena.entrants.plan_bot import PlanBot
from arena.isolation.settings import IsolationPlan, read_isolation

MOST: Final = 1_000_000
"""The largest number of seconds, minutes, games or strikes that makes sense and that all who handle it can hold."""
SHARE: Final = "share"
"""The unit of a number from 0 to 1."""


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

    def schema(self) -> dict[str, Any]:
        """Return the same bounds in the words of JSON Schema."""
        low = {"exclusiveMinimum" if self.above else "minimum": self.low}
        return low if self.high is None else {**low, "maximum": self.high}

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
            "a whole number" if self.unit is None else "a share" if self.unit == SHARE else f"a number of {self.unit}"
        )
        if self.high is None:
            return f"{what} from {self.low}"
        return f"{what} {'above' if self.above else 'from'} {self.low} to {self.high}"


Heading = Literal["Field", "Games", "Clock", "Format", "Changing field", "Isolation", "Proof"]
"""What a setting is about, in the order in which the help of a command shows it."""
HEADINGS: Final[tuple[Heading, ...]] = get_args(Heading)
_IN_WORDS: Final = {bool: "true or false", str: "a text", list[str]: "a list of texts"}


@dataclass(frozen=True)
class Setting:
    """A field of a plan that can be typed: what the command line, a file and the checks have to know about it."""

    help: str
    heading: Heading | None = None
    """None: it is one of those that people use most, which come first."""
    numbers: NumberBounds | None = None
    metavar: str | None = None
    """What stands for its value in the help. None: what follows from its type."""
    option: str | None = None
    """How it is typed, where that does not follow from its name."""
    compare: bool | str = False
    """Whether `arena compare` and `arena rate` take it too. A text is its help there."""
    rate: str = ""
    """Its help in `arena rate` if that is another one."""
    most: int | None = None
    """Characters."""
    kind: Any = str
    """Its type."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of which it is one, if it is one of a few."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()

    def help_in(self, command: str) -> str | None:
        """Return what the help of a command says of it. Return None if it is not for this command."""
        if command == "rate" and self.rate:
            return self.rate
        if command not in ("compare", "rate") or self.compare is True:
            return self.help
        return self.compare or None

    def refusal(self, value: object) -> str | None:
        """Say why it cannot have this value, in words for people; None: it can."""
        if self.numbers is not None:
            return None if self.numbers.takes(value) else f"{value!r} is not {self.numbers}"
        if self.words:
            return None if value in self.words else refused(value, self.words)
        if self.kind in _OWN_CHECKS:
            return _OWN_CHECKS[self.kind](value)
        try:
            fits = msgspec.convert(value, self.kind) == value  # which a set is not, though it makes a list
        except msgspec.ValidationError:
            fits = False
        if not fits:
            return f"{value!r} is not {_IN_WORDS[self.kind]}"
        if not isinstance(value, str):
            return None
        if self.most is not None and len(value) > self.most:
            return f"it has {len(value)} characters, {self.most} are allowed"
        # Nothing between quotes is a mistake (an unset variable in a script), never a default.
        return None if value.strip() else "nothing is given"


def setting(help: str, heading: Heading | None = None, **more: Any) -> msgspec.Meta:
    """Return what makes a field of a plan a `Setting`, and describes it in the plan's JSON Schema."""
    made = Setting(help, heading, **more)
    # In the words of a schema, because `msgspec` knows no bounds for a number that may also be None.
    return msgspec.Meta(
        description=help,
        extra_json_schema=made.numbers.schema() if made.numbers else {},
        extra={"setting": made},
    )


def declared(plan: type[msgspec.Struct]) -> dict[str, Setting]:
    """Return the settings of a plan by name."""
    found = {}
    for name, hint in get_type_hints(plan, include_extras=True).items():
        for meta in getattr(hint, "__metadata__", ()):
            kinds = [each for each in get_args(hint.__origin__) if each is not NoneType]
            optional = get_origin(hint.__origin__) in (Union, UnionType)
            found[name] = replace(meta.extra["setting"], kind=kinds[0] if optional else hint.__origin__)
    return found


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


_OWN_CHECKS: Final[dict[Any, Callable[[object], str | None]]] = {
    list[str | PlanBot]: _bots_refusal,
    IsolationPlan: _isolation_refusal,
}
"""The types of settings that may be written in several ways."""

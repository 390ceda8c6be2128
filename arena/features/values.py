"""The shapes of single values and of lists whose order is coded as a whole; those of lists and maps are in `shapes`.

A form is a tree of shapes. Each knows four things: its columns; how to write a value that may not fit, counting what
has no place; how to read it back; and the statements that do the writing fast (`arena.features.code`).

Raw numbers have the seats in their own order. `FormShape.order` says in which order a seat sees them, its own first, so
that nothing else has to know of it. Places that hold nothing are 0.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from arena.features.code import Code, RawPlace

LARGEST: Final = 1 << 24
"""32-bit floats represent whole numbers up to this one exactly; larger ones are left out."""
MISSING: Final[Any] = ...
"""What is read where nothing was written, or what was left out."""
Constant: TypeAlias = str | int | bool | None
Raw: TypeAlias = list[Any]


class FormColumn(NamedTuple):
    """One number of an observation."""

    name: str
    low: float
    high: float
    scale: int = 1
    """What the number has to be multiplied by to get what the view has."""


class FormShape(msgspec.Struct, dict=True, omit_defaults=True, tag_field="is"):
    """The columns of one piece of data."""

    @abstractmethod
    def columns(self, name: str) -> Iterator[FormColumn]:
        """Generate the columns in order."""

    @cached_property
    def width(self) -> int:
        """How many columns there are."""
        return sum(1 for _ in self.columns(""))

    @abstractmethod
    def write(self, value: Any, raw: Raw, at: int) -> int:
        """Write a value from `at` on, where all is 0, and return how many parts of it have no place."""

    @abstractmethod
    def read(self, raw: Raw, at: int, players: int) -> Any:
        """Return the value that was written, or `MISSING`."""

    def parts(self) -> Iterator[tuple[int, FormShape]]:
        """Generate the shapes of which this one consists, each with its first column."""
        return iter(())

    def order(self, at: int, seats: Sequence[int]) -> list[int]:
        """Return where each column's raw number is, if the columns from `at` on show the seats in this order."""
        places = [*range(at, at + self.width)]
        for first, shape in self.parts():
            places[first : first + shape.width] = shape.order(at + first, seats)
        return places

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        """Add the statements that write the value of an expression, or raise an exception if it does not fit.

        By default they call `write`.
        """
        code.add(f"lost += {code.table(self.write)}({value}, b, {at})")


class NumberShape(FormShape, tag="number"):
    """A number, divided by a power of two that brings it near to 1: so nothing is rounded."""

    scale: int = 1

    def columns(self, name: str) -> Iterator[FormColumn]:
        yield FormColumn(name, -LARGEST / self.scale, LARGEST / self.scale, self.scale)

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if isinstance(value, int | float) and -LARGEST <= value <= LARGEST:
            raw[at] = value
            return 0
        return 1

    def read(self, raw: Raw, at: int, players: int) -> Any:
        return int(raw[at]) if raw[at] == int(raw[at]) else raw[at]

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        code.add(f"b[{at}] = {value}")


class CategoryShape(FormShape, tag="category"):
    """One of some constants: a column each, or one with its number from 1. None, or else False of a flag, is 0."""

    values: list[Constant]
    index: bool = False

    @cached_property
    def blank(self) -> Any:
        """The constant for which all is 0."""
        if None in self.values:
            return None
        return False if [type(value) for value in self.values] == [bool, bool] else MISSING

    @cached_property
    def places(self) -> dict[Constant, int]:
        """The other constants, each with its place."""
        coded = [value for value in self.values if value is not self.blank]
        return {value: place for place, value in enumerate(coded)}

    def columns(self, name: str) -> Iterator[FormColumn]:
        if self.index:
            yield FormColumn(name, 0, len(self.places))
        elif self.blank is False:
            yield FormColumn(name, 0, 1)
        else:
            for value in self.places:
                yield FormColumn(f"{name}={shown(value)}", 0, 1)

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if value is self.blank:
            return 0
        place = self.places.get(value) if isinstance(value, str | int) else None
        if place is None:
            return 1
        raw[at + (0 if self.index else place)] = place + 1 if self.index else 1
        return 0

    def read(self, raw: Raw, at: int, players: int) -> Any:
        numbers = raw[at : at + self.width]
        place = next((place for place, number in enumerate(numbers) if number), None)
        if self.index and place is not None:
            place = int(numbers[0]) - 1
        return self.blank if place is None else [*self.places][place]

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        blank = {} if self.blank is MISSING else {self.blank: 0}
        if self.index:
            codes = {each: place + 1 for each, place in self.places.items()}
            code.add(f"b[{at}] = {code.table(blank | codes)}[{value}]")
        elif at.base:
            code.add(f"b[{at}:{at + self.width}] = {code.table(self.chunks)}[{value}]")
        else:
            spots = {each: at.add + place for each, place in self.places.items()}
            code.add(f"b[{code.table(dict.fromkeys(blank, code.spare) | spots)}[{value}]] = 1")

    @cached_property
    def chunks(self) -> dict[Constant, bytes]:
        """The raw numbers of each constant."""
        width = self.width
        found: dict[Constant, bytes] = {} if self.blank is MISSING else {self.blank: bytes(width)}
        for value, place in self.places.items():
            found[value] = bytes([place + 1] if self.index else [at == place for at in range(width)])
        return found


class SeatShape(CategoryShape, tag="seat"):
    """A seat, of those that are possible in order, and perhaps None: a column for each, counted from the own one."""

    def columns(self, name: str) -> Iterator[FormColumn]:
        for place in range(len(self.places)):
            yield FormColumn(f"{name}={seat_name(place)}", 0, 1)

    def order(self, at: int, seats: Sequence[int]) -> list[int]:
        return [at + seat for seat in seats]


class SeatOrderShape(FormShape, tag="seat order"):
    """A list of different seats: for each its place in the list, counted from 1."""

    most: int

    @cached_property
    def scale(self) -> int:
        return power_of_two(self.most)

    def columns(self, name: str) -> Iterator[FormColumn]:
        for place in range(self.most):
            yield FormColumn(f"{name}:{seat_name(place)}", 0, self.most / self.scale, self.scale)

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if not isinstance(value, list | tuple):
            return 1
        lost = 0
        for place, seat in enumerate(value, 1):
            if isinstance(seat, int) and 0 <= seat < self.most and not raw[at + seat] and place <= self.most:
                raw[at + seat] = place
            else:
                lost += 1
        return lost

    def read(self, raw: Raw, at: int, players: int) -> Any:
        return sorted((seat for seat in range(self.most) if raw[at + seat]), key=lambda seat: float(raw[at + seat]))

    def order(self, at: int, seats: Sequence[int]) -> list[int]:
        return [at + seat for seat in seats]

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        code.chunk(value, at, self.most, self._chunk)

    def _chunk(self, value: tuple[Any, ...]) -> bytes:
        raw = [0] * self.most
        if self.write(value, raw, 0):
            raise KeyError(value)
        return bytes(raw)


class BagShape(FormShape, tag="bag"):
    """A list of constants whose order does not matter: how many there are of each."""

    values: list[Constant]
    scale: int = 1

    @cached_property
    def places(self) -> dict[Constant, int]:
        """The constants, each with its place."""
        return {value: place for place, value in enumerate(self.values)}

    def columns(self, name: str) -> Iterator[FormColumn]:
        for value in self.values:
            yield FormColumn(f"{name}:{shown(value)}", 0, LARGEST / self.scale, self.scale)

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if not isinstance(value, list | tuple):
            return 1
        lost = 0
        for each in value:
            place = self.places.get(each) if each is None or isinstance(each, str | int) else None
            if place is None:
                lost += 1
            else:
                raw[at + place] += 1
        return lost

    def read(self, raw: Raw, at: int, players: int) -> Any:
        return [value for value, place in self.places.items() for _ in range(int(raw[at + place]))]

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        code.chunk(value, at, self.width, self._chunk)

    def _chunk(self, value: tuple[Any, ...]) -> bytes:
        raw, places = bytearray(self.width), self.places
        for each in value:
            raw[places[each]] += 1
        return bytes(raw)


class OmittedShape(FormShape, tag="omitted"):
    """What no number stands for: a text for people, or a record that only those who draw worlds need."""

    def columns(self, name: str) -> Iterator[FormColumn]:
        return iter(())

    def write(self, value: Any, raw: Raw, at: int) -> int:
        return 0

    def read(self, raw: Raw, at: int, players: int) -> Any:
        return MISSING

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        pass


def shown(value: Constant) -> str:
    """Return a constant as the name of a column has it."""
    return value if isinstance(value, str) else str(value).lower()


def seat_name(place: int) -> str:
    """Return the name of the seat that is so many places after the own one."""
    return f"+{place}" if place else "own"


def power_of_two(number: float) -> int:
    """Return the smallest power of two that is not below a number."""
    return 1 << max(0, int(number) - 1).bit_length() if number > 1 else 1

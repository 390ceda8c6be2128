"""The shapes of lists and maps, and so of whole views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

from arena.features.code import Code, Kept, RawPlace
from arena.features.values import (
    LARGEST,
    MISSING,
    BagShape,
    CategoryShape,
    FormColumn,
    FormShape,
    NumberShape,
    OmittedShape,
    Raw,
    SeatOrderShape,
    SeatShape,
    seat_name,
)


class ListShape(FormShape, tag="list"):
    """A list by place, of a fixed length, or of one that stands in a column of its own; a `stack` from its end on."""

    item: AnyShape
    room: int
    fixed: bool = False
    stack: bool = False

    def columns(self, name: str) -> Iterator[FormColumn]:
        if not self.fixed:
            yield FormColumn(f"{name}:length", 0, self.room)
        for place in range(self.room):
            yield from self.item.columns(f"{name}[{place}]")

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if not isinstance(value, list | tuple):
            return 1
        lost = max(0, len(value) - self.room)
        if self.fixed:
            lost = abs(len(value) - self.room)
        else:
            raw[at] = min(len(value), self.room)
            at += 1
        return lost + write_row(self.item, (value[::-1] if self.stack else value)[: self.room], raw, at)

    def read(self, raw: Raw, at: int, players: int) -> Any:
        length = self.room if self.fixed else int(raw[at])
        at += not self.fixed
        read = [found(self.item.read(raw, at + place * self.item.width, players)) for place in range(length)]
        return read[::-1] if self.stack else read

    def parts(self) -> Iterator[tuple[int, FormShape]]:
        return ((place, self.item) for place in range(not self.fixed, self.width, self.item.width or 1))

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        if self.fixed and isinstance(self.item, CategoryShape):
            code.chunk(value, at, self.width, self._chunk)
            return
        name = code.variable(f"{value}[::-1]" if self.stack else value)
        if self.fixed:
            code.refuse_unless(f"len({name}) == {self.room}")
            fill_row(code, self.item, name, at, str(self.room))
            return
        with code.block(f"if {name}:"):
            length = code.variable(f"len({name})")
            code.refuse_unless(f"{length} <= {self.room}")
            code.add(f"b[{at}] = {length}")
            fill_row(code, self.item, name, at + 1, length)

    def _chunk(self, value: tuple[Any, ...]) -> bytes:
        if len(value) != self.room or not isinstance(self.item, CategoryShape):
            raise KeyError(value)
        return b"".join([self.item.chunks[each] for each in value])


class BySeatShape(FormShape, tag="by seat"):
    """A list with an element for each seat."""

    item: AnyShape
    most: int

    def columns(self, name: str) -> Iterator[FormColumn]:
        for place in range(self.most):
            yield from self.item.columns(f"{name}[{seat_name(place)}]")

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if not isinstance(value, list | tuple):
            return 1
        return max(0, len(value) - self.most) + write_row(self.item, value[: self.most], raw, at)

    def read(self, raw: Raw, at: int, players: int) -> Any:
        width = self.item.width
        return [found(self.item.read(raw, at + seat * width, players)) for seat in range(players)]

    def order(self, at: int, seats: Sequence[int]) -> list[int]:
        return [place for seat in seats for place in self.item.order(at + seat * self.item.width, seats)]

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        name = code.variable(value)
        code.refuse_unless(f"len({name}) == n")
        fill_row(code, self.item, name, at, "n")


class TableShape(FormShape, tag="table"):
    """A map with numbers as keys: a list of keys and values, the largest key first.

    `capped`: no more than the first ones are wanted, and the rest is no loss.
    """

    item: AnyShape
    room: int
    scale: int = 1
    capped: bool = False

    def columns(self, name: str) -> Iterator[FormColumn]:
        yield FormColumn(f"{name}:length", 0, self.room)
        for place in range(self.room):
            yield FormColumn(f"{name}[{place}]:key", -LARGEST / self.scale, LARGEST / self.scale, self.scale)
            yield from self.item.columns(f"{name}[{place}]")

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if not isinstance(value, dict):
            return 1
        keys = sorted((int(key) for key in value if is_number(key)), reverse=True)
        lost = len(value) - len(keys if self.capped else keys[: self.room])
        raw[at] = len(keys[: self.room])
        for key in keys[: self.room]:
            raw[at + 1] = key
            lost += self.item.write(value[str(key)], raw, at + 2)
            at += 1 + self.item.width
        return lost

    def read(self, raw: Raw, at: int, players: int) -> Any:
        places = [at + 1 + place * (1 + self.item.width) for place in range(int(raw[at]))]
        return {str(int(raw[place])): found(self.item.read(raw, place + 1, players)) for place in reversed(places)}

    def parts(self) -> Iterator[tuple[int, FormShape]]:
        return ((place, self.item) for place in range(2, self.width + 1, 1 + self.item.width))

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        name, key = code.variable(value), code.variable()
        with code.block(f"if {name}:"):
            keys, number = code.variable(f"{code.table(Kept(self._keys))}[tuple({name})]"), code.variable()
            code.add(f"b[{at}] = len({keys})")
            base = code.variable(str(at + 1))
            with code.block(f"for {key}, {number} in {keys}:"):
                code.add(f"b[{base}] = {number}")
                self.item.fill(code, f"{name}[{key}]", RawPlace(base, 1))
                code.add(f"{base} += {1 + self.item.width}")

    def _keys(self, keys: tuple[str, ...]) -> list[tuple[str, int]]:
        """Return the keys that are wanted, each with its number, the largest first."""
        if not all(map(is_number, keys)) or (len(keys) > self.room and not self.capped):
            raise KeyError(keys)
        return sorted(((key, int(key)) for key in keys), key=lambda pair: -pair[1])[: self.room]


class MapShape(FormShape, tag="map"):
    """A map with names as keys, each with a shape of its own; or such a `row`, with its places as keys.

    `MaybeShape.absent` says which may be missing.
    """

    fields: dict[str, AnyShape]
    row: bool = False

    def columns(self, name: str) -> Iterator[FormColumn]:
        for key, shape in self.fields.items():
            yield from shape.columns(f"{name}.{key}" if name else key)

    @cached_property
    def places(self) -> dict[str, int]:
        """The first column of each field."""
        return dict(zip(self.fields, first_columns(self.fields.values()), strict=True))

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if self.row and isinstance(value, list | tuple):
            value = {str(place): each for place, each in enumerate(value)}
        if not isinstance(value, dict):
            return 1
        lost = sum(key not in self.fields for key in value)
        for key, shape in self.fields.items():
            if key in value:
                lost += shape.write(value[key], raw, at + self.places[key])
            elif not is_optional(shape):
                lost += 1
        return lost

    def read(self, raw: Raw, at: int, players: int) -> Any:
        read = {key: shape.read(raw, at + self.places[key], players) for key, shape in self.fields.items()}
        read = {key: value for key, value in read.items() if value is not MISSING}
        return [*read.values()] if self.row else read

    def parts(self) -> Iterator[tuple[int, FormShape]]:
        return zip(self.places.values(), self.fields.values(), strict=True)

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        if self.row:
            super().fill(code, value, at)
            return
        name = value if value.isidentifier() else code.variable(value)
        required = [key for key, shape in self.fields.items() if not is_optional(shape)]
        code.add(f"lost += len({name}) - {len(required)}")
        numbers = [key for key in required if isinstance(self.fields[key], NumberShape)]
        if len(numbers) > 1:  # they come first
            values = ", ".join(f"{name}[{key!r}]" for key in numbers)
            code.add(f"b[{at}:{at + len(numbers)}] = ({values})")
        for key, shape in self.fields.items():
            if is_optional(shape):
                with code.block(f"if {key!r} in {name}:"):
                    code.add("lost -= 1")
                    shape.fill(code, f"{name}[{key!r}]", at + self.places[key])
            elif key not in numbers or len(numbers) == 1:
                shape.fill(code, f"{name}[{key!r}]", at + self.places[key])


class MaybeShape(FormShape, tag="maybe"):
    """Something that may be None, or absent from its map: a column says whether it is there."""

    item: AnyShape
    absent: bool = False

    def columns(self, name: str) -> Iterator[FormColumn]:
        yield FormColumn(f"{name}:is", 0, 1)
        yield from self.item.columns(name)

    def write(self, value: Any, raw: Raw, at: int) -> int:
        if value is None and not self.absent:
            return 0
        raw[at] = 1
        return self.item.write(value, raw, at + 1)

    def read(self, raw: Raw, at: int, players: int) -> Any:
        if raw[at]:
            return self.item.read(raw, at + 1, players)
        return MISSING if self.absent else None

    def parts(self) -> Iterator[tuple[int, FormShape]]:
        yield 1, self.item

    def fill(self, code: Code, value: str, at: RawPlace) -> None:
        if self.absent:
            code.add(f"b[{at}] = 1")
            self.item.fill(code, value, at + 1)
            return
        name = code.variable(value)
        with code.block(f"if {name} is not None:"):
            code.add(f"b[{at}] = 1")
            self.item.fill(code, name, at + 1)


class UnionShape(FormShape, tag="union"):
    """One of several kinds of data: columns that say which, and those of each."""

    options: dict[str, AnyShape]

    KINDS: ClassVar = {"constant": (str, bool), "number": (int, float), "list": (list, tuple), "map": (dict,)}

    def columns(self, name: str) -> Iterator[FormColumn]:
        for kind in self.options:
            yield FormColumn(f"{name} is a {kind}", 0, 1)
        for shape in self.options.values():
            yield from shape.columns(name)

    def parts(self) -> Iterator[tuple[int, FormShape]]:
        return zip(first_columns(self.options.values(), len(self.options)), self.options.values(), strict=True)

    def write(self, value: Any, raw: Raw, at: int) -> int:
        for number, (kind, (first, shape)) in enumerate(zip(self.options, self.parts(), strict=True)):
            if isinstance(value, self.KINDS[kind]):
                raw[at + number] = 1
                return shape.write(value, raw, at + first)
        return 1

    def read(self, raw: Raw, at: int, players: int) -> Any:
        for number, (first, shape) in enumerate(self.parts()):
            if raw[at + number]:
                return shape.read(raw, at + first, players)
        return MISSING


AnyShape: TypeAlias = (
    NumberShape | CategoryShape | SeatShape | SeatOrderShape | BagShape | ListShape | BySeatShape | TableShape
    | MapShape | MaybeShape | UnionShape | OmittedShape
)  # fmt: skip


def first_columns(shapes: Iterable[FormShape], at: int = 0) -> list[int]:
    """Return the first column of each of some shapes, one after the other."""
    firsts = []
    for shape in shapes:
        firsts.append(at)
        at += shape.width
    return firsts


def write_row(item: AnyShape, values: Sequence[Any], raw: Raw, at: int) -> int:
    """Write values of one shape, one after the other, and return how many parts of them have no place."""
    if isinstance(item, NumberShape) and {*map(type, values)} == {int} and max(map(abs, values)) <= LARGEST:
        raw[at : at + len(values)] = values  # the same at once, as a tensor has many
        return 0
    return sum([item.write(each, raw, at + place * item.width) for place, each in enumerate(values)])


def fill_row(code: Code, item: AnyShape, name: str, at: RawPlace, length: str) -> None:
    """Add the statements that write so many values of one shape, one after the other."""
    if isinstance(item, NumberShape):
        code.add(f"b[{at}:{at} + {length}] = {name}")
    elif isinstance(item, CategoryShape):
        chunk = code.table(item.chunks.__getitem__)
        code.add(f"b[{at}:{at} + {length} * {item.width}] = join(map({chunk}, {name}))")
    elif item.width:
        base, each = code.variable(str(at)), code.variable()
        with code.block(f"for {each} in {name}:"):
            item.fill(code, each, RawPlace(base, 0))
            code.add(f"{base} += {item.width}")


def is_optional(shape: AnyShape) -> bool:
    """Return whether a field of this shape may be missing from its map."""
    return isinstance(shape, MaybeShape) and shape.absent


def found(value: Any) -> Any:
    """Return what was read, None where something was left out: a list keeps its places."""
    return None if value is MISSING else value


def is_number(key: str) -> bool:
    """Return whether a key is a number, written as `str` does."""
    return key.isdecimal() and str(int(key)) == key

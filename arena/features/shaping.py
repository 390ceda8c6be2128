"""Finding the shape of data by examples, and by the types that the rules give for it.

Types say what examples may not show: all texts of a category, which numbers are seats, which lists are by seat. Else a
list that is as long as there are players, whatever their number, is by seat; whole numbers under a name of `SEATS` are
seats; and every text that some list of the edition has belongs to a category of which others were seen.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Sequence
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from arena.features.shapes import (
    AnyShape,
    BySeatShape,
    ListShape,
    MapShape,
    MaybeShape,
    TableShape,
    UnionShape,
    is_number,
)
from arena.features.values import (
    MISSING,
    BagShape,
    CategoryShape,
    Constant,
    NumberShape,
    OmittedShape,
    SeatOrderShape,
    SeatShape,
    power_of_two,
)

SEATS: Final = frozenset({"seat", "on_turn", "to_act", "turn"})
"""The names under which whole numbers are seats in data without types."""
_KEPT: Final = 2
"""Entries of a map of which only the largest keys matter."""
_TEXTS: Final = 256
"""Different texts at one place: if there are more, they are no category."""
_SMALL: Final = 256
"""Numbers below this one may be those of cards."""


class Example(NamedTuple):
    """A value that was met."""

    value: Any
    players: int
    """In a game of so many."""


class _Hint:
    """What a type says."""

    def __init__(self, hint: Any = Any) -> None:
        self.marks: set[str] = set()
        self.constants: list[Constant] = []
        self.kinds: set[Any] = set()
        """`int`, `str`, `list` and so on, also that of None."""
        self.item: Any = Any
        """The type of the elements of a list, or of the values of a map."""
        self.fields: dict[str, Any] | None = None
        self._add(hint)

    def _add(self, hint: Any) -> None:
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            self.marks |= {mark for mark in args if isinstance(mark, str)}
            args = tuple(each for each in args if not isinstance(each, str))  # the type, and texts that are among it
        if origin in (Annotated, Union, types.UnionType, Required, NotRequired):
            for each in args:
                self._add(each)
        elif origin is Literal:
            self.constants += args
        elif is_typeddict(hint):
            for name, each in get_type_hints(hint, include_extras=True).items():
                of_others = (self.fields or {}).get(name, each)
                self.fields = {**(self.fields or {}), name: each if each == of_others else Any}
        else:
            self.kinds.add(origin or hint)
            self.item = args[-1] if args else self.item
            self.constants += [False, True] if hint is bool else []


class Shaping:
    """Finds the shapes of one game's data."""

    def __init__(self, most: int, coding: Literal["one-hot", "index"], texts: Iterable[frozenset[str]]) -> None:
        """Prepare for data of a game.

        Args:
            most: The largest number of players.
            coding: How categories become numbers.
            texts: Lists of texts that the editions have.
        """
        self._most = most
        self._index = coding == "index"
        self._texts = sorted(texts, key=lambda each: (len(each), sorted(each)))

    def view(self, examples: Sequence[Example], hint: Any = Any) -> AnyShape:
        """Return the shape of views, in which `seat` is the seat that they are for, and is not turned."""
        shape = self.shape("", examples, hint)
        if isinstance(shape, MapShape) and isinstance(own := shape.fields.get("seat"), SeatShape):
            shape.fields["seat"] = CategoryShape(own.values, self._index)
        return shape

    def shape(self, name: str, examples: Sequence[Example], hint: Any = Any) -> AnyShape:
        """Return the shape of data that stands under a name."""
        known = _Hint(hint)
        if "record" in known.marks:
            return OmittedShape()
        met = [example for example in examples if example.value is not MISSING]
        if len(met) < len(examples) or get_origin(hint) is NotRequired:
            return MaybeShape(self._present(name, met, known), absent=True)
        return self._present(name, met, known)

    def _present(self, name: str, examples: Sequence[Example], known: _Hint) -> AnyShape:
        none = type(None) in known.kinds or any(value is None for value, _ in examples)
        kinds: dict[str, list[Example]] = {"constant": [], "number": [], "list": [], "map": []}
        for example in examples:
            for kind, types_of_it in UnionShape.KINDS.items():
                if isinstance(example.value, types_of_it):
                    kinds[kind].append(example)
                    break
        numbers = kinds["number"]
        if "seat" in known.marks or (name in SEATS and numbers and self._are_seats(kinds)):
            return SeatShape([*([None] if none else []), *range(self._most)])
        options: dict[str, AnyShape] = {}
        if kinds["constant"] or known.constants or str in known.kinds:
            options["constant"] = self._category(kinds["constant"], known)
        if numbers or known.kinds & {int, float}:
            options["number"] = NumberShape(_scale(value for value, _ in numbers))
        if kinds["list"] or list in known.kinds:
            options["list"] = self._list(name, kinds["list"], known)
        if kinds["map"] or known.fields is not None or dict in known.kinds:
            options["map"] = self._map(kinds["map"], known)
        if not options:
            return CategoryShape([None])  # something else will be counted
        shape = next(iter(options.values()))
        if len(options) > 1:
            shape = UnionShape(options)
        elif isinstance(shape, CategoryShape) and none:
            return CategoryShape([None, *shape.values], self._index)
        return MaybeShape(shape) if none and not isinstance(shape, OmittedShape) else shape

    def _are_seats(self, kinds: dict[str, list[Example]]) -> bool:
        others = sum(len(kinds[kind]) for kind in ("constant", "list", "map"))
        return not others and all(type(value) is int and 0 <= value < players for value, players in kinds["number"])

    def _category(self, examples: list[Example], known: _Hint) -> AnyShape:
        met = sorted({value for value, _ in examples} - {*known.constants}, key=lambda each: (type(each) is str, each))
        texts = {value for value in met if isinstance(value, str)}
        if len(texts) > _TEXTS or any("\n" in text for text in texts):
            return OmittedShape()
        if texts and (of_edition := next((each for each in self._texts if texts <= each), None)) is not None:
            met = [*(value for value in met if value not in texts), *sorted(of_edition - {*known.constants})]
        if {*map(type, met)} == {bool}:
            met = [False, True]
        return CategoryShape([*known.constants, *met], self._index)

    def _list(self, name: str, examples: list[Example], known: _Hint) -> AnyShape:
        lengths = {(len(value), players) for value, players in examples}
        items = _items(examples)
        if "seat" in _Hint(known.item).marks:
            return SeatOrderShape(self._most)
        if "by seat" in known.marks or (len(lengths) > 1 and all(length == players for length, players in lengths)):
            return BySeatShape(self.shape("", items, known.item), self._most)
        item = self.shape(name if name in SEATS else "", items, known.item)
        longest = max((length for length, _ in lengths), default=0)
        if isinstance(item, UnionShape) and longest < _SMALL:
            rows = [Example({str(place): each for place, each in enumerate(value)}, n) for value, n in examples]
            return MapShape({str(place): self._field(str(place), rows) for place in range(longest)}, row=True)
        if len({length for length, _ in lengths}) == 1:
            return ListShape(item, longest, fixed=True)
        if type(item) is CategoryShape:
            return BagShape(item.values, _scale([_most_alike(value) for value, _ in examples]))
        if isinstance(item, NumberShape) and items and all(_are_cards(value) for value, _ in examples):
            largest = max(value for value, _ in items)
            return BagShape([*range(largest + 1)], _scale([_most_alike(value) for value, _ in examples]))
        if "stack" in known.marks:
            return ListShape(item, longest, stack=True)
        return ListShape(item, longest + max(2, longest // 2))

    def _map(self, examples: list[Example], known: _Hint) -> AnyShape:
        keys = {key for value, _ in examples for key in value}
        if known.fields is None and keys and all(map(is_number, keys)):
            items = [Example(each, players) for value, players in examples for each in value.values()]
            longest = max(len(value) for value, _ in examples)
            capped = "latest" in known.marks
            room = min(_KEPT, longest) if capped else longest + max(2, longest // 2)
            return TableShape(self.shape("", items, known.item), room, _scale(map(int, keys)), capped)
        hints = known.fields or {}
        shapes = {}
        for key in sorted(keys | {*hints}):
            shapes[key] = self._field(key, examples, hints.get(key, known.item))
        return MapShape(dict(sorted(shapes.items(), key=lambda pair: not isinstance(pair[1], NumberShape))))

    def _field(self, key: str, examples: list[Example], hint: Any = Any) -> AnyShape:
        return self.shape(key, [Example(value.get(key, MISSING), players) for value, players in examples], hint)


def _items(examples: Iterable[Example]) -> list[Example]:
    """Return the elements of lists: each number and each constant only once."""
    plain = set[tuple[Any, int]]()
    others = list[Example]()
    for value, players in examples:
        for each in value:
            if isinstance(each, list | tuple | dict):
                others.append(Example(each, players))
            else:
                plain.add((each, players))
    return [*(Example(*each) for each in plain), *others]


def _scale(numbers: Iterable[float]) -> int:
    return power_of_two(max(map(abs, numbers), default=1))


def _are_cards(value: Any) -> bool:
    """Return whether a list looks like a hand: small whole numbers in order."""
    return all(type(each) is int and 0 <= each < _SMALL for each in value) and list(value) == sorted(value)


def _most_alike(value: Any) -> int:
    return max(map(list(value).count, value), default=1)

"""Encoding views and actions as a fixed number of numbers for learning programs, and decoding them.

A view is plain data. Its shape differs from game to game and grows during a game. An `Encoder` is built from examples
and gives every place in the data columns of its own:

- a whole number: itself;
- a constant (None, False, True, a text): its code, which is the same everywhere;
- a list: its length if that varies, then its elements in order, with room for twice the longest example;
- a map: its values in the order of the keys; a map with numbers as keys: a list of pairs;
- where examples differ in kind: first a column with the code of the kind.

Empty places are 0. Nothing is hashed or scaled, and nothing is specific to one game. `Encoder.columns` says what each
number is, `Encoder.codes` what the codes stand for, and `Encoder.read` turns numbers back into data. Whatever no
example contained (a new text, more elements than there is room for) is left out, and the first column counts these
omissions. With the encoders of `survey` it is 0 except in rare positions.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, MutableSequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import catalog
from engine.adapters.tree import MAX_DECISIONS, TreeGame, canonical
from engine.chance import Seeded, derive

Numbers: TypeAlias = NDArray[np.float32]

LARGEST: Final = 1 << 24
"""32-bit floats represent whole numbers up to this one exactly; larger ones are left out."""
SURVEY_GAMES: Final = 24
"""Random games that are played to collect examples."""
SURVEY_STRIDE: Final = 12
"""Views are collected at one in this many decisions, actions at every decision."""
_NUMBER, _LIST, _MAP, _TABLE = _KINDS = ("<number>", "<list>", "<map>", "<table>")
_PLAIN_KINDS: Final[dict[type, str]] = {int: _NUMBER, list: _LIST, tuple: _LIST}
_ABSENT: Final[object] = ...  # it stays the same object when an encoder is pickled or deep-copied
Codes: TypeAlias = dict[Any, int]
"""The code of every constant and kind, from 1."""


class EncodedColumn(NamedTuple):
    """One number of the encoding: its place in the data, and its range."""

    name: str
    low: int
    high: int
    coded: bool = False
    """Whether it is the code of a constant, or of the kind of what follows."""


def _kind(value: object) -> object:
    """Return what a value is coded as: one of the kinds, or the constant itself."""
    if isinstance(value, dict):
        return _TABLE if value and all(key.isdecimal() for key in value) else _MAP
    return _PLAIN_KINDS.get(type(value), value)


class _Part(ABC):
    """The columns of one kind of value, built from examples of it."""

    width: int

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where this is compiled, `__init__` is called first, without examples."""
        return type(self), ([], {}), self.__getstate__()

    @abstractmethod
    def columns(self, name: str) -> Iterator[EncodedColumn]:
        """Generate the columns in the order in which `write` fills them."""

    @abstractmethod
    def write(self, value: Any, out: MutableSequence[int], at: int) -> int:
        """Fill the columns from `at` on, which must be 0, and return how many parts of the value found no place."""

    @abstractmethod
    def read(self, numbers: Numbers, at: int) -> Any:
        """Return the value that `write` encoded."""


class _Whole(_Part):
    """A whole number."""

    def __init__(self, examples: list[Any], codes: Codes) -> None:
        self.width = 1

    def columns(self, name: str) -> Iterator[EncodedColumn]:
        yield EncodedColumn(name, -LARGEST, LARGEST)

    def write(self, value: int, out: MutableSequence[int], at: int) -> int:
        out[at] = value
        return 0

    def read(self, numbers: Numbers, at: int) -> int:
        return int(numbers[at])


class _List(_Part):
    """A list whose elements share one encoding."""

    def __init__(self, examples: list[Any], codes: Codes) -> None:
        lengths = {len(example) for example in examples}
        self._varies = len(lengths) > 1
        self._room = max(lengths, default=0) * (2 if self._varies else 1)
        self._element = _Any([part for example in examples for part in example], codes)
        self.width = self._varies + self._room * self._element.width

    def columns(self, name: str) -> Iterator[EncodedColumn]:
        if self._varies:
            yield EncodedColumn(f"{name}:length", 0, LARGEST)
        for place in range(self._room):
            yield from self._element.columns(f"{name}[{place}]")

    def write(self, value: Any, out: MutableSequence[int], at: int) -> int:
        values: list[Any] = value if type(value) is list else list(value)
        length, room = len(values), self._room
        lost = 0
        if self._varies:
            out[at] = length
            at += 1
        if length != room and (length > room or not self._varies):
            lost = abs(length - room)
            values = values[:room]
        element = self._element
        if element.only_whole:
            for part in values:
                if type(part) is not int:
                    break
            else:
                out[at : at + len(values)] = values  # does the same as the loop below, for most of a view
                return lost
        if element.texts:
            try:
                coded = [element.texts[part] for part in values]
            except (KeyError, TypeError):
                pass
            else:
                out[at : at + len(values)] = coded  # the same again, for most of the rest
                return lost
        width, inner = element.width, element.only_list
        for part in values:
            if inner is not None and type(part) is list:
                lost += inner.write(part, out, at)
            else:
                lost += element.write(part, out, at)
            at += width
        return lost

    def read(self, numbers: Numbers, at: int) -> list[Any]:
        length = min(self._room, int(numbers[at])) if self._varies else self._room
        at += self._varies
        return [self._element.read(numbers, at + place * self._element.width) for place in range(length)]


class _Map(_Part):
    """A map with names as keys, each with an encoding of its own."""

    def __init__(self, examples: list[dict[str, Any]], codes: Codes) -> None:
        keys = sorted({key for example in examples for key in example})
        self._fields = {key: _Any([example.get(key, _ABSENT) for example in examples], codes) for key in keys}
        self._places: list[tuple[str, int, _Any]] = []  # the same with the first column of each
        self.width = 0
        for key, part in self._fields.items():
            self._places.append((key, self.width, part))
            self.width += part.width

    def columns(self, name: str) -> Iterator[EncodedColumn]:
        for key, part in self._fields.items():
            yield from part.columns(f"{name}.{key}" if name else key)

    def write(self, value: dict[str, Any], out: MutableSequence[int], at: int) -> int:
        lost = found = 0
        for key, offset, part in self._places:
            field = value.get(key, _ABSENT)
            if field is not _ABSENT:
                found += 1
            inner = part.only_list
            if inner is not None and type(field) is list:
                lost += inner.write(field, out, at + offset)
            else:
                lost += part.write(field, out, at + offset)
        return lost + len(value) - found

    def read(self, numbers: Numbers, at: int) -> dict[str, Any]:
        found = {}
        for key, part in self._fields.items():
            value = part.read(numbers, at)
            at += part.width
            if value is not _ABSENT:
                found[key] = value
        return found


class _Table(_List):
    """A map with numbers as keys."""

    def __init__(self, examples: list[Any], codes: Codes) -> None:
        super().__init__([self._pairs(example) for example in examples], codes)

    @staticmethod
    def _pairs(value: dict[str, Any]) -> list[Any]:
        return [{"key": key, "value": value[str(key)]} for key in sorted(map(int, value))]

    def write(self, value: Any, out: MutableSequence[int], at: int) -> int:
        return super().write(self._pairs(value), out, at)

    def read(self, numbers: Numbers, at: int) -> Any:
        return {str(pair["key"]): pair["value"] for pair in super().read(numbers, at)}


_PARTS: Final[dict[object, type[_List | _Map | _Table | _Whole]]] = {
    _NUMBER: _Whole, _LIST: _List, _MAP: _Map, _TABLE: _Table,
}  # fmt: skip


class _Slot(NamedTuple):
    """Where a constant or a value of some kind goes at a place: its code (0: none), and the columns of its part."""

    code: int
    offset: int
    part: _Part | None


class _Any(_Part):
    """A place in the data that may hold values of several kinds."""

    def __init__(self, examples: list[Any], codes: Codes) -> None:
        by_kind: dict[object, list[Any]] = {}
        if set(map(type, examples)) == {int}:
            by_kind[_NUMBER] = examples  # does the same as the loop below, for most of a view
        else:
            for example in examples:
                by_kind.setdefault(_kind(example), []).append(example)
        self._parts: dict[object, _Part] = {
            kind: part(by_kind[kind], codes) for kind, part in _PARTS.items() if kind in by_kind
        }
        self._coded = by_kind.keys() != self._parts.keys() or len(by_kind) != 1
        self.only_whole = not self._coded and _NUMBER in self._parts
        """Whether it takes whole numbers only."""
        only = self._parts.get(_LIST) if len(by_kind) == 1 else None
        self.only_list = only if isinstance(only, _List) else None
        """The part for lists, if it takes nothing else."""
        self.texts: dict[str | None, int] = {}
        """The codes of texts and None, if it takes only constants. Other constants can be equal to numbers."""
        if not self._parts:
            self.texts = {
                constant: code for constant, code in codes.items()
                if constant not in _KINDS and (constant is None or type(constant) is str)
            }  # fmt: skip
        self._codes = codes
        self._slots: dict[object, _Slot] = {}
        if self._coded:
            self._slots = {constant: _Slot(code, 0, None) for constant, code in codes.items() if constant not in _KINDS}
            self._slots[_ABSENT] = _Slot(0, 0, None)
        self.width = int(self._coded)
        for kind, part in self._parts.items():
            self._slots[kind] = _Slot(codes[kind] if self._coded else 0, self.width, part)
            self.width += part.width
        self._choices = {slot.code: (choice, slot) for choice, slot in self._slots.items()}

    def columns(self, name: str) -> Iterator[EncodedColumn]:
        if self._coded:
            yield EncodedColumn(f"{name}:is", 0, len(self._codes), coded=True)
        for part in self._parts.values():
            yield from part.columns(name)

    def write(self, value: Any, out: MutableSequence[int], at: int) -> int:
        kind = type(value)
        if kind is int and self.only_whole:
            out[at] = value  # does the same as what follows, for most of a view
            return 0
        slot = self._slots.get(value if kind is str else _kind(value))  # a text is its own kind
        if slot is None:
            return 1
        code, offset, part = slot
        if code:
            out[at] = code
        return 0 if part is None else part.write(value, out, at + offset)

    def read(self, numbers: Numbers, at: int) -> Any:
        choice, slot = self._choices[int(numbers[at]) if self._coded else 0]
        return choice if slot.part is None else slot.part.read(numbers, at + slot.offset)


class Encoder:
    """An encoding of data of one shape as numbers."""

    def __init__(self, examples: Iterable[Any], texts: Iterable[str]) -> None:
        """Build an encoding that has a place for all the examples.

        Args:
            examples: The data.
            texts: Texts that may stand wherever an example has a text.
        """
        known = [None, False, True, *sorted(set(texts)), *_KINDS]
        self.codes: Codes = {constant: code for code, constant in enumerate(known, start=1)}
        """What the codes stand for."""
        self._whole = _Any(list(examples), self.codes)
        self.columns: tuple[EncodedColumn, ...] = (EncodedColumn("left out", 0, LARGEST), *self._whole.columns(""))
        """What each number is."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or deep-copy: where this is compiled, `__init__` is called first."""
        return Encoder, ((), ()), self.__getstate__()

    @property
    def width(self) -> int:
        """How many numbers there are."""
        return len(self.columns)

    def write(self, value: object) -> Numbers:
        """Encode a value; the first number counts the parts of it that have no place here."""
        few = bytearray(len(self.columns))
        try:
            few[0] = self._whole.write(value, few, 1)
        except ValueError:  # some number is not from 0 to 255
            return self._write_any(value)
        return np.frombuffer(few, np.uint8).astype(np.float32)

    def _write_any(self, value: object) -> Numbers:
        """Encode a value with numbers of any size, in several times as long."""
        out = [0] * len(self.columns)
        lost = self._whole.write(value, out, 1)
        for column, number in enumerate(out):
            if not -LARGEST <= number <= LARGEST:
                out[column] = 0
                lost += 1
        out[0] = lost
        return np.array(out, np.float32)

    def read(self, numbers: Numbers) -> Any:
        """Decode numbers: return the value that was written, if none of it was left out."""
        return self._whole.read(numbers, 1)

    def bounds(self) -> tuple[Numbers, Numbers]:
        """Return the lowest and the highest number of each column."""
        lows = np.array([column.low for column in self.columns], np.float32)
        return lows, np.array([column.high for column in self.columns], np.float32)


class Encoders(NamedTuple):
    """The encodings of a game's views and of its actions."""

    view: Encoder
    action: Encoder


def survey(setup: TreeGame) -> Encoders:
    """Build the encoders of a game from random games, always the same ones, and cache them.

    A bot may pass the edition that it received: fields that this version of the game does not know are ignored.
    """
    return _survey(setup.game, setup.players, canonical(catalog.rules(setup.game).strip_unknown(setup.edition)))


@cache
def _survey(name: str, players: int, edition: str) -> Encoders:
    rules, data = catalog.rules(name), json.loads(edition)
    views: list[Any] = []
    actions: dict[str, Any] = {}
    for number in range(SURVEY_GAMES):
        chance = Seeded(derive(b"survey of a game", name, players, number))
        state = rules.start(players, data, chance.copy())
        for decision in range(MAX_DECISIONS):
            offer = state.actions()
            seat = state.to_act
            if seat is None:
                break
            actions.update((canonical(action), action) for action in offer)
            if decision % SURVEY_STRIDE == number % SURVEY_STRIDE:
                views += [state.view(seat), state.view((None, *range(players))[decision % (players + 1)])]
            state.play(chance.below("moves of the survey", len(offer)))
        views += [state.view(reader) for reader in (None, *range(players))]
    known: set[str] = set()
    _gather([data, views, list(actions.values())], known)
    return Encoders(Encoder(views, known), Encoder(actions.values(), known))


def _gather(value: object, found: set[str]) -> None:
    """Collect every text in plain data, keys included."""
    if isinstance(value, str):
        found.add(value)
    elif isinstance(value, dict):
        found.update(value)
        for part in value.values():
            _gather(part, found)
    elif isinstance(value, list | tuple):
        for part in value:
            if type(part) is not int:
                _gather(part, found)

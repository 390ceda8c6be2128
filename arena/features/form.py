"""The encoding of a game's views as numbers, for models.

A `Form` is the same for every number of players: lists by seat have room for the most, and are turned so that one's
own seat comes first. It is made once from a game's rules and saved beside the weights of a model; to encode with it,
neither the game nor the engine is needed. What it has no place for (a text that it does not know, a field of a later
version of the rules, more elements than there is room for) is left out and counted in the first column.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.features.choices import ActionChoice, Actions, Numbers
from arena.features.code import Code, RawPlace
from arena.features.shapes import AnyShape, BySeatShape, MapShape, MaybeShape, is_optional
from arena.features.values import LARGEST, MISSING, CategoryShape, FormColumn
from engine.rules import Action

Coding: TypeAlias = Literal["one-hot", "index"]

FORMAT: Final = 1
"""The version of the files of forms."""
_UNFIT: Final = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
"""What the fast way raises for a view that does not fit."""


class FormFile(msgspec.Struct):
    """What the file of a form contains."""

    form: int
    """The version of the format."""
    game: str
    edition: str | None
    players: tuple[int, int]
    coding: Coding
    history: int
    view: AnyShape
    event: AnyShape | None
    actions: dict[str, Any]
    """What `Actions.load` takes."""


class Form:
    """An encoding of the views of a game."""

    def __init__(self, file: FormFile) -> None:
        """Take what a file contains; use `Form.of` or `Form.load` instead."""
        self.file = file
        self.game, self.edition, self.players = file.game, file.edition, file.players
        self.actions = Actions.load(file.actions)
        self.history = file.history if file.event is not None else 0
        self._most = file.players[1]
        self._by_seat = _list_by_seat(file.view)
        low, high = file.players
        self._players = CategoryShape([*range(low, high + 1)] if self._by_seat else [], file.coding == "index")
        self._slot = MaybeShape(file.event or MapShape({}), absent=True)
        self._at_view = 1 + self._players.width
        self._at_history = self._at_view + file.view.width
        self.width = self._at_history + self.history * self._slot.width
        """How many numbers an observation has."""
        self._scales = np.array([column.scale for column in self.columns], np.float32)
        self._factors = 1 / self._scales
        self._orders: dict[tuple[int, int], NDArray[np.intp]] = {}

    @classmethod
    def of(
        cls,
        game: str,
        edition: str | None = None,
        players: int | None = None,
        coding: Coding = "one-hot",
        history: int = 0,
    ) -> Form:
        """Make the form of a game, always the same one, from random games and from the types that its rules give.

        Args:
            game: The name of the rules.
            edition: The name of an edition; None: one form for all that the rules have.
            players: The number of players; None: one form for all that are possible.
            coding: Categories as a column for each value, or as one with the number of the value.
            history: How many of the latest events that the seat saw belong to an observation.

        Raises:
            FormError: The views of the game have no numbers.
            ValueError: There is no such edition, or the game is not for so many players.
        """
        from arena.features.survey import survey  # whoever loads a form needs no rules
        from engine import catalog

        rules = catalog.rules(game)
        low, high = rules.players if players is None else (players, players)
        if not rules.players[0] <= low <= high <= rules.players[1]:
            raise ValueError(f"{game} is for {rules.players[0]} to {rules.players[1]} players, not {players}")
        editions = rules.editions() if edition is None else [edition]
        view, event, action = survey(rules, editions, range(low, high + 1), coding, history > 0)
        actions = Actions.of(rules, [rules.edition(name) for name in editions], action).data()
        return cls(FormFile(FORMAT, rules.name, edition, (low, high), coding, history, view, event, actions))

    def save(self, path: str | Path) -> None:
        """Write the form to a file of JSON."""
        Path(path).write_bytes(msgspec.json.format(msgspec.json.encode(self.file), indent=0) + b"\n")

    @classmethod
    def load(cls, path: str | Path) -> Form:
        """Read the file of a form. Raises ValueError if it is none, or of a later version of the format."""
        return cls.read(Path(path).read_bytes(), str(path))

    @classmethod
    def read(cls, data: bytes, name: str = "the form") -> Form:
        """Return the form that the bytes of a file contain. Raises ValueError, as `load` does, with this name of it."""
        try:
            version = msgspec.json.decode(data, type=_Version).form
            if version > FORMAT:
                raise ValueError(f"it has version {version}, and this arena knows {FORMAT}: update it with pip")
            return cls(msgspec.json.decode(data, type=FormFile))
        except (KeyError, ValueError, msgspec.MsgspecError) as error:
            raise ValueError(f"{name} cannot be read as a form: {error}") from error

    def __reduce__(self) -> tuple[Any, ...]:
        """Say how to pickle or copy: by the content of the file."""
        return Form.read, (msgspec.json.encode(self.file),)

    @cached_property
    def columns(self) -> list[FormColumn]:
        """What each number of an observation is: its name and its range."""
        found = [FormColumn("left out", 0, LARGEST), *self._players.columns("players"), *self.file.view.columns("")]
        for slot in range(self.history):
            found += self._slot.columns(f"event {slot + 1}")
        return found

    def encode(self, view: Any, events: Sequence[Any] = (), out: Numbers | None = None) -> Numbers:
        """Return the numbers of a view, and of the latest of some events if the form has a history.

        Args:
            view: What a seat was sent.
            events: The events that it saw, the latest one last.
            out: Where to write: a row of `width` numbers, all of which are set.
        """
        raw: Any = bytearray(self.width + 1)
        try:
            seats = self._fill(view, events, raw)
        except _UNFIT:
            return self._encode_unfit(view, events, out)
        order = self._orders.get(seats)
        if order is None:
            order = self._order(*seats)
        return np.multiply(np.frombuffer(raw, np.uint8).take(order), self._factors, out=out)

    def _encode_unfit(self, view: Any, events: Sequence[Any], out: Numbers | None) -> Numbers:
        """Encode numbers of any size, or what does not fit, in several times as long."""
        raw: list[Any] = [0] * self.width
        seats = self._write(view, events, raw)
        return np.multiply(np.array(raw, np.float32).take(self._order(*seats)), self._factors, out=out)

    def _write(self, view: Any, events: Sequence[Any], raw: list[Any]) -> tuple[int, int]:
        """Do the same as `_fill`, for any data."""
        lost = self.file.view.write(view, raw, self._at_view)
        if self._by_seat:
            lost += self._players.write(self._count(view), raw, 1)
        for slot, event in enumerate(reversed(events[-self.history :] if self.history else ())):
            lost += self._slot.write(event, raw, self._at_history + slot * self._slot.width)
        raw[0] = lost
        return self._whose(view)

    def _count(self, view: Any) -> int:
        """Return the number of players."""
        for key in self._by_seat:
            view = view.get(key) if isinstance(view, dict) else None
        return len(view) if isinstance(view, list | tuple) else 0

    def _whose(self, view: Any) -> tuple[int, int]:
        """Return the number of players and the own seat, for any data."""
        players, seat = self._count(view), view.get("seat") if isinstance(view, dict) else None
        players = players if 0 < players <= self._most else self._most
        return players, seat if type(seat) is int and 0 <= seat < players else 0

    @cached_property
    def _fill(self) -> Any:
        code = Code("def fill(view, events, b):", self.width)
        code.add("lost = 0")
        if self._by_seat:
            code.add(f"n = len(view{''.join(f'[{key!r}]' for key in self._by_seat)})")
            self._players.fill(code, "n", RawPlace("", 1))
        else:
            code.add(f"n = {self._most}")
        self.file.view.fill(code, "view", RawPlace("", self._at_view))
        if self.history:
            code.add(f"o = {self._at_history}")
            with code.block(f"for event in reversed(events[-{self.history}:]):"):
                self._slot.fill(code, "event", RawPlace("o", 0))
                code.add(f"o += {self._slot.width}")
        seat = "view['seat'] or 0" if self._has_seat else "0"
        code.refuse_unless("lost >= 0")
        code.add("b[0] = lost")
        code.add(f"return n, {seat}")
        return code.function("fill")

    @property
    def _has_seat(self) -> bool:
        shape = self.file.view
        return isinstance(shape, MapShape) and isinstance(shape.fields.get("seat"), CategoryShape)

    def _order(self, players: int, seat: int) -> NDArray[np.intp]:
        """Return where each number of an observation is among the raw ones."""
        order = self._orders.get((players, seat))
        if order is None:
            seats = self._turned(players, seat)
            places = [*range(self._at_view), *self.file.view.order(self._at_view, seats)]
            for slot in range(self.history):
                places += self._slot.order(self._at_history + slot * self._slot.width, seats)
            order = self._orders[players, seat] = np.array(places, np.intp)
        return order

    def _turned(self, players: int, seat: int) -> list[int]:
        """Return all seats, the own one first."""
        return [*((seat + place) % players for place in range(players)), *range(players, self._most)]

    def features(self, view: Any, actions: Sequence[Action]) -> Numbers:
        """Return a row of features for each action, with the own seat first, as in the view."""
        return self.actions.encode(actions, self._turned(*self._whose(view)))

    def choice(self, actions: Sequence[Action]) -> ActionChoice:
        """Begin a choice among the actions that are offered, made in steps."""
        return ActionChoice(self.actions, actions)

    @property
    def observation_width(self) -> int:
        """How many numbers `observe` returns."""
        return self.width + (self.actions.count or 0 if self.actions.kind == "steps" else 0)

    def observe(self, view: Any, choice: ActionChoice, events: Sequence[Any] = ()) -> Numbers:
        """Return all that a model has to see at a step of a choice: the view, and the steps that were taken before."""
        numbers = np.empty(self.observation_width, np.float32)
        self.encode(view, events, numbers[: self.width])
        if self.actions.kind == "steps":
            numbers[self.width :] = choice.taken
        return numbers

    def decode(self, numbers: Sequence[float] | Numbers) -> Any:
        """Return the view that was encoded: bags come sorted, and what was left out is missing."""
        shape, scaled = self.file.view, np.asarray(numbers, np.float32) * self._scales
        players, seat = self._most, 0
        if self._by_seat:
            players = self._players.read(scaled.tolist(), 1, 0)
        if players is MISSING:
            players = self._most
        if self._has_seat:
            assert isinstance(shape, MapShape)
            at = self._at_view + shape.places["seat"]
            own = shape.fields["seat"].read(scaled.tolist(), at, players)
            seat = own if type(own) is int else 0
        raw = np.empty_like(scaled)
        raw[self._order(players, seat)] = scaled
        return shape.read(raw.tolist(), self._at_view, players)


class _Version(msgspec.Struct):
    form: int


def _list_by_seat(shape: AnyShape) -> tuple[str, ...]:
    """Return where in every view there is a list with an element for each seat; empty: nowhere."""
    if isinstance(shape, MapShape):
        for key, inner in shape.fields.items():
            if isinstance(inner, BySeatShape):
                return (key,)
            if not is_optional(inner) and (path := _list_by_seat(inner)):
                return (key, *path)
    return ()

"""Actions as numbers: ids, steps of a vocabulary or rows of features, and a choice among those that are legal.

There are three kinds of games. In those whose actions have ids, a choice is one step: an id. Rules with a vocabulary
(`engine.rules.Spelled`) spell an action in several steps, and a choice is made step by step. Elsewhere a model scores
the features of each action that is offered, and a step is an action's place in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.features.shapes import AnyShape
from arena.features.values import LARGEST, FormColumn
from engine.rules import Action, Data, Rules, Spelled, Spelling, spell

Kind: TypeAlias = Literal["ids", "steps", "features"]
Numbers: TypeAlias = NDArray[np.float32]
_Steps: TypeAlias = tuple[int, ...]
_T = TypeVar("_T")
_MOST: Final = 1 << 15
"""Actions that are kept with what was made of them: rules in this process offer the same objects again and again."""


class _Kept(Generic[_T]):
    """What was made of actions, by their identity: therefore the actions are kept, too."""

    def __init__(self, make: Callable[[Action], _T]) -> None:
        self._make = make
        self._made: dict[int, _T] = {}
        self._actions: list[Action] = []

    def all(self, offered: Sequence[Action]) -> list[_T]:
        """Return what is made of each action."""
        get = self._made.get
        found = [get(id(action)) for action in offered]
        return self._make_all(offered) if None in found else found  # type: ignore[return-value]

    def _make_all(self, offered: Sequence[Action]) -> list[_T]:
        if len(self._actions) > _MOST:
            self._made.clear()
            self._actions.clear()
        made = [self._make(action) for action in offered]
        self._made.update(zip(map(id, offered), made, strict=True))
        self._actions += offered
        return made


class Actions:
    """The actions of a game as numbers."""

    def __init__(
        self,
        kind: Kind,
        count: int | None,
        names: Sequence[str] = (),
        spelling: Spelling | None = None,
        shape: AnyShape | None = None,
    ) -> None:
        """Take what they consist of; use `of` or `load` instead."""
        self.kind = kind
        self.count = count
        """How many different steps there are; None: as many as actions are offered."""
        self._names, self._spelling, self._shape = names, spelling or {}, shape
        self._ids = {name: number for number, name in enumerate(names)}
        self._steps, self._rows = _Kept(self._spelled), _Kept(self._row)
        self._orders: dict[tuple[int, ...], list[int]] = {}

    @classmethod
    def of(cls, rules: Rules, editions: Sequence[Data], shape: AnyShape | None = None) -> Actions:
        """Make the actions of some rules in all of these resolved editions; `shape`: of what shape they are."""
        if isinstance(rules, Spelled):
            names = [*dict.fromkeys(step for edition in editions for step in rules.vocabulary(edition))]
            return cls("steps", len(names), names, rules.spelling, shape)
        ids = rules.capabilities.action_ids
        return cls("features", None, shape=shape) if ids is None else cls("ids", ids)

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Actions:
        """Make the actions of what `data` returned."""
        shape = msgspec.convert(data["shape"], AnyShape | None)
        return cls(data["kind"], data["count"], data["names"], data["spelling"], shape)

    def data(self) -> dict[str, Any]:
        """Return all of it as data for JSON."""
        has = {"kind": self.kind, "count": self.count, "names": [*self._names], "spelling": {**self._spelling}}
        return {**has, "shape": msgspec.to_builtins(self._shape)}

    @property
    def names(self) -> list[str]:
        """The steps in words, by their numbers."""
        return [*self._names] if self._names else [str(number) for number in range(self.count or 0)]

    def spell(self, action: Action) -> _Steps:
        """Return the steps of an action. Raises `KeyError` if it has none here, as in an edition that was not given."""
        if self.kind == "ids":
            number: int = action["id"]
            if not 0 <= number < (self.count or 0):
                raise KeyError(number)
            return (number,)
        if self.kind == "features":
            raise KeyError("in this game an action is its place among those that are offered")
        return tuple([self._ids[step] for step in spell(action, self._spelling)])

    def spellings(self, offered: Sequence[Action]) -> list[_Steps]:
        """Return the steps of each action, none for those that have none here."""
        if self.kind == "features":
            return [(place,) for place in range(len(offered))]
        if self.kind == "ids":
            return [self._spelled(action) for action in offered]  # which is as fast as to look it up
        return self._steps.all(offered)

    def _spelled(self, action: Action) -> _Steps:
        try:
            return self.spell(action)
        except KeyError:
            return ()

    @cached_property
    def columns(self) -> list[FormColumn]:
        """What each feature of an action is: of actions with ids, which one it is."""
        if self.kind == "ids":
            return [FormColumn(f"id={number}", 0, 1) for number in range(self.count or 0)]
        return [FormColumn("left out", 0, LARGEST), *(self._shape.columns("") if self._shape else ())]

    @cached_property
    def width(self) -> int:
        """How many features an action has."""
        return len(self.columns)

    @cached_property
    def _factors(self) -> Numbers:
        return np.array([1 / column.scale for column in self.columns], np.float32)

    def encode(self, offered: Sequence[Action], seats: Sequence[int] = ()) -> Numbers:
        """Return a row of features for each action.

        Args:
            offered: The actions.
            seats: All seats in the order in which the features show them; none: in their own order.
        """
        if self.kind == "ids":
            rows = np.zeros((len(offered), self.width), np.float32)
            for place, steps in enumerate(self.spellings(offered)):
                rows[place, list(steps)] = 1
            return rows
        rows = np.frombuffer(b"".join(self._rows.all(offered)), np.float32).reshape(len(offered), self.width)
        if self._shape is None or not seats:
            return rows.copy()
        order = self._orders.get(key := tuple(seats))
        if order is None:
            order = self._orders[key] = [0, *self._shape.order(1, seats)]
        return rows[:, order]

    def _row(self, action: Action) -> bytes:
        raw: list[Any] = [0] * self.width
        raw[0] = self._shape.write(action, raw, 1) if self._shape else 0
        return (np.array(raw, np.float32) * self._factors).tobytes()


class ActionChoice:
    """A choice among legal actions, made in steps; a step to which there is no other is taken by itself.

    Actions that have no steps here cannot be chosen. If none has any, every step chooses the first action.
    """

    __slots__ = ("_count", "_left", "_settled", "_spellings", "_ways", "steps")

    def __init__(self, actions: Actions, offered: Sequence[Action]) -> None:
        """Begin a choice among the actions that are offered."""
        self._spellings = spellings = actions.spellings(offered)
        self._count = len(offered) if actions.count is None else actions.count
        self.steps: list[int] = []
        """The steps that were taken so far."""
        self._left: Sequence[int] = range(len(spellings))
        """The places of the actions that begin with these steps."""
        try:
            self._ways = {steps[0] for steps in spellings}
        except IndexError:  # some have no steps
            self._left = [place for place, steps in enumerate(spellings) if steps]
            self._ways = {spellings[place][0] for place in self._left}
        self._settled = None if self._left else 0
        if len(self._ways) == 1 < len(self._left):
            self._settled = self._go_on()
        if self._settled is not None:
            self._ways = {*range(self._count)}

    @property
    def mask(self) -> NDArray[np.bool_]:
        """By step, whether it goes on with some legal action."""
        bits = bytearray(self._count)
        for step in self._ways:
            bits[step] = 1
        return np.frombuffer(bits, np.bool_)

    @property
    def taken(self) -> Numbers:
        """By step, how often it was taken so far."""
        counts = np.zeros(self._count, np.float32)
        for step in self.steps:
            counts[step] += 1
        return counts

    def toward(self, index: int) -> int:
        """Return the next step of the action with this index, to learn from a choice that was made."""
        return self._spellings[index][len(self.steps)]

    def take(self, step: int) -> int | None:
        """Take a step, and return the index of the action as soon as it is settled.

        Raises:
            ValueError: No legal action goes on so.
        """
        if step not in self._ways:
            raise ValueError(f"no legal action goes on with step {step}: see `mask`")
        if self._settled is not None:
            return self._settled
        at, spellings = len(self.steps), self._spellings
        self.steps.append(step)
        self._left = left = [place for place in self._left if spellings[place][at] == step]
        return self._go_on() if len(left) > 1 else left[0]

    def _go_on(self) -> int | None:
        """Take steps to which there is no other; return an action's index where its steps end."""
        spellings, left = self._spellings, self._left
        while True:
            at = len(self.steps)
            try:
                ways = {spellings[place][at] for place in left}
            except IndexError:  # as if later rules have actions that are spelled alike here
                return next(place for place in left if len(spellings[place]) == at)
            if len(ways) > 1:
                self._ways = ways
                return None
            self.steps += ways

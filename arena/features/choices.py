"""Actions as numbers: ids, steps of a vocabulary or rows of features, and a choice among those that are legal.

There are three kinds of games. In those whose actions have ids, a choice is one step: an id. Rules with a vocabulary
(`engine.rules.Spelled`) spell an action in several steps, and a choice is made step by step. Elsewhere a model scores
the features of each action that is offered, and a step is an action's place in the list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.rules import Action, Data, Rules, Spelled, Spelling, spell

Kind: TypeAlias = Literal["ids", "steps", "features"]
_Steps: TypeAlias = tuple[int, ...]
_KEPT: Final = 1 << 15
"""Actions of which the steps are kept: rules in this process offer the same objects again and again."""


class Actions:
    """The actions of a game as numbers."""

    def __init__(
        self, kind: Kind, count: int | None, names: Sequence[str] = (), spelling: Spelling | None = None
    ) -> None:
        """Take what `data` returned; `of` makes actions of rules."""
        self.kind = kind
        self.count = count
        """How many different steps there are; None: as many as actions are offered."""
        self._names, self._spelling = names, spelling or {}
        self._ids = {name: number for number, name in enumerate(names)}
        self._kept: dict[int, _Steps] = {}  # by the identities of actions, which therefore must live on
        self._alive: list[Action] = []

    @classmethod
    def of(cls, rules: Rules, editions: Sequence[Data]) -> Actions:
        """Make the actions of some rules in all of these resolved editions."""
        if isinstance(rules, Spelled):
            names = [*dict.fromkeys(step for edition in editions for step in rules.vocabulary(edition))]
            return cls("steps", len(names), names, rules.spelling)
        ids = rules.capabilities.action_ids
        return cls("features", None) if ids is None else cls("ids", ids)

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Actions:
        """Make the actions of what `data` returned."""
        return cls(data["kind"], data["count"], data["names"], data["spelling"])

    def data(self) -> dict[str, Any]:
        """Return all of it as data for JSON."""
        return {"kind": self.kind, "count": self.count, "names": [*self._names], "spelling": {**self._spelling}}

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
        kept = self._kept.get
        found = [kept(id(action)) for action in offered]
        return self._spell_anew(offered) if None in found else found  # type: ignore[return-value]

    def _spell_anew(self, offered: Sequence[Action]) -> list[_Steps]:
        if len(self._kept) > _KEPT:
            self._kept.clear()
            self._alive.clear()
        found = [self._spelled(action) for action in offered]
        self._kept.update(zip(map(id, offered), found, strict=True))
        self._alive += offered
        return found

    def _spelled(self, action: Action) -> _Steps:
        try:
            return self.spell(action)
        except KeyError:
            return ()


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
    def taken(self) -> NDArray[np.float32]:
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

"""Simultaneous decisions: hidden choices, for which the seats are asked one after the other.

Rules need five lines:

self.laying = HiddenChoices("lay", {seat: choices_of(seat) for seat in seats})  # it begins
to_act, actions = self.laying.to_act, self.laying.actions()
chosen = self.laying.choose(index)  # by these seats: the one to act, and those behind it with only one choice
forced_moves = self.laying.forced  # each with the number of events before its own
if self.laying.to_act is None: ...  # all have chosen: only now may `self.laying.chosen` come to light
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from engine.rules import ForcedMove

C = TypeVar("C")


class HiddenChoices(Generic[C]):
    """Choices that several seats make at once, hidden until all have chosen."""

    def __init__(self, phase: str, offered: Mapping[int, Sequence[C]]) -> None:
        """Begin with the choices of each seat, at least one, in the order in which the seats are asked."""
        self.phase, self.offered = phase, offered
        self.chosen: dict[int, C] = {}
        """By seat, hidden from the others."""
        self.forced: list[ForcedMove] = []
        """The seats with only one choice, which the last call made, as nobody else can know."""
        self._choose_alone()

    @property
    def to_act(self) -> int | None:
        """The seat that chooses now; None when all have chosen."""
        return next((seat for seat in self.offered if seat not in self.chosen), None)

    def actions(self) -> Sequence[C]:
        """Return the choices of the seat that chooses now."""
        return [] if self.to_act is None else self.offered[self.to_act]

    def choose(self, index: int) -> list[int]:
        """Make a choice for the seat to act, and return the seats that have now chosen. Raises IndexError."""
        if index not in range(len(self.actions())) or (seat := self.to_act) is None:
            raise IndexError(f"there is no action {index}")
        self.chosen[seat] = self.offered[seat][index]
        self._choose_alone()
        return [seat, *(move.seat for move in self.forced)]

    def copy(self) -> HiddenChoices[C]:
        """Return independent choices that continue as these would."""
        clone = HiddenChoices[C](self.phase, {})
        clone.offered, clone.chosen, clone.forced = self.offered, self.chosen.copy(), self.forced[:]
        return clone

    def _choose_alone(self) -> None:
        self.forced = []
        while (seat := self.to_act) is not None and len(self.offered[seat]) == 1:
            self.chosen[seat] = self.offered[seat][0]
            self.forced.append(ForcedMove(seat, self.phase))

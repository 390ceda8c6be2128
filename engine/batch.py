"""Step many games at once, with what the seats to act may know as arrays: for programs that learn.

A row is a game. When one ends, its result is returned and the next game begins in its row, so every row always stands
at a step of a decision. All follows from the seed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.chance import Seeded, derive
from engine.rules import Action, Data, Event, Rules, State

MAX_DECISIONS: Final = 10_000
"""Random play needs a few hundred; a game that goes on for longer ends with the ranks of that moment."""


class StepChoice(Protocol):
    """One decision, made in one or more steps: `arena.features` has such choices."""

    @property
    def mask(self) -> NDArray[np.bool_]:
        """By step, whether it leads on to a legal action."""

    @property
    def taken(self) -> NDArray[np.float32]:
        """By step, how often it was taken so far."""

    @property
    def steps(self) -> Sequence[int]:
        """The steps that were taken so far."""

    def take(self, step: int) -> int | None:
        """Take a step, and return the index of the action once it is settled. ValueError: it is not allowed."""


class Encoding(Protocol):
    """How views and actions become numbers: `arena.features.Form` is one."""

    width: int
    """How many numbers a view has."""
    history: int
    """How many of the latest events belong to it."""

    @property
    def observation_width(self) -> int:
        """How many numbers an observation has: those of a view, and of the steps that were taken if that is more."""

    def choice(self, actions: Sequence[Action]) -> Any:
        """Begin a `StepChoice` among actions."""

    def encode(self, view: Any, events: Sequence[Any] = (), out: Any = None) -> Any:
        """Write what a seat knows into `out`."""


class Result(NamedTuple):
    """How a game of a batch ended."""

    row: int
    ranks: list[int]
    seat: int
    """Whose step was the last one."""
    is_truncated: bool
    """Whether the game was not over, but took too long."""


class Batch:
    """So many games, each at a step of a decision."""

    def __init__(
        self,
        rules: Rules,
        edition: Data,
        encoding: Encoding,
        rows: int,
        players: Sequence[int],
        seed: bytes,
        steps: int,
        max_decisions: int = MAX_DECISIONS,
    ) -> None:
        """Begin the games.

        Args:
            rules: What is played.
            edition: A resolved edition.
            encoding: Makes numbers of views and actions.
            rows: How many games are played at once.
            players: The numbers of players; games take them in turn.
            seed: All chance of all games follows from it.
            steps: How many different steps choices have, or the most actions at one decision: the width of `masks`.
            max_decisions: A game that goes on for longer ends with the ranks of that moment.
        """
        self._rules, self._edition, self._encoding = rules, edition, encoding
        self._numbers, self._seed, self._max_decisions = list(players), seed, max_decisions
        self._begun = 0
        width = encoding.width
        self._has_taken = encoding.observation_width > width
        self.observations = np.zeros((rows, encoding.observation_width), np.float32)
        """What the seat to act knows, a row for each game."""
        self.masks = np.zeros((rows, steps), np.bool_)
        """The steps that it may take."""
        self.seats = np.zeros(rows, np.int64)
        """The seat to act."""
        self.players = np.zeros(rows, np.int64)
        """How many players each game has."""
        # Rows and their parts as arrays of their own, which are made only once.
        self._views: list[Any] = [row[:width] for row in self.observations]
        self._taken: list[Any] = [row[width:] for row in self.observations]
        self._masks: list[Any] = list(self.masks)
        self._heard: list[list[deque[Data]]] = [[] for _ in range(rows)]
        self._decisions = [0] * rows
        self._choices: list[Any] = [None] * rows
        self._states: list[State] = []
        for row in range(rows):
            self._states.append(self._next(row))
            self._decide(row)

    def actions(self, row: int) -> Sequence[Action]:
        """Return the actions of the seat to act as data."""
        return self._states[row].actions()

    def _next(self, row: int) -> State:
        number = self._begun
        self._begun += 1
        players = self._numbers[number % len(self._numbers)]
        self.players[row] = players
        self._decisions[row] = 0
        if self._encoding.history:
            self._heard[row] = [deque(maxlen=self._encoding.history) for _ in range(players)]
        return self._rules.start(players, self._edition, Seeded(derive(self._seed, "game of a batch", number)))

    def _decide(self, row: int) -> None:
        """Begin the decision at which a game stands."""
        state = self._states[row]
        seat = state.to_act
        assert seat is not None
        self.seats[row] = seat
        heard = self._heard[row]
        self._encoding.encode(state.view(seat), tuple(heard[seat]) if heard else (), self._views[row])
        choice = self._choices[row] = self._encoding.choice(state.actions())
        if self._has_taken:
            self._taken[row][:] = choice.taken if choice.steps else 0
        self._mask(row, choice.mask)

    def _mask(self, row: int, mask: Any) -> None:
        whole = self._masks[row]
        if len(mask) == len(whole):
            whole[:] = mask
        elif len(mask) < len(whole):  # a place for each action that is offered
            whole[: len(mask)] = mask
            whole[len(mask) :] = False
        else:
            raise ValueError(f"a decision with {len(mask)} actions, and there is room for {len(whole)}: set more steps")

    def _hear(self, row: int, events: Sequence[Event]) -> None:
        heard = self._heard[row]
        for to, what in events:
            for each in heard if to is None else [heard[to]]:
                each.append(what)

    def step(self, steps: Sequence[int] | NDArray[Any]) -> list[Result]:
        """Take one step in each game, and return how those ended that did.

        Args:
            steps: One step a row, each of those that its mask allows.

        Raises:
            ValueError: A step is not allowed; the rows before it have taken theirs.
        """
        results: list[Result] = []
        taken: list[int] = steps.tolist() if isinstance(steps, np.ndarray) else [int(step) for step in steps]
        if len(taken) != len(self._states):
            raise ValueError(f"{len(taken)} steps for {len(self._states)} games")
        for row, step in enumerate(taken):
            choice = self._choices[row]
            index: int | None = choice.take(step)
            if index is None:
                self._taken[row][:] = choice.taken
                self._mask(row, choice.mask)
                continue
            state = self._states[row]
            events = state.play(index)
            if self._encoding.history:
                self._hear(row, events)
            self._decisions[row] += 1
            if state.to_act is None or self._decisions[row] >= self._max_decisions:
                results.append(Result(row, state.ranks(), int(self.seats[row]), state.to_act is not None))
                self._states[row] = self._next(row)
            self._decide(row)
        return results
